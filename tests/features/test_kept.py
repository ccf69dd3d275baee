"""Feature models in model files: those of the first versions go on with the meaning that they had."""

from __future__ import annotations

import pytest

from tests.toy import TEST
from treewright import train
from treewright.features.kept import LANGUAGE, kept_model
from treewright.features.language import parse_model
from treewright.features.templates import RENAMED, with_new_names
from treewright.steps.parser import Parser


def test_steps_of_old_models_keep_their_meaning_and_their_keys():
    settings = {"features": "l(lc(stack[0])) & w(rs(rc2(input[0])))\n", "feature_model": "old"}
    old = kept_model(settings)
    assert str(old) == "l(ld(stack[0])) & w(rss(rd2(input[0])))\n"
    assert old.templates[0].key_text == "l(lc(stack[0])) & w(rs(rc2(input[0])))"
    new = kept_model({**settings, "features": "l(lc(stack[0]))\n", "feature_language": LANGUAGE})
    assert str(new) == "l(lc(stack[0]))\n"
    assert new.templates[0].key_text != parse_model("l(ld(stack[0]))").templates[0].key_text


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_every_step_is_renamed(old, new):
    assert (
        with_new_names(f"p({old}(stack[0]))\np({old} (h(stack[0])))") == f"p({new}(stack[0]))\np({new} (h(stack[0])))"
    )


def test_a_model_of_the_first_versions_parses_as_before(tmp_path):
    parser = train(TEST, features="malt", iterations=2)
    assert parser.settings["feature_language"] == LANGUAGE
    assert "l(ld(stack[0]))" in parser.settings["features"]
    # The same model as an earlier version would have written it.
    text = parser.settings["features"]
    for was, now in RENAMED.items():
        text = text.replace(f"{now}(", f"{was}(")
    del parser.settings["feature_language"]
    parser.settings["features"] = text
    parser.save(tmp_path / "old.tw")
    again = Parser.load(tmp_path / "old.tw")
    assert "lc(stack[0])" in again.settings["features"]
    parser.parse_file(TEST, tmp_path / "new.conllu")
    again.parse_file(TEST, tmp_path / "old.conllu")
    assert (tmp_path / "new.conllu").read_bytes() == (tmp_path / "old.conllu").read_bytes()
