"""The world, pure: a whole episode can be played from a bare Python loop."""
