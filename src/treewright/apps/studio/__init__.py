"""The studio: parse, look, step, correct and retrain, in the browser."""
