"""Compiled helpers of arc-standard; nothing for Python."""
