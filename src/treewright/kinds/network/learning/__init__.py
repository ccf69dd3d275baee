"""Networks while they learn, in PyTorch."""
