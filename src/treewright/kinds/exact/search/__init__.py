"""Best trees, marginals and k best trees. Compiled."""
