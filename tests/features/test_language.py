"""The feature language: what can be written, how it is printed, and what mistakes are answered with."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.features.extractor import Extractor

from treewright.errors import FeatureModelError
from treewright.features.bundled import bundled_models, load_feature_model
from treewright.features.language import parse_model
from treewright.features.templates import (
    ANSWERS,
    ATTRIBUTES,
    BASES,
    MAPPINGS,
    STEPS,
    Address,
    Attribute,
    FeatureModel,
    Measure,
    Template,
)

STACK, INPUT = Address("stack", 0), Address("input", 0)


def only(text: str) -> Template:
    (template,) = parse_model(text).templates
    return template


def error_of(text: str) -> str:
    with pytest.raises(FeatureModelError) as caught:
        parse_model(text, "my.features")
    return str(caught.value)


class TestWhatCanBeWritten:
    @pytest.mark.parametrize(
        ("text", "function"),
        [
            ("w(stack[0])", Attribute("w", STACK)),
            ("lemma(input[0])", Attribute("lemma", INPUT)),
            ("p(stack[2])", Attribute("p", Address("stack", 2))),
            ("x(input[99])", Attribute("x", Address("input", 99))),
            ("feats(context[1])", Attribute("feats", Address("context", 1))),
            ("l(list[3])", Attribute("l", Address("list", 3))),
            ("feat(Case, stack[0])", Attribute("feat", STACK, "Case")),
            ("feat(Number[psor], stack[0])", Attribute("feat", STACK, "Number[psor]")),
            ("column(MISC, stack[0])", Attribute("column", STACK, "MISC")),
            ("column(PARSEME:MWE, stack[0])", Attribute("column", STACK, "PARSEME:MWE")),
            ("suffix(w(stack[0]), 3)", Attribute("w", STACK, "", (("suffix", 3),))),
            ("prefix(x(stack[0]), 15)", Attribute("x", STACK, "", (("prefix", 15),))),
            ("lower(w(stack[0]))", Attribute("w", STACK, "", (("lower", 0),))),
            ("shape(w(stack[0]))", Attribute("w", STACK, "", (("shape", 0),))),
            ("each(feats(stack[0]))", Attribute("feats", STACK, "", (("each", 0),))),
            ("suffix(lower(w(stack[0])), 2)", Attribute("w", STACK, "", (("lower", 0), ("suffix", 2)))),
            ("lower(feat(Case, stack[0]))", Attribute("feat", STACK, "Case", (("lower", 0),))),
            ("distance(stack[0], input[0])", Measure("distance", (STACK, INPUT))),
            ("valency(left, stack[0])", Measure("valency", (STACK,), "left")),
            ("valency(right, stack[0])", Measure("valency", (STACK,), "right")),
            ("labels(left, stack[0])", Measure("labels", (STACK,), "left")),
            ("labels(right, stack[0])", Measure("labels", (STACK,), "right")),
            ("move(0)", Measure("move", (), "0")),
            ("move(1)", Measure("move", (), "1")),
        ],
    )
    def test_every_function(self, text, function):
        template = only(text)
        assert template.functions == (function,)
        assert str(template) == text

    @pytest.mark.parametrize("step", STEPS)
    def test_every_step(self, step):
        template = only(f"p({step}(stack[0]))")
        assert template.functions == (Attribute("p", Address("stack", 0, (step,))),)
        assert str(template) == f"p({step}(stack[0]))"

    @pytest.mark.parametrize(
        ("text", "steps"),
        [
            ("token[stack[0] + 1]", (1,)),
            ("token[stack[0] - 12]", (-12,)),
            ("h(token[stack[0] - 1])", (-1, "h")),
            ("token[lc(stack[0]) + 2]", ("lc", 2)),
            ("token[token[stack[0] + 1] - 2]", (1, -2)),
            ("h(h(h(h(h(h(h(h(stack[0]))))))))", ("h",) * 8),
        ],
    )
    def test_steps_from_the_inside_out(self, text, steps):
        template = only(f"w({text})")
        assert template.functions[0].address == Address("stack", 0, steps)
        assert str(template) == f"w({text})"

    @pytest.mark.parametrize(
        "text",
        ["w( stack [ 0 ] )&p(input[0])", "\tw(stack[0])   &   p( input[ 0 ])  # both", "w(stack[00]) & p(input[0])"],
    )
    def test_space_is_free_and_printed_one_way(self, text):
        assert str(only(text)) == "w(stack[0]) & p(input[0])"

    def test_comments_and_blank_lines(self):
        model = parse_model("# all\n\n  \nw(stack[0])# a\r\n\r\np(stack[0])  #\n#\n")
        assert [str(t) for t in model.templates] == ["w(stack[0])", "p(stack[0])"]
        assert [t.line for t in model.templates] == [4, 6]

    def test_sections(self):
        model = parse_model(
            "p(stack[0])\n[moves]\np(stack[1])\n [ labels ]\np(stack[2])\n[labels moves] # both\np(stack[3])"
        )
        assert [t.parts for t in model.templates] == [("moves", "labels"), ("moves",), ("labels",), ("moves", "labels")]
        assert str(model) == ("p(stack[0])\n[moves]\np(stack[1])\n[labels]\np(stack[2])\n[moves labels]\np(stack[3])\n")

    def test_the_decision(self):
        model = parse_model("# fast\n[split]\n[moves]\np(stack[0])\n")
        assert model.decision == "split"
        assert str(model) == "[split]\n[moves]\np(stack[0])\n"
        assert parse_model("p(stack[0])").decision == "joint"

    def test_the_columns_it_looks_at(self):
        model = parse_model(
            "l(stack[0])\nsuffix(w(stack[0]), 2) & p(stack[0])\nfeat(Case, stack[0])\n"
            "each(feats(stack[0]))\ncolumn(MISC, input[0])\nmove(0)\nx(stack[0]) & lemma(stack[0])\n"
        )
        assert model.columns == ("FORM", "UPOS", "FEATS", "MISC", "XPOS", "LEMMA")


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            ("p(stack[0])\n  q(stack[0])", "2:3", "expected a feature function (w, lemma, p, x,"),
            ("p(stak[0])", "1:3", "expected an address (stack, input, context, list, token, h,"),
            ("p(stack[0]) & ", "1:14", "expected a feature function"),
            ("p(stack[0]) p(input[0])", "1:13", "expected '&', found 'p'"),
            ("p(stack[0]", "1:11", "expected ')', found the end of the line"),
            ("p", "1:2", "expected '(', found the end of the line"),
            ("p()", "1:3", "expected an address"),
            ("p(stack)", "1:8", "expected '[', found ')'"),
            ("p(stack[])", "1:9", "expected a number from 0, found ']'"),
            ("p(stack[" + "9" * 5000 + "])", "1:9", "expected a number from 0"),
            ("p(stack[-1])", "1:9", "expected a number from 0, found '-'"),
            ("p(stack[0)", "1:10", "expected ']', found ')'"),
            ("p(token[stack[0]])", "1:17", "expected '+' or '-', found ']'"),
            ("p(token[stack[0] + ])", "1:20", "expected a number from 0, found ']'"),
            ("p(token[0])", "1:9", "expected an address"),
            ("p(h stack[0])", "1:5", "expected '(', found 'stack'"),
            ("p(h(stack[0])", "1:14", "expected ')', found the end of the line"),
            ("p(stack[0]) & ünder(stack[0])", "1:15", "an unexpected 'ü'"),
            ("p(stack[0]) &    $", "1:18", "an unexpected '$'"),
            ("p(stack[٣])", "1:9", "an unexpected '٣'"),
            ("feat(stack[0])", "1:12", "expected a name, found '0'"),
            ("feat(3, stack[0])", "1:6", "expected a name, found '3'"),
            ("feat(, stack[0])", "1:6", "expected a name, found ','"),
            ("feat(Number[], stack[0])", "1:13", "expected a name, found ']'"),
            ("feat(Number[psor, stack[0])", "1:17", "expected ']', found ','"),
            ("feat(", "1:6", "expected a name, found the end of the line"),
            ("column(A[b], stack[0])", "1:9", "expected ',', found '['"),
            ("distance(stack[0])", "1:18", "expected ',', found ')'"),
            ("distance(stack[0], 3)", "1:20", "expected an address"),
            ("valency(stack[0])", "1:9", "expected 'left', 'right' or 'all', found 'stack'"),
            ("valency(up, stack[0])", "1:9", "expected 'left', 'right' or 'all', found 'up'"),
            ("labels(left)", "1:12", "expected ',', found ')'"),
            ("distance(stack[0], input[0], 1|2)", "1:30", "the first class must begin at 0, found 1"),
            ("distance(stack[0], input[0], 0|2|2)", "1:34", "each class must begin above the one before, found 2"),
            ("distance(stack[0], input[0], )", "1:30", "expected a number from 0 to 9999, found ')'"),
            (
                "valency(left, stack[0], " + "|".join(map(str, range(13))) + ")",
                "1:53",
                "a measure has 12 classes at most",
            ),
            ("labels(all, stack[0])", "1:8", "expected 'left', 'right' or 'heads', found 'all'"),
            ("linked(stack[0])", "1:16", "expected ',', found ')'"),
            ("heads(stack[0], 0|1)", "1:15", "expected ')', found ','"),
            ("move(2)", "1:6", "expected a number from 0 to 1, found '2'"),
            ("move(stack[0])", "1:6", "expected a number from 0 to 1, found 'stack'"),
            ("suffix(w(stack[0]))", "1:19", "expected ',', found ')'"),
            ("suffix(w(stack[0]), 0)", "1:21", "from 1 on, found '0'"),
            ("suffix(l(stack[0]), 2)", "1:8", "takes a column such as w(stack[0]), found l("),
            ("lower(move(0))", "1:7", "lower takes a column such as w(stack[0]), found move(0)"),
            ("suffix(stack[0], 2)", "1:8", "expected a feature function"),
            ("each(w(stack[0]))", "1:6", "each takes feats(…), found w(stack[0])"),
            ("each(lower(feats(stack[0])))", "1:6", "each takes a column such as"),
            ("lower(lower(w(stack[0])))", "1:7", "lower takes a column such as"),
            ("shape(lower(w(stack[0])))", "1:7", "shape takes a column such as"),
            ("suffix(shape(w(stack[0])), 2)", "1:8", "suffix takes a column or its lower"),
            ("lower(" * 9 + "w(stack[0])" + ")" * 9, "1:13", "two mappings at most"),
            ("suffix(" * 5000, "1:15", "two mappings at most"),
            ("w(" + "h(" * 5000, "1:10003", "expected an address"),
            ("w(" + "token[" * 5000, "1:30003", "expected an address"),
            ("w(" + "h(" * 100_000 + "stack[0]" + ")" * 100_001, "1:200001", "too many steps in an address: 99,999"),
            (" & ".join(f"p(stack[{i}])" for i in range(5)), "1:55", "4 functions at most"),
            (" & ".join(f"each(feats(stack[{i}]))" for i in range(3)), "1:70", "'each' twice at most"),
            ("p(stack[0])\n[move]\n", "2:1", "expected [moves], [labels] or [moves labels]"),
            ("p(stack[0])\n[split]", "2:1", "or [split], before all templates"),
            ("[]\np(stack[0])", "1:1", "expected [moves], [labels] or [moves labels]"),
            ("[moves\np(stack[0])", "1:1", "expected [moves], [labels] or [moves labels]"),
            ("[moves] p(stack[0])", "1:1", "expected [moves], [labels] or [moves labels]"),
            ("p(stack[0])\nw(stack[0])\n p( stack[0] )", "3:1", "the template p(stack[0]) is already on line 1"),
            ("[moves]\np(stack[0])\n[labels]\np(stack[0])", "4:1", "the template p(stack[0]) is already on line 2"),
        ],
    )
    def test_line_column_and_what_was_expected(self, text, place, message):
        error = error_of(text)
        assert error.startswith(f"my.features:{place}: "), error
        assert message in error

    @pytest.mark.parametrize("column", ANSWERS)
    def test_no_looking_at_the_answers(self, column):
        error = error_of(f"column({column}, stack[0])")
        assert error.startswith("my.features:1:8: ")
        assert "is what the parser predicts" in error

    def test_known_names_are_listed(self):
        functions = error_of("pos(stack[0])")
        for name in [*ATTRIBUTES, *MAPPINGS, "feat", "column", "distance", "valency", "labels"]:
            assert re.search(rf"[( ]{name}[,)]", functions), name
        addresses = error_of("p(buffer[0])")
        for name in [*BASES, *STEPS, "token"]:
            assert re.search(rf"[( ]{name}[,)]", addresses), name

    @pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "[moves]\n"])
    def test_no_templates(self, text):
        assert error_of(text) == "my.features: the file has no templates"

    def test_nothing_for_the_kind_of_move(self):
        assert "no template helps to decide the kind of move" in error_of("[labels]\np(stack[0])")

    def test_a_long_line_is_no_problem(self):
        assert "4 functions at most" in error_of("p(stack[0]) & " * 50_000 + "p(stack[0])")


def model_of(*templates: str) -> FeatureModel:
    return parse_model("\n".join(templates), "big")


class TestLimits:
    """What the compiled program has room for."""

    def test_256_addresses(self):
        fits = [f"p(stack[{i}])" for i in range(128)] + [f"p(input[{i}])" for i in range(128)]
        assert Extractor(model_of(*fits), []).model.templates
        with pytest.raises(FeatureModelError, match="big: more than 256 different addresses"):
            Extractor(model_of(*fits, "distance(stack[128], stack[128])"), [])

    def test_different_steps_on_the_way_count_as_addresses(self):
        fits = [f"p(stack[{i}])" for i in range(248)] + ["p(" + "h(lc(" * 4 + "stack[0]" + ")" * 9]
        assert Extractor(model_of(*fits), []).model.templates
        with pytest.raises(FeatureModelError, match="more than 256 different addresses"):
            Extractor(model_of(*fits, "p(stack[248])"), [])

    def test_the_same_step_many_times_is_one_address(self):
        fits = [f"p(stack[{i}])" for i in range(255)] + ["p(" + "h(" * 5000 + "stack[0]" + ")" * 5001]
        assert Extractor(model_of(*fits), []).model.templates

    def test_too_many_different_steps(self):
        with pytest.raises(FeatureModelError, match="more than 256 different steps in an address"):
            Extractor(model_of("p(" + "h(lc(" * 5000 + "stack[0]" + ")" * 10001), [])

    def test_256_functions(self):
        fits = [f"{f}(stack[{i}])" for i in range(64) for f in ("w", "p", "x", "l")]
        assert Extractor(model_of(*fits), []).model.templates
        with pytest.raises(FeatureModelError, match="big: more than 256 different feature functions"):
            Extractor(model_of(*fits, "lemma(stack[0])"), [])

    def test_512_templates(self):
        fits = [f"w(stack[{i}]) & p(stack[{k}])" for i in range(23) for k in range(23)]
        assert Extractor(model_of(*fits[:512]), []).model.templates
        with pytest.raises(FeatureModelError, match="big: more than 512 templates"):
            Extractor(model_of(*fits[:513]), [])


class TestBundled:
    @pytest.mark.parametrize("name", bundled_models())
    def test_parses_prints_and_parses_again(self, name):
        model = load_feature_model(name)
        again = parse_model(str(model), name)
        assert [(t.functions, t.parts) for t in again.templates] == [(t.functions, t.parts) for t in model.templates]
        assert again.decision == model.decision
        assert str(again) == str(model)
        assert Extractor(model, ["root"]).model is model

    def test_the_usual_ones_are_there(self):
        assert {"rich", "zhang-nivre"} <= set(bundled_models())

    def test_a_file(self, tmp_path):
        path = tmp_path / "mine.features"
        path.write_bytes("\ufeffp(stack[0])\r\n".encode())
        assert [str(t) for t in load_feature_model(str(path)).templates] == ["p(stack[0])"]

    def test_an_error_in_a_file_names_it(self, tmp_path):
        path = tmp_path / "mine.features"
        path.write_text("p(stack[0]\n")
        with pytest.raises(FeatureModelError, match=r"mine\.features:1:11: expected '\)'"):
            load_feature_model(str(path))

    @pytest.mark.parametrize("name", ["ritch", "", ".", "a\0b", "../models/rich"])
    def test_an_unknown_name_lists_the_known(self, name):
        helped = "(Did you mean 'rich'|Choose from .*zhang-nivre)"
        with pytest.raises(FeatureModelError, match=f"unknown feature model .*{helped}"):
            load_feature_model(name)

    def test_a_file_that_is_not_text(self, tmp_path):
        path = tmp_path / "mine.features"
        path.write_bytes(b"p(stack[0])\xff\xfe\n")
        with pytest.raises(FeatureModelError, match="not UTF-8"):
            load_feature_model(str(path))


PIECES = st.sampled_from(
    [*ATTRIBUTES, *STEPS, *BASES, *MAPPINGS, "feat", "column", "distance", "valency", "token"]
    + ["labels", "move", "left", "right", "moves", "split", "Case", "0", "1", "3", "15", "99"]
    + list("()[],&+-# \n") * 3
)


@given(st.text() | st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_a_model_or_an_error(text):
    try:
        model = parse_model(text)
    except FeatureModelError:
        return
    assert parse_model(str(model)).decision == model.decision


indices = st.integers(0, 99)
addresses = st.builds(
    Address,
    st.sampled_from(["stack", "input", "context", "list"]),
    indices,
    st.lists(st.sampled_from(list(STEPS)) | st.integers(-99, 99), max_size=8).map(tuple),
)
names = st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_]*(\[[A-Za-z_][A-Za-z0-9_]*\])?\Z").filter(lambda name: name.isascii())
sizes = st.tuples(st.sampled_from(["suffix", "prefix"]), st.integers(1, 15))
lower = ("lower", 0)
mappings = (
    st.just(())
    | st.sampled_from([(lower,), (("shape", 0),)])
    | sizes.map(lambda size: (size,))
    | sizes.map(lambda size: (lower, size))
)
functions = (
    st.builds(Attribute, st.sampled_from(["w", "lemma", "p", "x", "feats"]), addresses, st.just(""), mappings)
    | st.builds(Attribute, st.just("l"), addresses)
    | st.builds(Attribute, st.just("feat"), addresses, names, mappings)
    | st.builds(Attribute, st.just("feats"), addresses, st.just(""), st.just((("each", 0),)))
    | st.builds(lambda a, b: Measure("distance", (a, b)), addresses, addresses)
    | st.builds(
        lambda name, side, a: Measure(name, (a,), side),
        st.sampled_from(["valency", "labels"]),
        st.sampled_from(["left", "right"]),
        addresses,
    )
    | st.sampled_from([Measure("move", (), "0"), Measure("move", (), "1")])
)


def each_at_most_twice(functions: list) -> bool:
    return sum(getattr(f, "mappings", ()) == (("each", 0),) for f in functions) <= 2


templates = st.builds(
    Template,
    st.lists(functions, min_size=1, max_size=4).filter(each_at_most_twice).map(tuple),
    st.sampled_from([("moves",), ("labels",), ("moves", "labels")]),
)


@given(
    st.lists(templates, min_size=1, max_size=6, unique_by=str).filter(
        lambda all_of_them: any("moves" in t.parts for t in all_of_them)
    ),
    st.sampled_from(["joint", "split"]),
)
def test_any_model_reads_back_what_it_prints(templates, decision):
    model = FeatureModel("features", tuple(templates), decision)
    again = parse_model(str(model))
    assert [(t.functions, t.parts) for t in again.templates] == [(t.functions, t.parts) for t in templates]
    assert again.decision == decision
    assert str(again) == str(model)
