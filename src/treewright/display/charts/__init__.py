"""Charts as SVG, without any library: lines, points and heat maps, for light and dark ground."""
