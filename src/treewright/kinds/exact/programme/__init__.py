"""The linear programme over arcs and parts: parse, price and cut."""
