"""Nothing that Python could call."""
