"""Crafted models of every kind: each is rejected with a clear error before compiled code sees it."""

from __future__ import annotations

import json
import random
import struct
import zlib
from array import array
from collections.abc import Callable
from pathlib import Path

import pytest
from treewright.kinds.exact.search.spanning import best_tree
from treewright.steps.border.numbers import all_within, has_zero, is_rising, largest_number, longest_run

import treewright as tw
from tests.crafted import crafted, put_together, taken_apart
from tests.every_kind import available, save_all, treebank
from treewright.errors import ModelFileError
from treewright.steps.border.container import has_digest, read_whole
from treewright.steps.parser import Parser


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return save_all(tmp_path_factory.mktemp("models"))


def rejected(path: Path, match: str) -> None:
    with pytest.raises(ModelFileError, match=match):
        Parser.load(path)


@pytest.mark.parametrize("kind", available())
def test_every_kind_is_written_with_a_digest_and_read_again(kind: str, models: dict[str, Path], tmp_path: Path) -> None:
    assert has_digest(read_whole(str(models[kind])))
    parser = Parser.load(models[kind])
    parser.save(tmp_path / "again.tw")
    assert (tmp_path / "again.tw").read_bytes() == models[kind].read_bytes()
    blocks = tw.Treebank(treebank()).blocks()
    assert b"".join(block.data for block in parser.parse_blocks(blocks))


@pytest.mark.parametrize("kind", available())
def test_damage_is_told_by_the_digest_and_files_without_one_still_load(
    kind: str, models: dict[str, Path], tmp_path: Path
) -> None:
    data = bytearray(models[kind].read_bytes())
    data[-1] ^= 1
    path = tmp_path / "damaged.tw"
    path.write_bytes(bytes(data))
    rejected(path, "do not match its digest")
    path.write_bytes(put_together(*taken_apart(models[kind].read_bytes()), signed=False))
    assert not has_digest(read_whole(str(path)))
    assert Parser.load(path).info == Parser.load(models[kind]).info


@pytest.mark.parametrize("kind", available())
def test_no_field_of_a_header_may_have_another_type(kind: str, models: dict[str, Path], tmp_path: Path) -> None:
    header, entries, arrays = taken_apart(models[kind].read_bytes())
    chance = random.Random(kind)
    path = tmp_path / "odd.tw"
    for place in places(header, ("info", "recipe", "feature_model")):
        changed = json.loads(json.dumps(header))
        inner = changed
        for key in place[:-1]:
            inner = inner[key]
        old = inner[place[-1]]
        inner[place[-1]] = chance.choice([x for x in ({"a": 1}, [[1]], 10**30) if type(x) is not type(old)])
        path.write_bytes(put_together(changed, entries, arrays))
        try:
            parser = Parser.load(path)
        except ModelFileError:
            continue
        repr(parser)
        parser._details()


def places(node: object, left_out: tuple[str, ...], above: tuple[object, ...] = ()) -> list[tuple]:
    """Return the paths to all values of a header, but one item of each list; all items that are tables."""
    if isinstance(node, dict):
        inner = [(key, value) for key, value in node.items() if key not in left_out]
    else:
        inner = list(enumerate(node)) if isinstance(node, list) else []
        inner = [each for each in inner if not each[0] or isinstance(each[1], dict)]
    found = []
    for key, value in inner[:12]:
        found += [(*above, key), *places(value, left_out, (*above, key))]
    return found


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (lambda steps: [], "steps"),
        (lambda steps: [*steps, steps[1]], "a name twice"),
        (lambda steps: [{**steps[0], "kind": "pipeline", "steps": steps}, *steps[1:]], "within the pipeline"),
        (lambda steps: [{**steps[0], "kind": "function"}, *steps[1:]], "'function', which this version does not know"),
        (lambda steps: [steps[0]] * 65, "steps"),
        (lambda steps: [{**steps[0], "kind": "tagger"}, *steps[1:]], "damaged"),
    ],
)
def test_a_pipeline_is_a_list_of_steps(
    steps: Callable[[list], list], message: str, models: dict[str, Path], tmp_path: Path
) -> None:
    def other(header: dict) -> None:
        header["steps"] = steps(header["steps"])

    rejected(crafted(models["pipeline"], tmp_path / "bad.tw", other), message)


