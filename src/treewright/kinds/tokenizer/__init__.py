"""Tokens and sentences from raw text."""
