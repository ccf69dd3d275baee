"""Every kind of model can be trained further; every kind reports, stops and reads treebanks in the same way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import treewright as tw
from tests.every_kind import ADVISED
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import CombinationError, TreebankError
from treewright.steps.parser import Parser
from treewright.training.observer import RoundReport, TrainingObserver
from treewright.treebank.files.reading import read_blocks

pytestmark = pytest.mark.slow

GRAPHS = str(Path(__file__).parents[2] / "examples" / "graphs.conllu")
KINDS: dict[str, dict[str, Any]] = {
    "greedy": {"features": "malt", "iterations": 2},
    "beam": {"features": "lean", "iterations": 1, "beam": 2},
    "easy-first": {"system": "easy-first", "features": "malt", "iterations": 1},
    "graphs": {"system": "dag-arc-eager", "iterations": 2},
    "exact": {"system": "exact", "iterations": 1, "order": 1, "adviser": "none"},
    "advised": {"system": "exact", "features": ADVISED, "iterations": 1, "adviser_folds": 2},
    "pipeline": {
        "pipeline": True,
        "features": "malt",
        "iterations": 1,
        "seeds": 1,
        "tagger_iterations": 2,
        "jackknife": 2,
    },
}


def data_of(kind: str) -> tuple[str, str]:
    return (GRAPHS, GRAPHS) if kind == "graphs" else (DEV, TEST)


class Listener(TrainingObserver):
    def __init__(self, stop_after: int = 0) -> None:
        self.reports: list[RoundReport] = []
        self.begun_steps: list[str] = []
        self.totals: list[int] = []
        self.stop_after, self.stopped = stop_after, 0

    def begun(self, step: str, sentences: int) -> None:
        self.begun_steps.append(step)
        self.totals.append(0)

    def advanced(self, sentences: int) -> None:
        self.totals[-1] += sentences

    def round_done(self, report: RoundReport) -> None:
        self.reports.append(report)
        if self.stop_after and report.step == "parser" and report.round == self.stop_after:
            raise KeyboardInterrupt

    def interrupted(self, rounds: int) -> None:
        self.stopped = rounds


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_goes_on_from_a_model(kind: str, tmp_path: Path) -> None:
    train, dev = data_of(kind)
    first = tw.train(train, dev, **KINDS[kind])
    first.save(tmp_path / "first.tw")
    more = {name: 1 for name in ("iterations", "tagger_iterations") if name in KINDS[kind]}
    if kind == "pipeline":
        more["jackknife"] = 2
    second = tw.train(train, dev, init_from=tmp_path / "first.tw", **more)  # type: ignore[arg-type]
    assert type(second) is type(first)
    assert second.info["continued_from"]["training"] == first.info["training"]
    assert second.relations[: len(first.relations)] == first.relations
    score = "labelled_f1" if kind == "graphs" else "las"
    assert second.info["dev"][score] > first.info["dev"][score] - 3
    second.save(tmp_path / "second.tw")
    block = next(iter(read_blocks(dev)))
    assert Parser.load(tmp_path / "second.tw").parse_block(block).data == second.parse_block(block).data


def test_a_pipeline_learns_new_words_and_keeps_old_ones(tmp_path: Path) -> None:
    first = tw.train(TRAIN, pipeline=True, features="malt", iterations=1, tagger_iterations=3, jackknife=0)
    new = "".join(
        f"# text = The {noun} sleeps .\n1\tThe\tthe\tDET\t_\tDefinite=Def|PronType=Art\t2\tdet\t_\t_\n"
        f"2\t{noun}\t{noun}\tNOUN\t_\tNumber=Sing\t3\tnsubj\t_\t_\n"
        "3\tsleeps\tsleep\tVERB\t_\tMood=Ind|Number=Sing\t0\troot\t_\t_\n4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_\n\n"
        for noun in ("wug", "blick", "dax") * 3
    )
    second = tw.train(new.encode(), init_from=first, iterations=1, jackknife=0)
    assert [word.upos for word in second.parse("The wug sleeps .")] == ["DET", "NOUN", "VERB", "PUNCT"]
    old = list(tw.read(TEST))[:30]
    right = sum(
        found.upos == gold.upos
        for sentence in old
        for found, gold in zip(second.parse_words([word.form for word in sentence.words]), sentence.words, strict=True)
    )
    assert right > 0.9 * sum(len(sentence.words) for sentence in old)


def test_a_model_of_another_kind_is_rejected() -> None:
    greedy = tw.train(DEV, features="lean", iterations=1)
    with pytest.raises(CombinationError, match="cannot become 'arc-hybrid'"):
        tw.train(DEV, init_from=greedy, system="arc-hybrid")
    with pytest.raises(CombinationError, match="has system 'arc-eager', which cannot become 'hybrid'"):
        tw.train(DEV, init_from=greedy, system="hybrid")
    with pytest.raises(CombinationError, match="cannot go on from a TransitionParser"):
        tw.train(DEV, init_from=greedy, recipe=tw.recipe(system="exact"))
    with pytest.raises(CombinationError, match="goes on from a pipeline"):
        tw.train(DEV, init_from=greedy, recipe=tw.recipe(pipeline=True))


@pytest.mark.parametrize("kind", KINDS)
def test_progress_adds_up_and_every_round_is_reported(kind: str) -> None:
    listener = Listener()
    train, dev = data_of(kind)
    model = tw.train(train, dev, observer=listener, **KINDS[kind])
    rounds = [report for report in listener.reports if report.step == "parser"]
    assert [report.round for report in rounds] == list(range(1, KINDS[kind]["iterations"] + 1))
    assert all(report.of == KINDS[kind]["iterations"] and report.scores for report in rounds)
    assert listener.begun_steps[-1] == ("dev from raw text" if kind == "pipeline" else "parser")
    assert listener.totals[-1] == model.info["training"]["sentences"] * KINDS[kind]["iterations"]
    if kind == "pipeline":
        assert {"tokens_f1", "sentences_f1"} == set(model.info["dev"]["tokenizer"])
        assert "upos" in model.info["dev"]["tagger"]


@pytest.mark.parametrize("kind", KINDS)
def test_ctrl_c_keeps_the_best_so_far(kind: str) -> None:
    listener = Listener(stop_after=1)
    train, dev = data_of(kind)
    model = tw.train(train, dev, observer=listener, **{**KINDS[kind], "iterations": 4})
    assert listener.stopped == 1
    assert model.info["training"]["rounds"] == 1
    assert model.info["dev"]["round"] == 1


@pytest.mark.parametrize("kind", KINDS)
def test_several_treebanks_are_one(kind: str, tmp_path: Path) -> None:
    train, _ = data_of(kind)
    text = Path(train).read_text(encoding="utf-8")
    parts = text.strip("\n").split("\n\n")
    half = len(parts) // 2
    for name, some in (("one", parts[:half]), ("two", parts[half:])):
        (tmp_path / f"{name}.conllu").write_text("\n\n".join(some) + "\n\n", encoding="utf-8")
    options = {**KINDS[kind], **({"jackknife": 0} if kind == "pipeline" else {})}  # which parts it cuts is by file
    whole = tw.train(train, **options)
    both = tw.train([tmp_path / "one.conllu", str(tmp_path / "two.conllu")], **options)
    assert both.info["training"]["name"] == "one.conllu + two.conllu"
    assert both.info["training"]["sentences"] == whole.info["training"]["sentences"]
    sentence = next(iter(tw.read(train)))
    assert both.parse(sentence).to_conllu() == whole.parse(sentence).to_conllu()


@pytest.mark.parametrize("kind", KINDS)
def test_bad_sentences_are_reported_left_out_or_fixed(kind: str, tmp_path: Path) -> None:
    train, _ = data_of(kind)
    head, deps = ("1", "_") if kind != "graphs" else ("0", "9:root")
    bad = f"1\tx\tx\tX\t_\t_\t{head}\troot\t{deps}\t_\n\n"
    path = tmp_path / "bad.conllu"
    path.write_text(Path(train).read_text(encoding="utf-8").rstrip("\n") + "\n\n" + bad, encoding="utf-8")
    with pytest.raises(TreebankError, match=r"bad\.conllu"):
        tw.train(path, **KINDS[kind])
    good = sum(1 for _ in tw.read(train))
    skipped = tw.train(path, on_error="skip", **KINDS[kind])
    assert skipped.info["training"]["sentences"] == good
    assert any("left out" in note for note in skipped.info["training"]["notes"])
    assert tw.train(path, on_error="fix", **KINDS[kind]).info["training"]["notes"]


@pytest.mark.parametrize("kind", KINDS)
def test_instances_are_dumped_or_refused(kind: str, tmp_path: Path) -> None:
    with pytest.raises(CombinationError, match="dump"):
        tw.train(data_of(kind)[0], dump_instances=tmp_path / "x.timbl", **KINDS[kind])
