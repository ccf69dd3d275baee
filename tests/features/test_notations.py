"""Feature models in the notation of 2005 and in MaltParser's XML: read, written, refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.features.extractor import Extractor

from treewright.errors import FeatureModelError, TreewrightWarning
from treewright.features.bundled import bundled_models, load_feature_model
from treewright.features.language import parse_model
from treewright.features.notations import NOTATIONS, notation_of, parse_any_notation, written
from treewright.features.notations.malt2005 import parse_malt2005, to_malt2005
from treewright.features.notations.malt_xml import parse_malt_xml, to_malt_xml


def error_of(read, text):
    """Return what reading a text is answered with."""
    with pytest.raises(FeatureModelError) as caught:
        read(text, "m")
    return str(caught.value)


def templates(model):
    return [str(template) for template in model.templates]


def xml(*features):
    """The first feature stands on line 4."""
    inside = "".join(f"<feature>{feature}</feature>\n" for feature in features)
    inside = f'<featuremodel name="m">\n{inside}</featuremodel>\n'
    return f'<?xml version="1.0"?>\n<featuremodels>\n{inside}</featuremodels>\n'


class TestMalt2005:
    def test_the_example_of_the_paper(self):
        model = parse_malt2005("POS\tINPUT\nDEP\tSTACK\t0\t0\t1\nLEX\tINPUT\t1\n")
        assert templates(model) == ["p(input[0])", "l(h(stack[0]))", "w(input[1])"]

    @pytest.mark.parametrize(
        ("line", "template"),
        [
            ("POS\tSTACK\t2", "p(stack[2])"),
            ("POS\tCONTEXT\t1", "p(context[1])"),
            ("POS\tSTACK\t0\t0\t0\t0\t0", "p(stack[0])"),
            ("POS\tSTACK\t0\t-2", "p(token[stack[0] - 2])"),
            ("POS\tINPUT\t1\t1\t1", "p(h(token[input[1] + 1]))"),
            ("DEP\tSTACK\t0\t0\t2", "l(h(h(stack[0])))"),
            ("DEP\tSTACK\t0\t0\t0\t-1", "l(lc(stack[0]))"),
            ("DEP\tSTACK\t0\t0\t0\t2", "l(rc(rc(stack[0])))"),
            ("DEP\tSTACK\t0\t0\t0\t-1\t1", "l(rs(lc(stack[0])))"),
            ("DEP\tSTACK\t0\t0\t1\t1\t-2", "l(ls(ls(rc(h(stack[0])))))"),
            ("LEX\tSTACK\t0\t0\t0\t0\t0\t3", "suffix(w(stack[0]), 3)"),
            ("LEX\tSTACK\t0\t0\t0\t0\t0\t0", "w(stack[0])"),
        ],
    )
    def test_columns(self, line, template):
        assert templates(parse_malt2005(line)) == [template]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("TAG\tSTACK", "m:1:1: expected POS, DEP or LEX, found 'TAG'"),
            ("POS\tSTACK\nPOS STACK 0", "m:2:1: expected POS, DEP or LEX, found 'POS STACK 0'. Columns"),
            ("POS", "m:1:4: expected STACK, INPUT or CONTEXT, found the end of the line"),
            ("POS\tBUFFER", "m:1:5: expected STACK, INPUT or CONTEXT, found 'BUFFER'"),
            ("POS\tSTACK\t-1", "m:1:11: expected the place in the structure, a number from 0, found '-1'"),
            ("POS\tSTACK\t0\tx", "m:1:13: expected the linear offset, a number, found 'x'"),
            ("POS\tSTACK\t0\t0\t-1", "m:1:15: expected the steps to the head, a number from 0, found '-1'"),
            ("POS\tSTACK\t0\t0\t0\t0\t0\t3", "m:1:21: a POS feature has 7 columns at most, found 8"),
            ("LEX\tSTACK\t0\t0\t0\t0\t0\t3\t1", "m:1:23: a LEX feature has 8 columns at most, found 9"),
            ("\n", "m: the file has no templates"),
        ],
    )
    def test_errors_name_the_place(self, text, message):
        assert error_of(parse_malt2005, text).startswith(message)

    @pytest.mark.parametrize(
        ("line", "template"),
        [
            ("LEX\tSTACK\t0\t0\t0\t0\t0\t99", "suffix(w(stack[0]), 99)"),
            ("POS\tINPUT\t1234\t-5678", "p(token[input[1234] - 5678])"),
            ("POS\tSTACK\t0\t0\t9", f"p({'h(' * 9}stack[0]{')' * 9})"),
            ("POS\tSTACK\t0\t0\t0\t-1200", f"p({'lc(' * 1200}stack[0]{')' * 1200})"),
            ("POS\tSTACK\t" + "9" * 40, "p(stack[999999999])"),
            ("POS\tSTACK\nPOS\tSTACK\t0\n", "p(stack[0])"),
        ],
    )
    def test_the_papers_syntax_has_no_limits(self, line, template):
        model = parse_malt2005(line)
        assert templates(model) == [template]
        again = parse_model(str(model))
        assert again.templates[0].functions == model.templates[0].functions
        Extractor(again, [])

    @given(
        st.sampled_from(["POS", "DEP", "LEX"]),
        st.sampled_from(["STACK", "INPUT", "CONTEXT"]),
        st.tuples(
            st.integers(0, 9),
            st.integers(-9, 9),
            st.integers(0, 2),
            st.integers(-2, 2),
            st.integers(-2, 2),
            st.integers(0, 15),
        ),
    )
    def test_round_trip(self, kind, structure, numbers):
        cells = [kind, structure, *map(str, numbers if kind == "LEX" else numbers[:-1])]
        model = parse_malt2005("\t".join(cells))
        again = to_malt2005(model)
        assert templates(parse_malt2005(again)) == templates(model)
        assert "\t".join(cells).startswith(again.rstrip("\n"))
        assert not again.endswith("\t0\n")


class TestXml:
    @pytest.mark.parametrize(
        ("feature", "template"),
        [
            ("InputColumn(FORM, Stack[0])", "w(stack[0])"),
            ("InputColumn(UPOSTAG,Input[3])", "p(input[3])"),
            ("InputColumn(CPOSTAG, Left[0])", "p(stack[0])"),
            ("InputColumn(POSTAG, Right[1])", "x(input[1])"),
            ("InputColumn(LEMMA, Lookahead[0])", "lemma(input[0])"),
            ("InputColumn(MISC, LeftContext[0])", "column(MISC, context[0])"),
            ("InputColumn(UPOSTAG, ActiveStack[1])", "p(stack[1])"),
            ("InputColumn(UPOSTAG, InactiveStack[0])", "p(context[0])"),
            ("OutputColumn(DEPREL, ldep(Stack[0]))", "l(ld(stack[0]))"),
            ("OutputColumn(DEPREL, rdep2(rsib(lsib(head(Stack[0])))))", "l(rd2(rss(lss(h(stack[0])))))"),
            ("InputColumn(FORM, pred(Stack[0]))", "w(token[stack[0] - 1])"),
            ("InputColumn(FORM, succ(succ(Stack[0])))", "w(token[stack[0] + 2])"),
            ("InputColumn(FORM, pred(succ(Stack[0])))", "w(token[token[stack[0] + 1] - 1])"),
            ("Merge(InputColumn(FORM, Stack[0]), InputColumn(FORM, Input[0]))", "w(stack[0]) & w(input[0])"),
            (
                "Merge3(InputColumn(FORM, Stack[0]), OutputColumn(DEPREL, Stack[0]), Exists(Stack[1]))",
                "w(stack[0]) & l(stack[0]) & exists(stack[1])",
            ),
            (
                "Merge(Merge(InputColumn(FORM, Stack[0]), InputColumn(FORM, Stack[1])), InputColumn(FORM, Stack[2]))",
                "w(stack[0]) & w(stack[1]) & w(stack[2])",
            ),
            ("Suffix(InputColumn(FORM, Stack[0]), 3)", "suffix(w(stack[0]), 3)"),
            ("Suffix(InputColumn(FORM, Stack[0]), 0)", "w(stack[0])"),
            ("Prefix(InputColumn(LEMMA, Stack[0]), 2)", "prefix(lemma(stack[0]), 2)"),
            (r"Split(InputColumn(FEATS, Stack[0]), \|)", "each(feats(stack[0]))"),
            ("Distance(Stack[0], Input[0], 0|1|2|5)", "distance(stack[0], input[0], 0|1|2|5)"),
            ("NumOf(Stack[0], ldep, 0|1|2)", "valency(left, stack[0], 0|1|2)"),
            ("NumOf(Stack[0], dep, 0|1)", "valency(all, stack[0], 0|1)"),
            ("OutputArc(HEAD, Stack[0], Input[0])", "linked(stack[0], input[0])"),
        ],
    )
    def test_features(self, feature, template):
        model = parse_malt_xml(xml(feature))
        assert templates(model) == [template]
        assert templates(parse_malt_xml(to_malt_xml(model))) == [template]

    @pytest.mark.parametrize(
        ("feature", "message"),
        [
            ("InputColumn(FORM, ldesc(Stack[0]))", "m:5: the address function ldesc of MaltParser"),
            ("InputColumn(FORM, Junk[0])", "m:5: the data structure Junk of MaltParser is not supported: leave"),
            ("InputArc(HEAD, Stack[0], Input[0])", "m:5: the feature function InputArc of Malt"),
            ("OutputTable(DEPREL, Stack[0])", "m:5: the feature function OutputTable of Malt"),
            ("InputColumn(HEAD, Stack[0])", "m:5: InputColumn(HEAD, …) is what the parser predicts"),
            ("OutputColumn(HEAD, Stack[0])", "m:5: OutputColumn(HEAD, …) is not supported"),
            ("InputColumn(FORM)", "m:5: InputColumn takes a column, an address: 2 in parentheses, found 1"),
            ("InputColumn(FORM, Stack)", "m:5: expected an address such as Stack[0], found 'Stack'"),
            ("InputColumn(FORM, Stack[0]", "m:5: expected ',' or ')' in"),
            ("InputColumn(FORM, Stack[0]))", "m:5: expected the end in"),
            ("(", "m:5: expected a function or an argument in"),
            ("Split(InputColumn(FORM, Stack[0]), -)", "m:5: Split is supported for InputColumn(FEATS"),
            ("Suffix(Merge(InputColumn(FORM, Stack[0]), Exists(Stack[0])), 2)", "m:5: Suffix of merged features"),
            ("Suffix(InputColumn(FORM, Stack[0]), x)", "m:5: Suffix takes a length, found 'x'"),
            ("Distance(Stack[0], Input[0], near)", "m:5: a normalization is a list of numbers"),
            ("Distance(Stack[0], Input[0], 1|2)", "m:5:"),
            ("NumOf(Stack[0], child, 0|1)", "m:5: NumOf counts ldep, rdep or dep, found 'child'"),
            ("Merge(InputColumn(FORM, Lookahead[0]), InputColumn(FORM, Input[0]))", "m:5: Input beside Lookahead"),
        ],
    )
    def test_what_is_not_supported_is_named_with_its_line(self, feature, message):
        assert error_of(parse_malt_xml, xml("InputColumn(FORM, Stack[9])", feature)).startswith(message)

    def test_the_right_context_is_told_to_be_an_approximation(self):
        with pytest.warns(TreewrightWarning, match=r"m:4: RightContext\[0\] is read as the word before"):
            model = parse_malt_xml(xml("InputColumn(FORM, RightContext[0])"), "m")
        assert templates(model) == ["w(token[input[0] - 1])"]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("<featuremodels>", "not well-formed XML"),
            ("<html/>", "<html> is not expected here"),
            ("<featuremodels><featuremodel><submodel/></featuremodel></featuremodels>", "<submodel> is not supported"),
            ("<featuremodels><featuremodel/><featuremodel/></featuremodels>", "a second <featuremodel>"),
            ("<featuremodels>words</featuremodels>", "unexpected text 'words'"),
            ("<featuremodels><featuremodel/></featuremodels>", "no templates"),
            ('<!DOCTYPE f [<!ENTITY a "b">]><featuremodels/>', "entities are not allowed"),
        ],
    )
    def test_other_documents(self, text, message):
        assert message in error_of(parse_malt_xml, text)

    @pytest.mark.parametrize("encoding", ["U", "ISO-8859-1", "UTF-16"])
    def test_the_encoding_that_a_document_names_does_not_matter(self, encoding):
        """Files are read as UTF-8, and others rejected, before the document is looked at."""
        text = xml("InputColumn(FORM, Input[0])").replace('"m"', '"é"')
        named = text.replace('version="1.0"', f'version="1.0" encoding="{encoding}"')
        assert templates(parse_malt_xml(named, "m")) == templates(parse_malt_xml(text, "m")) != []

    def test_four_functions(self):
        model = parse_model("p(stack[0]) & p(stack[1]) & p(stack[2]) & p(context[0])")
        assert templates(parse_malt_xml(to_malt_xml(model))) == templates(model)


NEITHER = ("p(list[0])", "[moves]\np(stack[0])", "shape(w(stack[0]))", "move(0)", "heads(stack[0])")
NOT_IN_2005 = (
    *("p(stack[0]) & p(input[0])", "lemma(stack[0])", "prefix(w(stack[0]), 2)", "p(ld(stack[0]))"),
    *("p(rd2(stack[0]))", "p(lss(stack[0]))", "p(h(lc(stack[0])))", "p(lc(rc(stack[0])))", "exists(stack[0])"),
)
NOT_IN_XML = (
    *("lower(w(stack[0]))", "feat(Case, stack[0])", "labels(left, stack[0])"),
    *("valency(left, stack[0])", "distance(stack[0], input[0])", "p(lc(stack[0]))", "p(h2(stack[0]))"),
    "labels(heads, stack[0])",
)


@pytest.mark.parametrize(
    ("write", "message", "template"),
    [(to_malt2005, "the 2005 specification cannot express", template) for template in (*NEITHER, *NOT_IN_2005)]
    + [(to_malt_xml, "XML cannot express", template) for template in (*NEITHER, *NOT_IN_XML)],
)
def test_what_a_notation_cannot_express(write, message, template):
    with pytest.raises(FeatureModelError, match=message):
        write(parse_model(template))


@pytest.mark.parametrize("name", [name for name in bundled_models() if name.startswith("malt")])
def test_bundled_malt_models_round_trip_through_xml(name):
    model = load_feature_model(name)
    assert templates(parse_malt_xml(written(model, "xml"))) == templates(model)


def test_the_default_of_nivreeager():
    """The 22 features of MaltParser 1.9's default model for its default algorithm."""
    p = [f"InputColumn(UPOSTAG, {a})" for a in ("Stack[0]", "Input[0]", "Input[1]", "Input[2]", "Input[3]", "Stack[1]")]
    s0, b0, b1, b2, b3, s1 = p
    own, left, right = (f"OutputColumn(DEPREL, {a})" for a in ("Stack[0]", "ldep(Stack[0])", "rdep(Stack[0])"))
    next_left = "OutputColumn(DEPREL, ldep(Input[0]))"
    model = parse_malt_xml(
        xml(
            *p,
            f"Merge({s0}, {b0})",
            f"Merge3({s1}, {s0}, {b0})",
            f"Merge3({s0}, {b0}, {b1})",
            f"Merge3({b0}, {b1}, {b2})",
            f"Merge3({b1}, {b2}, {b3})",
            own,
            left,
            right,
            next_left,
            f"Merge3({s0}, {left}, {right})",
            f"Merge({s0}, {own})",
            f"Merge({b0}, {next_left})",
            *(f"InputColumn(FORM, {a})" for a in ("Stack[0]", "Input[0]", "Input[1]", "head(Stack[0])")),
        )
    )
    assert len(model.templates) == 22
    assert templates(model) == templates(load_feature_model("malt-eager"))


def test_notations_are_told_by_content(tmp_path):
    texts = {"notation": "p(stack[0])\n", "malt2005": "POS\tSTACK\n", "xml": xml("InputColumn(UPOSTAG, Stack[0])")}
    assert set(texts) == set(NOTATIONS)
    for notation, text in texts.items():
        assert notation_of(text) == notation
        path = tmp_path / notation
        path.write_text(text)
        model = load_feature_model(str(path))
        assert templates(model) == ["p(stack[0])"]
        for other in NOTATIONS:
            assert templates(parse_any_notation(written(model, other))) == ["p(stack[0])"]
    with pytest.raises(FeatureModelError, match=r"unknown notation 'json'. Choose from notation, malt2005, xml"):
        written(model, "json")
