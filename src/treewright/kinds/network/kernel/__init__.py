"""Run networks on the processor without PyTorch or numpy, with the same bits whatever the batch, thread or machine.

Activations are 16-bit integers in units of 1/2048, weights 8-bit integers with a scale per output. Products are summed
exactly; the rest is float arithmetic in a fixed order (``native/neural_math.h``). Layers never change after they were
made, so threads share them; all of them release the GIL.
"""