def test_a_tagger_has_room_for_four_columns(models: dict[str, Path], tmp_path: Path) -> None:
    def more(header: dict) -> None:
        header["steps"][1]["settings"]["columns"] = ["LEMMA", "UPOS", "XPOS", "FEATS"] * 100

    rejected(crafted(models["pipeline"], tmp_path / "bad.tw", more), "columns")


def test_columns_of_a_tagger_come_once(models: dict[str, Path], tmp_path: Path) -> None:
    def twice(header: dict) -> None:
        header["steps"][1]["settings"]["columns"] = ["UPOS", "UPOS"]

    rejected(crafted(models["pipeline"], tmp_path / "bad.tw", twice), "twice")


@pytest.mark.parametrize("kind", ["dag-arc-eager", "dag-crossing", "dag-shift-reduce", "easy-first", "arc-eager"])
def test_features_name_addresses_of_the_system(kind: str, models: dict[str, Path], tmp_path: Path) -> None:
    def other(header: dict) -> None:
        header["settings"]["features"] = "p(input[0])\n" if kind == "easy-first" else "p(list[0])\n"

    rejected(crafted(models[kind], tmp_path / "bad.tw", other), "has no")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e30])
@pytest.mark.parametrize("name", ["arc_weights", "grandparent_weights", "above_weights", "sibling_weights"])
def test_weights_of_exact_parsers_are_finite(value: float, name: str, models: dict[str, Path], tmp_path: Path) -> None:
    def spoil(arrays: dict[str, bytes]) -> None:
        arrays[name] = struct.pack("<f", value) + arrays[name][4:]

    rejected(crafted(models["exact-projective-2"], tmp_path / "bad.tw", arrays=spoil), "not finite")


@pytest.mark.parametrize("name", ["sibling_tags", "sibling_above_weights", "sibling_below_tags"])
def test_tables_of_siblings_are_all_there_or_none(name: str, models: dict[str, Path], tmp_path: Path) -> None:
    rejected(crafted(models["exact-siblings"], tmp_path / "bad.tw", arrays=lambda arrays: arrays.pop(name)), "missing")


@pytest.mark.parametrize("kind", ["neural", "hybrid"])
def test_scales_of_networks_are_finite(kind: str, models: dict[str, Path], tmp_path: Path) -> None:
    def spoil(arrays: dict[str, bytes]) -> None:
        arrays["layer0.bias"] = struct.pack("<f", float("nan")) + arrays["layer0.bias"][4:]

    rejected(crafted(models[kind], tmp_path / "bad.tw", arrays=spoil), "not finite")


def test_tables_of_exact_parsers_have_free_slots(models: dict[str, Path], tmp_path: Path) -> None:
    def fill(arrays: dict[str, bytes]) -> None:
        arrays["arc_tags"] = struct.pack("<I", 3) * (len(arrays["arc_tags"]) // 4)

    rejected(crafted(models["exact-1"], tmp_path / "bad.tw", arrays=fill), "no free slots")


@pytest.mark.parametrize(
    ("keys", "values"),
    {
        "tagger.lexicon.keys": "tagger.lexicon.classes",
        "tagger.known.keys": "tagger.known.masks",
        "tagger.lemmas.keys": "tagger.lemmas.rules",
        "tagger.clusters.keys": "tagger.clusters.numbers",
        "tokenizer.clusters.keys": "tokenizer.clusters.numbers",
    }.items(),
)
def test_keys_that_collide_are_rejected_before_they_are_used(
    keys: str, values: str, models: dict[str, Path], tmp_path: Path
) -> None:
    n = 40_000

    def collide(arrays: dict[str, bytes]) -> None:
        width = len(arrays[values]) // (len(arrays[keys]) // 8)
        arrays[keys] = array("Q", range(1, n + 1)).tobytes()
        arrays[values] = arrays[values][:width] * n

    model = Parser.load(crafted(models["pipeline-clusters"], tmp_path / "bad.tw", arrays=collide))
    with pytest.raises(ModelFileError, match="collide"):
        model.parse("Dogs bark.")


@pytest.mark.parametrize("step", ["tokenizer", "tagger"])
@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("paths", b"", "is empty"),
        ("depths", b"\x21", "outside"),
        ("numbers", b"\xff\xff", "outside"),
        ("keys", bytes(8), "0"),
        ("numbers", None, "numbers"),
    ],
)
def test_damaged_clusters_of_a_step_are_rejected(
    step: str, name: str, data: bytes | None, message: str, models: dict[str, Path], tmp_path: Path
) -> None:
    def damage(arrays: dict[str, bytes]) -> None:
        whole = arrays[f"{step}.clusters.{name}"]
        if data is None:
            arrays[f"{step}.clusters.{name}"] = whole[:-2]
        else:
            arrays[f"{step}.clusters.{name}"] = data + whole[len(data) :] if data else b""

    rejected(crafted(models["pipeline-clusters"], tmp_path / "bad.tw", arrays=damage), message)


