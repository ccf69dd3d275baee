"""Draw trees and graphs: terminal, SVG, HTML, LaTeX, and data for other drawing tools.

``picture`` describes a drawing as plain data; the other modules create or draw pictures.
"""
