"""The Gymnasium face of the world: translation only."""