def test_features_of_a_machine_that_collide_are_rejected(models: dict[str, Path], tmp_path: Path) -> None:
    if "libsvm" not in models:
        pytest.skip("libsvm is not installed")
    unmix = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
    mixed = [(i << 45 | 1 << 20) * unmix % (1 << 64) for i in range(5000)]
    keys = [key ^ key >> 32 for key in mixed]

    def collide(arrays: dict[str, bytes]) -> None:
        arrays["features"] = array("Q", keys).tobytes()

    def count(header: dict) -> None:
        header["weights"]["machine"]["n_features"] = len(keys)

    rejected(crafted(models["libsvm"], tmp_path / "bad.tw", count, collide), "collide")


def machine_text(model: Path, change: object, path: Path) -> Path:
    """Write a model with another text of its machine."""
    header, entries, arrays = taken_apart(model.read_bytes())
    name = "machines" if "machines" in arrays else "instance_base"
    text = change(zlib.decompress(arrays[name]))
    arrays[name] = zlib.compress(text)
    machine = header["weights"]["machine"]
    if name == "machines":
        machine["parts"] = [[0, len(text)]]
    else:
        machine["lengths"] = [len(text) - machine["lengths"][1], machine["lengths"][1]]
    path.write_bytes(put_together(header, entries, arrays))
    return path


def test_a_support_vector_has_a_feature_once(models: dict[str, Path], tmp_path: Path) -> None:
    if "libsvm" not in models:
        pytest.skip("libsvm is not installed")

    def repeat(text: bytes) -> bytes:
        return text.rstrip() + b" 1:1" * 3000 + b"\n"

    rejected(machine_text(models["libsvm"], repeat, tmp_path / "bad.tw"), "twice")


@pytest.mark.parametrize("number", [b"nan", b"inf", b"1e999"])
def test_numbers_of_a_machine_are_finite(number: bytes, models: dict[str, Path], tmp_path: Path) -> None:
    if "libsvm" not in models:
        pytest.skip("libsvm is not installed")
    path = machine_text(
        models["libsvm"], lambda text: text.replace(b"gamma 0.2", b"gamma " + number + b" "), tmp_path / "bad.tw"
    )
    rejected(path, "damaged")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"< 1, 2 >", b"< 1, 2, 3 >"),
        (b"< 1, 2 >", b"< 1, 1 >"),
        (b"\n1\t", b"\n2\t"),
        (b"(3{", b"(999999{"),
        (b"[1(", b"[1(1{ 1 24 }[2(1{ 1 24 })\n]\n)\n,1("),
        (b")\n]\n)\n", b"[2(1{ 1 24 })\n]\n)\n]\n)\n"),
        (b"{ 1 ", b"{ 77 "),
        (b"Features\n", b"Features\n" + b"(" * 100_000),
    ],
)
def test_what_timbl_reads_is_read_by_us_first(old: bytes, new: bytes, models: dict[str, Path], tmp_path: Path) -> None:
    if "timbl" not in models:
        pytest.skip("timbl is not installed")
    path = machine_text(models["timbl"], lambda text: text.replace(old, new, 1), tmp_path / "bad.tw")
    rejected(path, "instance base")


