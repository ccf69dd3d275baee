"""What ``train(…, learner=…)`` takes in place of a name: a classifier with scikit-learn's methods."""

from __future__ import annotations

from typing import Any, Protocol


class Estimator(Protocol):
    """A classifier as scikit-learn has them."""

    def fit(self, X: Any, y: Any) -> Any:
        """Learn from instances and their classes."""

    def predict(self, X: Any) -> Any:
        """Return the class of each instance."""
