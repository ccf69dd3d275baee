from array import array

def resampled_ratios(
    numerators: array[float], denominators: array[float], resamples: int, seed: int
) -> array[float]: ...