@pytest.mark.parametrize("options", ["-a 0 -k 1 -m O -w 1", "-a 1", "-a 2 -q 1", "-m J -k 3 -d IL"])
def test_what_timbl_writes_is_accepted(options: str, tmp_path: Path) -> None:
    pytest.importorskip("timblapi")
    features = "p(stack[0])\np(input[0])\nw(input[0])\n"
    parser = tw.train(treebank(), learner="timbl", learner_options=options, features=features)
    parser.save(tmp_path / "timbl.tw")
    Parser.load(tmp_path / "timbl.tw")


@pytest.mark.parametrize(("kind", "name"), [("libsvm", "machines"), ("timbl", "instance_base")])
def test_compressed_bombs_are_not_unpacked(kind: str, name: str, models: dict[str, Path], tmp_path: Path) -> None:
    if kind not in models:
        pytest.skip(f"{kind} is not installed")
    size = 1 << 28

    def pack(arrays: dict[str, bytes]) -> None:
        arrays[name] = zlib.compress(bytes(size), 9)

    def promise(header: dict) -> None:
        machine = header["weights"]["machine"]
        machine |= {"parts": [[0, size]]} if kind == "libsvm" else {"lengths": [size, 0]}

    rejected(crafted(models[kind], tmp_path / "bomb.tw", promise, pack), "bytes long")


@pytest.mark.parametrize(
    "shape", [[10**30], [[0] * 1000, 10**9], ["a", 10**9], [1 << 40, 1 << 40], [-1], [1.5], [True], None, [1] * 20]
)
def test_shapes_are_checked_before_they_are_multiplied(shape: object, models: dict[str, Path], tmp_path: Path) -> None:
    data = models["arc-eager"].read_bytes()
    length = int.from_bytes(data[:8], "little")
    listed = json.loads(data[8 : 8 + length])
    listed["lines"]["shape"] = shape
    packed = json.dumps(listed).encode()
    path = tmp_path / "bad.tw"
    path.write_bytes(len(packed).to_bytes(8, "little") + packed + data[8 + length :])
    rejected(path, "damaged")


def test_headers_have_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "large.tw"
    packed = b"{" + b'"a":[' + b"[]," * 3_000_000 + b"[]]}"
    path.write_bytes(len(packed).to_bytes(8, "little") + packed)
    rejected(path, "values")
    packed = b"[" * 100_000
    path.write_bytes((len(packed) + 1).to_bytes(8, "little") + b"{" + packed)
    rejected(path, "large.tw")


def test_arrays_do_not_lie_on_each_other(models: dict[str, Path], tmp_path: Path) -> None:
    data = models["arc-eager"].read_bytes()
    length = int.from_bytes(data[:8], "little")
    listed = json.loads(data[8 : 8 + length])
    listed["more"] = listed["tags"]
    packed = json.dumps(listed).encode()
    path = tmp_path / "bad.tw"
    path.write_bytes(len(packed).to_bytes(8, "little") + packed + data[8 + length :])
    rejected(path, "lies on another")


def test_arrays_at_odd_places_are_copied(models: dict[str, Path], tmp_path: Path) -> None:
    """Other programs write headers of any length; compiled code wants numbers at multiples of their size."""
    header, entries, arrays = taken_apart(models["exact-2"].read_bytes())
    data = put_together(header, entries, arrays, signed=False)
    length = int.from_bytes(data[:8], "little")
    path = tmp_path / "odd.tw"
    path.write_bytes((length + 3).to_bytes(8, "little") + data[8 : 8 + length] + b"   " + data[8 + length :])
    expected = Parser.load(models["exact-2"])
    block = next(iter(tw.Treebank(treebank()).blocks()))
    assert Parser.load(path).parse_block(block).data == expected.parse_block(block).data


