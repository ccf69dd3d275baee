"""Clusters for a pipeline: made of what its recipe names, named after it, and watched while they are made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from treewright.kinds.pipeline.recipe import PipelineRecipe
from treewright.lexicon import clustering
from treewright.recipes.catalogue import recipe_from
from treewright.training.cluster_training import learn_clusters
from treewright.training.observer import TrainingObserver


class Watching(TrainingObserver):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[Any, ...]] = []

    def begun(self, step: str, sentences: int) -> None:
        self.heard.append((step, sentences))

    def advanced(self, sentences: int) -> None:
        self.heard.append((sentences,))


def recipe(**options: Any) -> PipelineRecipe:
    found = recipe_from({"pipeline": True, **options})
    assert isinstance(found, PipelineRecipe)
    return found


def test_no_clusters_are_made_where_none_are_asked_for() -> None:
    observer = Watching()
    assert learn_clusters(recipe(), observer) is None
    assert observer.heard == []


def test_clusters_of_word_vectors(tmp_path: Path) -> None:
    vectors = tmp_path / "my.vec"
    vectors.write_text("".join(f"w{k} {k % 2}.5 {k}.25\n" for k in range(8)), encoding="utf-8")
    observer = Watching()
    made = learn_clusters(recipe(vectors=str(vectors), clusters=2), observer)
    assert made is not None
    assert (made.source, made.n_clusters) == ("my.vec", 2)
    assert observer.heard == [("clusters", 1), (1,)]


def test_clusters_of_raw_text_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / name for name in ("a.txt", "b.txt")]
    for file in files:
        file.write_text("one two three four five six one two two three\n" * 20, encoding="utf-8")
    asked, observer = recipe(raw="\n".join(map(str, files)), clusters=3), Watching()
    made = learn_clusters(asked, observer)
    assert made is not None
    assert (made.source, made.n_clusters) == ("a.txt + b.txt", 3)
    assert observer.heard[0] == ("clusters", clustering.MOST_WORDS * clustering.ROUNDS)
    assert len(observer.heard) > 1
    heard = len(observer.heard)
    assert learn_clusters(asked, observer) is made
    assert len(observer.heard) == heard
    other = learn_clusters(recipe(raw=str(files[0]), clusters=3), observer)
    assert other is not made
    assert other is not None
    assert other.source == "a.txt"
