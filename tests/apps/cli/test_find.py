"""`treewright find`, `rewrite` and `index` as users run them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os

import pytest

from tests.apps.cli.running import refuse, run, succeed

TREEBANK = """\
# sent_id = s1
# text = Dogs chase two cats.
1\tDogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t2:nsubj\t_
2\tchase\tchase\tVERB\t_\t_\t0\troot\t0:root\t_
3\ttwo\ttwo\tNUM\t_\t_\t4\tnummod\t_\t_
4\tcats\tcat\tNOUN\t_\tNumber=Plur\t2\tobj\t2:obj\tSpaceAfter=No
5\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# sent_id = s2
1\tIt\tit\tPRON\t_\tNumber=Sing\t2\tnsubj\t_\tA=1
2\train\train\tVERB\t_\t_\t0\troot\t_\t_

"""
SUBJECTS = "pattern { e: V -[nsubj]-> S }"


@pytest.fixture
def treebank(tmp_path):
    path = tmp_path / "two.conllu"
    path.write_text(TREEBANK)
    return path


def test_lines_with_context(treebank):
    lines = succeed("find", SUBJECTS, treebank).decode().splitlines()
    assert [line.split() for line in lines] == [
        ["s1", "[Dogs]", "[chase]", "two", "cats."],
        ["s2", "[It]", "[rain]"],
    ]
    assert lines[0].index("[chase]") == lines[1].index("[rain]")


def test_exit_codes_are_those_of_grep(treebank):
    assert run("find", SUBJECTS, treebank).returncode == 0
    assert run("find", "pattern { X [upos=ADV] }", treebank).returncode == 1
    assert run("find", "pattern { X [upos=ADV] }", treebank, "--count").returncode == 1
    assert run("find", SUBJECTS, treebank, "--invert").returncode == 1
    assert run("find", "pattern { X [upos=PRON] }", treebank, "--invert").returncode == 0
    assert succeed("find", "pattern { X [upos=PRON] }", treebank, "--invert", "--count") == b"1\n"
    assert run("find", SUBJECTS, treebank, "--invert", "--count").stdout == b"0\n"
    assert run("find", "pattern { X [upos=ADV] }", treebank, "--invert", "--limit", "1").stdout.count(b"\n") == 1
    assert refuse("find", "pattern { X", treebank).startswith("treewright find: the pattern:1:12: expected")
    assert "no such file" in refuse("find", SUBJECTS, treebank.with_name("none.conllu"))


def test_matches_are_marked_in_misc(treebank):
    found = succeed("find", "pattern { X [upos=NOUN]; V -> X }", treebank, "--tree", "--to", "conllu").decode()
    rows = [line.split("\t") for line in found.splitlines() if line[:1].isdigit()]
    assert [row[9] for row in rows] == ["Match=1:X", "Match=1:V,2:V", "_", "SpaceAfter=No|Match=2:X", "_"]
    assert succeed("find", "pattern { X [A] }", treebank, "--to", "conllu").decode().count("A=1|Match=1:X") == 1


def test_numbers(treebank):
    assert succeed("find", "pattern { X [upos=NOUN] }", treebank, "--count") == b"2\n"
    assert json.loads(succeed("find", SUBJECTS, treebank, "--count", "--to", "json")) == 2
    assert succeed("find", SUBJECTS, treebank, "--count", stdin=b"") == b"2\n"
    assert succeed("find", SUBJECTS, "--count", stdin=TREEBANK.encode()) == b"2\n"
    counted = succeed("find", SUBJECTS, treebank, "--count-by", "S.upos", "S.Number").decode()
    assert [line.split() for line in counted.splitlines()] == [
        ["S.upos", "\\", "S.Number", "Plur", "Sing", "all"],
        ["NOUN", "1", "0", "1"],
        ["PRON", "0", "1", "1"],
        ["all", "1", "1", "2"],
    ]
    by_three = succeed("find", SUBJECTS, treebank, "--count-by", "V.lemma", "S#V", "e.label").decode()
    assert by_three.splitlines()[1].split() == ["chase", "S", "<<", "V", "nsubj", "1"]


def test_tables(treebank, tmp_path):
    table = succeed("find", SUBJECTS, treebank, "--to", "csv").decode()
    rows = list(csv.DictReader(io.StringIO(table)))
    assert rows[0] == {
        "sent_id": "s1",
        "V.id": "2",
        "V.form": "chase",
        "S.id": "1",
        "S.form": "Dogs",
        "e.label": "nsubj",
    }
    succeed("find", SUBJECTS, treebank, "--columns", "S.lemma", "S.Case", "delta(V,S)", "-o", tmp_path / "found.json")
    assert json.loads((tmp_path / "found.json").read_text()) == [
        {"S.lemma": "dog", "S.Case": None, "delta(V,S)": "-1"},
        {"S.lemma": "it", "S.Case": None, "delta(V,S)": "-1"},
    ]
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    succeed("find", SUBJECTS, treebank, "--columns", "S.lemma", "-o", tmp_path / "found.parquet")
    assert parquet.read_table(tmp_path / "found.parquet").to_pydict() == {"S.lemma": ["dog", "it"]}


def test_limits_samples_and_threads(treebank):
    any_word = "pattern { X [upos] }"
    assert succeed("find", any_word, treebank, "--count", "--limit", "3") == b"3\n"
    assert len(succeed("find", any_word, treebank, "--limit", "2").splitlines()) == 2
    sample = [succeed("find", any_word, treebank, "--sample", "3", "--seed", seed) for seed in "112"]
    assert sample[0] == sample[1]
    assert all(len(each.splitlines()) == 3 for each in sample)
    assert succeed("find", any_word, *[treebank] * 5, "--count", "--threads", "3") == b"35\n"


def test_drawings(treebank, tmp_path):
    drawn = succeed("find", SUBJECTS, treebank, "--show", "--limit", "1").decode()
    assert drawn.startswith("s1  Dogs chase two cats.")
    assert "nsubj" in drawn
    succeed("find", SUBJECTS, treebank, "-o", tmp_path / "found.html")
    page = (tmp_path / "found.html").read_text()
    assert page.count('font-weight="700" text-decoration="underline"') == 8  # four words and their names
    assert succeed("find", SUBJECTS, treebank, "--to", "svg").startswith(b"<svg")


def test_several_patterns_of_a_file(treebank, tmp_path):
    patterns = tmp_path / "some.req"
    patterns.write_text("% two\nnouns { pattern { X [upos=NOUN] } }\nrequest plural { pattern { X [Number=Plur] } }\n")
    assert succeed("find", patterns, treebank, "--count") == b"nouns\t2\nplural\t2\n"
    assert b"Match=plural:1:X" in succeed("find", patterns, treebank, "--to", "conllu")
    assert "several patterns" in refuse("find", patterns, stdin=TREEBANK.encode())
    assert "different nodes" in refuse("find", patterns, treebank, "--to", "csv")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--count", "--count-by", "S.upos"), "do not go together"),
        (("--columns", "S.upos"), "about tables"),
        (("--count-by", "S.upos", "--to", "svg"), "prints a table"),
        (("--count-by", "T.upos"), "no node is named T"),
        (("--limit", "-1"), "counts matches"),
        (("--threads", "0"), "give 1 or more"),
        (("--show", "--to", "csv"), "leave one out"),
        (("-o", "found.xyz"), "says no form"),
        (("--invert", "--to", "csv"), "without any"),
        (("--limit", "1", "--sample", "1"), "both say how many"),
        (("--invert", "--sample", "1"), "do not go together"),
    ],
)
def test_what_makes_no_sense_is_refused(treebank, words, message):
    assert message in refuse("find", SUBJECTS, treebank, *words)


def test_an_index_changes_nothing_but_the_time(treebank):
    plain = succeed("find", SUBJECTS, treebank)
    result = run("index", treebank)
    assert result.stderr.decode() == f"wrote {treebank}.twx: 7 words\n"
    assert succeed("find", SUBJECTS, treebank) == plain
    assert run("find", "pattern { X [lemma=horse] }", treebank).returncode == 1
    with open(treebank, "a") as file:
        file.write(TREEBANK.replace("dog", "horse"))
    changed = run("find", "pattern { X [lemma=horse] }", treebank, "--count")
    assert (changed.returncode, changed.stdout) == (0, b"1\n")
    assert b"has changed since it was indexed" in changed.stderr
    assert succeed("index", treebank, "--quiet") == b""
    assert run("find", "pattern { X [lemma=horse] }", treebank, "--count").stderr == b""
    index = treebank.with_name("two.conllu.twx")
    index.write_bytes(index.read_bytes()[:100])
    assert b"is damaged" in run("find", "pattern { X [lemma=horse] }", treebank, "--count").stderr


def test_what_has_no_index_is_refused(tmp_path):
    packed = tmp_path / "two.conllu.gz"
    packed.write_bytes(gzip.compress(TREEBANK.encode()))
    assert "compressed" in refuse("index", packed)
    assert "cannot be read" in refuse("index", tmp_path / "none.conllu")


RULES = """\
rule number { pattern { N [upos=NUM]; e: X -[nummod]-> N } commands { e.2 = gov; N.NumType = Card } }
rule rain { pattern { V [lemma=rain]; e: V -[nsubj]-> S } commands { del_edge e; add_edge V -[expl]-> S } }
strat main { Seq (Try (number), Try (rain)) }
"""


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "some.grs"
    path.write_text(RULES)
    return path


def test_rewriting_changes_what_the_rules_say_and_nothing_else(treebank, rules, tmp_path):
    wanted = TREEBANK.replace("NUM\t_\t_\t4\tnummod", "NUM\t_\tNumType=Card\t4\tnummod:gov")
    wanted = wanted.replace("Sing\t2\tnsubj", "Sing\t2\texpl")
    result = run("rewrite", rules, treebank, "-o", tmp_path / "new.conllu")
    assert (tmp_path / "new.conllu").read_text() == wanted
    assert result.stderr == "2 sentences changed: number 1×, rain 1×\n".encode()
    assert (
        succeed(
            "rewrite",
            rules,
            stdin=TREEBANK.encode(),
        )
        == wanted.encode()
    )
    windows = TREEBANK.replace("\n", "\r\n").encode()
    assert succeed("rewrite", rules, stdin=windows) == wanted.replace("\n", "\r\n").encode()
    only = TREEBANK.replace("NUM\t_\t_\t4\tnummod", "NUM\t_\tNumType=Card\t4\tnummod:gov")
    assert succeed("rewrite", rules, treebank, "--strategy", "number") == only.encode()
    assert treebank.read_text() == TREEBANK
    assert "is also the input" in refuse("rewrite", rules, treebank, "-o", treebank)


def test_a_dry_run_shows_what_would_change(treebank, rules):
    shown = succeed("rewrite", rules, treebank, "--dry-run").decode()
    assert shown.startswith(f"{treebank}:1 s1: number\n- 3\ttwo")
    assert "nummod→nummod:gov" in shown
    assert "+ 1\tIt\tit\tPRON\t_\tNumber=Sing\t2\texpl\t_\tA=1" in shown


def test_rules_that_do_not_end_are_found(treebank, tmp_path):
    rules = tmp_path / "circle.grs"
    rules.write_text(
        "package p { rule a { pattern { X [upos=NOUN] } commands { X.upos = VERB } }\n"
        "rule b { pattern { X [upos=VERB, lemma=dog] } commands { X.upos = NOUN } } }\nstrat main { Onf (p) }"
    )
    assert "the rules go round in a circle" in refuse("rewrite", rules, treebank)
    rules.write_text("rule r { pattern { X [upos=NUM] } commands { add_node Y :> X; Y.upos = NUM } }")
    message = refuse("rewrite", rules, treebank, "--most-steps", "30")
    assert "more than 30 steps" in message
    assert "sent_id s1" in message


def test_files_of_rules_import_others(treebank, rules, tmp_path):
    main = tmp_path / "main.grs"
    main.write_text('import "some.grs"\nstrat main { Onf (some.rain) }')
    assert b"\texpl\t" in succeed("rewrite", main, treebank)
    main.write_text('include "main.grs"')
    assert "included in itself" in refuse("rewrite", main, treebank)
    main.write_text('import "none.grs"')
    assert "cannot be read" in refuse("rewrite", main, treebank)


def test_checks_of_a_treebank_are_patterns(treebank, tmp_path):
    checks = tmp_path / "own.req"
    checks.write_text(
        'plural "two of a kind" { pattern { X [Number=Plur]; Y [Number=Plur]; X << Y } }\n'
        'sing "warning: only one" { pattern { X [Number=Sing] } }\n'
    )
    result = run("validate", "--level", "1", "--checks", checks, treebank)
    lines = result.stdout.decode().splitlines()
    assert result.returncode == 1
    where = f"{treebank}:3 (sent_id s1)"
    assert lines[0] == f"{where}: two of a kind (X = 1 Dogs, Y = 4 cats). See plural in {checks}"
    assert lines[1].endswith("only one (X = 1 It). See sing in " + f"{checks} (warning)")
    assert "1 error in 1 sentence, 1 warning" in result.stdout.decode()
    assert "own.req:1:1" in refuse("validate", "--checks", _broken(tmp_path), treebank).replace("broken.req", "own.req")


def _broken(folder):
    path = folder / "broken.req"
    path.write_text("[")
    return path


def test_an_analysis_within_a_pattern(treebank, tmp_path):
    parsed = tmp_path / "parsed.conllu"
    parsed.write_text(TREEBANK.replace("2\tobj\t2:obj", "2\tnmod\t2:obj").replace("4\tnummod", "2\tnummod"))
    words = ("analyze", treebank, parsed, "--draw", "0", "--to", "json")
    whole = json.loads(succeed(*words))["total"]
    within = json.loads(succeed(*words, "--where", "pattern { X [upos=NOUN] }"))["total"]
    assert (whole["words"], whole["first_score"]) == (7, pytest.approx(100 * 5 / 7))
    assert (within["words"], within["first_score"]) == (2, 50.0)
    assert "the pattern finds no word" in refuse(*words, "--where", "pattern { X [upos=ADV] }")
    assert os.path.exists(parsed)
