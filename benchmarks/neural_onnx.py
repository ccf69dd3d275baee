"""The LSTMs and dense layers of ``neural_kernel.py`` beside ONNX Runtime with 8-bit weights, in one run, on one core.

    pip install onnx onnxruntime
    python benchmarks/neural_onnx.py [--batch 8 16 64] [--sentences 128] [--rounds 20]

Sentences of similar length share a batch, since ONNX Runtime pads them to the longest; of each batch the fastest round
counts.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from array import array
from pathlib import Path
from typing import Any

import numpy as np
from needed import needed
from neural_kernel import ARC, HIDDEN, RELATION, WIDTH, Network
from treewright.kinds.network.kernel.paths import current
from treewright.kinds.network.kernel.rows import Rows


def graph(rng: np.random.Generator) -> Any:
    """Return two layers of LSTMs and four dense layers with random weights."""
    from onnx import TensorProto, helper, numpy_helper

    def constant(name: str, *shape: int) -> Any:
        return numpy_helper.from_array(rng.normal(0, shape[-1] ** -0.5, shape).astype(np.float32), name)

    nodes, constants, outputs = [], [numpy_helper.from_array(np.array([0, 0, 2 * HIDDEN]), "shape")], []
    for source, name, width in [("x", "a", WIDTH), ("a", "b", 2 * HIDDEN)]:
        constants += [constant(name + "W", 2, 4 * HIDDEN, width), constant(name + "R", 2, 4 * HIDDEN, HIDDEN)]
        inputs = [source, name + "W", name + "R", "", "lengths"]
        nodes.append(helper.make_node("LSTM", inputs, [name + "Y"], hidden_size=HIDDEN, direction="bidirectional"))
        nodes.append(helper.make_node("Transpose", [name + "Y"], [name + "T"], perm=[0, 2, 1, 3]))
        nodes.append(helper.make_node("Reshape", [name + "T", "shape"], [name]))
    for number, width in enumerate([ARC, ARC, RELATION, RELATION]):
        constants.append(constant(f"D{number}", 2 * HIDDEN, width))
        nodes.append(helper.make_node("MatMul", ["b", f"D{number}"], [f"M{number}"]))
        nodes.append(helper.make_node("LeakyRelu", [f"M{number}"], [f"O{number}"], alpha=0.1))
        outputs.append(helper.make_tensor_value_info(f"O{number}", TensorProto.FLOAT, ["t", "b", width]))
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["t", "b", WIDTH]),
        helper.make_tensor_value_info("lengths", TensorProto.INT32, ["b"]),
    ]
    made = helper.make_graph(nodes, "parser", inputs, outputs, constants)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


def session(rng: np.random.Generator) -> Any:
    """Return the quantised network, ready to run on one thread."""
    import onnx
    import onnxruntime
    from onnxruntime.quantization import QuantType, quantize_dynamic

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    with tempfile.TemporaryDirectory() as folder:
        whole, small = Path(folder, "float.onnx"), Path(folder, "int8.onnx")
        onnx.save(graph(rng), whole)
        quantize_dynamic(whole, small, weight_type=QuantType.QInt8)
        return onnxruntime.InferenceSession(str(small), options, providers=["CPUExecutionProvider"])


def ours(network: Network, x: Rows, lengths: array[int]) -> None:
    """Run the same layers of the kernel."""
    for lstm in network.lstms:
        x = lstm.apply(x, lengths)
    for layer in (*network.arc, *network.relation):
        layer.apply(x)


def compare(size: int, sentences: int, rounds: int) -> tuple[float, float]:
    """Return the words per second of the kernel and of ONNX Runtime."""
    rng, draw = np.random.default_rng(1), random.Random(1)
    network, other = Network(draw), session(rng)
    lengths = sorted(max(2, int(draw.gammavariate(2.5, 18 / 2.5))) for _ in range(sentences))
    seconds = [0.0, 0.0]
    for first in range(0, sentences, size):
        some = array("i", lengths[first : first + size])
        padded = rng.normal(0, 1, (max(some), len(some), WIDTH)).astype(np.float32)
        rows = Rows(rng.integers(-4096, 4097, (sum(some), WIDTH)).astype(np.int16))
        feed, best = {"x": padded, "lengths": np.array(some)}, [float("inf")] * 2
        for _ in range(rounds):
            start = time.process_time()
            ours(network, rows, some)
            middle = time.process_time()
            other.run(None, feed)
            best = [min(best[0], middle - start), min(best[1], time.process_time() - middle)]
        seconds = [total + took for total, took in zip(seconds, best, strict=True)]
    return sum(lengths) / seconds[0], sum(lengths) / seconds[1]


def main() -> None:
    """Print a line for each size of batch."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, nargs="+", default=[8, 16, 64], help="sentences at a time")
    parser.add_argument("--sentences", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    for package in ("onnx", "onnxruntime"):
        needed(package, f"pip install {package}")
    for size in options.batch:
        kernel, runtime = compare(size, options.sentences, options.rounds)
        print(
            f"batches of {size}: kernel ({current()}) {kernel:,.0f}, ONNX Runtime {runtime:,.0f} words per second: ",
            end="",
        )
        print(f"{kernel / runtime:.2f} times")


if __name__ == "__main__":
    main()
