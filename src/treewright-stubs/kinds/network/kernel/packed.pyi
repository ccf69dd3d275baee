class Packed:
    n_outputs: int
    n_inputs: int