@pytest.mark.parametrize("kind", ["arc-eager", "exact-2", "neural", "pipeline"])
def test_a_model_replaced_on_disk_does_not_disturb_a_parser(kind: str, models: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "model.tw"
    path.write_bytes(models[kind].read_bytes())
    parser = Parser.load(path)
    block = next(iter(tw.Treebank(treebank()).blocks()))
    before = parser.parse_block(block).data
    with path.open("r+b") as file:  # as `cp` does: the same file, shorter
        file.truncate(0)
    assert parser.parse_block(block).data == before
    parser.save(tmp_path / "saved.tw")
    assert (tmp_path / "saved.tw").read_bytes() == models[kind].read_bytes()


def test_a_plugin_that_a_model_names_is_not_imported(
    models: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "libsvm" not in models:
        pytest.skip("libsvm is not installed")
    from treewright.learners import batch

    class Point:
        def load(self) -> object:
            raise AssertionError("imported")

    monkeypatch.setattr(batch, "_plugins", lambda: {"evil": Point()})
    path = crafted(models["libsvm"], tmp_path / "bad.tw", lambda header: header["weights"].update(learner="evil"))
    rejected(path, "TREEWRIGHT_PLUGINS=evil")
    monkeypatch.setenv("TREEWRIGHT_PLUGINS", "evil")
    with pytest.raises(AssertionError, match="imported"):
        Parser.load(path)


def test_names_that_are_not_utf8_lose_no_training(tmp_path: Path) -> None:
    parser = tw.train(treebank(), iterations=1, features="lean")
    parser.info["description"] = "caf\udce9"
    parser.save(tmp_path / "model.tw")
    assert Parser.load(tmp_path / "model.tw").info["description"] == "caf\ufffd"


@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize("single_root", [False, True])
def test_decoders_end_whatever_the_scores_are(projective: bool, single_root: bool) -> None:
    chance = random.Random(3)
    odd = [float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 0.0, 1.0]
    for n in (1, 2, 5, 9):
        for _ in range(60):
            scores = array("d", (chance.choice(odd) for _ in range((n + 1) ** 2)))
            heads, _ = best_tree(memoryview(scores).cast("B").cast("d", (n + 1, n + 1)), projective, single_root)
            for word in range(1, n + 1):
                seen = set()
                while word:
                    assert word not in seen
                    seen.add(word)
                    word = heads[word]


def test_loops_over_arrays() -> None:
    assert largest_number(array("f", [1, -3, 2])) == 3
    assert largest_number(array("f", [1, float("nan")])) == float("inf")
    assert largest_number(array("f")) == 0
    assert all_within(array("i", [0, 5, 3]), 0, 5)
    assert not all_within(array("H", [0, 6, 3]), 0, 5)
    assert not all_within(array("i", [-1]), 0, 5)
    assert is_rising(array("i", [1, 2, 9]))
    assert not is_rising(array("i", [1, 1]))
    assert has_zero(array("Q", [1, 0]))
    assert not has_zero(array("Q", [1]))
    assert longest_run(array("I", [1, 1, 0, 1, 1, 1])) == 5
    assert longest_run(array("I", [1, 1])) == 2
    assert longest_run(array("I", [0, 0])) == 0


@pytest.mark.skipif("timbl" not in available(), reason="TiMBL is not installed")
def test_an_instance_base_has_a_column_for_each_feature(models: dict[str, Path], tmp_path: Path) -> None:
    def add_a_feature(header: dict) -> None:
        header["settings"]["features"] += "p(input[1])\n"

    parser = Parser.load(crafted(models["timbl"], tmp_path / "more.tw", add_a_feature))
    with pytest.raises(ModelFileError, match="3 features, not 2"):
        parser.parse_words(["a", "b"])


@pytest.mark.parametrize(("field", "value"), [("search", "none"), ("width", -1), ("composed", [1 << 40])])
def test_how_a_tagger_searches_is_checked(field: str, value: object, models: dict[str, Path], tmp_path: Path) -> None:
    def change(header: dict) -> None:
        header["steps"][1]["settings"][field] = value

    rejected(crafted(models["pipeline-viterbi"], tmp_path / "odd.tw", change), field)
