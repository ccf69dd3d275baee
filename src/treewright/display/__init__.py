"""Drawings of trees and graphs: terminal, SVG, HTML, LaTeX, and data for other tools that draw.

``picture`` says what is to be drawn, as plain data; every other module draws pictures, or makes them.
"""
