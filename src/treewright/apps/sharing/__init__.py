"""Models to give to others: a wheel with a model card, a licence and a name."""
