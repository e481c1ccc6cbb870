"""Training of learned policies: one script per algorithm, read top to bottom, and what they share."""
