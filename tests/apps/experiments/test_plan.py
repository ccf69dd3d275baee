"""What a file comes to: which cells, in which order, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.experiments.made_up import plan_of, treebank_folder
from treewright.apps.experiments.cell import label_of, meaningful
from treewright.apps.experiments.plan import read_plan
from treewright.errors import TreewrightError
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.recipes.catalogue import recipe_from

RECIPES = Path(__file__).parents[3] / "experiments"


def cells_of(text, folder, **kept):
    plan = plan_of(text, folder, **kept)
    return [(cell.treebank.name, *cell.options.values(), cell.seed) for cell in plan.cells]


def test_what_a_grid_names_first_changes_last(tmp_path):
    text = "[treebanks]\n[[grid]]\nseeds=[2,1]\nsystem=['arc-eager','covington']\ntreebanks=['b','a']\n"
    assert cells_of(text, tmp_path) == [
        (treebank, system, seed) for seed in (2, 1) for system in ("arc-eager", "covington") for treebank in "ba"
    ]


def test_all_treebanks_and_one_seed_are_taken_where_none_are_named(tmp_path):
    assert cells_of("[treebanks]\n[[grid]]\nbeam=4\n", tmp_path) == [("a", 4, 1), ("b", 4, 1)]


def test_a_cell_of_two_grids_is_there_once(tmp_path):
    text = "[treebanks]\n[[grid]]\nk=[1,2]\ntreebanks='a'\n[[grid]]\nk=[2,3]\ntreebanks='a'\n"
    assert cells_of(text, tmp_path) == [("a", 1, 1), ("a", 2, 1), ("a", 3, 1)]


def test_options_that_others_make_void_are_left_out(tmp_path):
    text = "[treebanks]\n[[grid]]\ntreebanks='a'\npolicy=['static','explore']\nk=[1,2]\np=[0.1,0.9]\n"
    assert cells_of(text, tmp_path)[0] == ("a", "static", 1)
    assert len(cells_of(text, tmp_path / "again")) == 5
    assert meaningful({"beam": 1, "update": "early", "train_fraction": 1.0}) == {"beam": 1}
    assert meaningful({"beam": 8, "update": "early", "k": 2}) == {"beam": 8, "update": "early", "k": 2}
    void = {"learner": "perceptron", "learner_options": "-c 1", "split_on": "x"}
    assert meaningful(void) == {"learner": "perceptron"}


def test_a_grid_of_speeds(tmp_path):
    cells = plan_of("[treebanks]\n[[grid]]\ntreebanks='a'\nspeed=['fastest','accurate']\n", tmp_path).cells
    assert [cell.training for cell in cells] == [{"speed": "fastest", "seed": 1}, {"speed": "accurate", "seed": 1}]
    assert [recipe_from(cell.training).kind for cell in cells] == ["transition", "neural"]
    assert [cell.rounds for cell in cells] == [TransitionRecipe().iterations, 60]
    with pytest.raises(TreewrightError, match=r"grid 1: .*speed.*'quick'"):
        plan_of("[treebanks]\n[[grid]]\nspeed='quick'\n", tmp_path / "wrong")


def test_options_that_all_cells_share_are_not_varied(tmp_path):
    text = "[treebanks]\n[[grid]]\npolicy=['static','explore']\nk=2\nsystem='covington'\n"
    text += "[[grid]]\nsystem='exact'\norder=1\n"
    assert plan_of(text, tmp_path).varied == ("policy", "system", "order")


def test_quick_replaces_values(tmp_path):
    text = (
        "[treebanks]\n[[grid]]\nseeds=[1,2,3]\nk=[1,2]\n[[grid]]\ntreebanks='a'\nbeam=2\n"
        "[quick]\nseeds=[7]\nk=[1]\ntreebanks=['b']\niterations=2\n"
    )
    assert cells_of(text, tmp_path, quick=True) == [("b", 1, 2, 7)]
    assert len(plan_of(text, tmp_path / "whole").cells) == 13


def test_a_cell_goes_by_its_content(tmp_path):
    text = "[treebanks]\n[[grid]]\ntreebanks='a'\nbeam=2\n"
    keys = [plan_of(text, tmp_path / str(number)).cells[0].key for number in (1, 2)]
    assert keys[0] == keys[1]
    changed = tmp_path / "2" / "treebanks" / "a" / "a-ud-test.conllu"
    changed.write_text(changed.read_text(encoding="utf-8") * 2, encoding="utf-8")
    assert read_plan(tmp_path / "2" / "file.toml", str(tmp_path / "2" / "treebanks")).cells[0].key != keys[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[treebanks]\n", "no grid in it"),
        ("[[grid]]\nbeam=1\n", "no treebanks in it"),
        ("[treebanks]\n[[grid]]\nbeams=1\n", "grid 1: unknown option 'beams'. Did you mean 'beam'"),
        ("[treebanks]\n[[grid]]\ntreebanks='c'\n", "grid 1: there is no treebank 'c'; there are: a, b"),
        ("[treebanks]\n[[grid]]\nk=[]\n", "a list of options is empty"),
        ("grids=1\n[treebanks]\n[[grid]]\n", "there is no grids; there are: title"),
        ("[treebanks]\nc='nowhere'\n[[grid]]\n", "no such folder: .*nowhere. Give the folder of the treebanks"),
        ("[treebanks]\nc=3\n[[grid]]\n", "treebanks.c: give a folder, or a table"),
        ("[treebanks]\nc={train='x'}\n[[grid]]\n", "treebanks.c has no test file"),
        ("[treebanks]\nc={train='x', test='y'}\n[[grid]]\n", "x: no such file"),
        ("[treebanks]\nc={trial='x'}\n[[grid]]\n", "treebanks.c: unknown key 'trial'. Choose from folder"),
        ("[treebanks]\nc={folder='a', parts=['x']}\n[[grid]]\n", "treebanks.c.parts: give names with prefixes"),
        ("baseline={polcy='static'}\n[treebanks]\n[[grid]]\n", "baseline: unknown option 'polcy'"),
        ("[treebanks\n", "not TOML"),
        ("metric='lass'\n[treebanks]\n[[grid]]\n", "there is no metric 'lass'; there are: uas, las"),
        ("[treebanks]\n[[grid]]\n[plots]\nheat=['k','p']\n", "plots: there is heat_map"),
        ("[treebanks]\n[[grid]]\n[plots]\nheat_map=['k','q']\n", "plots: there is heat_map"),
        ("[treebanks]\n[[grid]]\nseeds=['one']\n", "seeds are numbers, not 'one'"),
        ("[treebanks]\n[[grid]]\ntrain_sentences=0\n", "train_sentences counts sentences"),
        ("[treebanks]\n[[grid]]\ntrain_fraction=2\n", "train_fraction is more than 0 and at most 1"),
        ("[treebanks]\n[[grid]]\nbeam=2020-01-01\n", "beam is .*Options are text or numbers"),
        ("[treebanks]\n[[grid]]\niterations='three'\n", "grid 1: iterations is a whole number, not 'three'"),
        ("[treebanks]\n[[grid]]\nbeam=true\n", "grid 1: beam is a whole number, not True"),
        ("[treebanks]\n[[grid]]\nexploration=2012\n", "grid 1: exploration is text, not 2012"),
        ("[treebanks]\n[[grid]]\nsystem=['arc-eager', 'arc-eagr']\n", "grid 1: unknown system 'arc-eagr'"),
        ("[treebanks]\n[[grid]]\nlearner='svm'\n", "grid 1: unknown learner 'svm'.*Choose from perceptron, "),
        ("[treebanks]\n[[grid]]\nfeatures='rch'\n", "grid 1: unknown feature model 'rch'"),
        ("[treebanks]\n[[grid]]\npolicy='statik'\n", "grid 1: unknown policy 'statik'. Did you mean 'static'"),
        ("[treebanks]\n[[grid]]\np=[0.5, 1.5]\n", "grid 1: p is 1.5, but must be from 0 to 1"),
        ("[treebanks]\n[[grid]]\nsystem='exact'\nrate='fast'\n", "grid 1: rate is a number, not 'fast'"),
        ("[treebanks]\n[[grid]]\ntags='silver'\n", "grid 1: tags is one of gold, predicted, not 'silver'"),
        ("baseline={policy='ambiguity'}\n[treebanks]\n[[grid]]\npolicy=['static','explore']\n", "nothing would be"),
        ("metric='labelled_f1'\n[treebanks]\n[[grid]]\n", "labelled_f1 is of graphs, which no grid has"),
        ("metric='las'\n[treebanks]\n[[grid]]\nsystem='dag-crossing'\n", "las is of trees, which no grid has"),
    ],
)
def test_mistakes_are_reported(text, message, tmp_path):
    with pytest.raises(TreewrightError, match=message):
        plan_of(text, tmp_path)


def test_quick_must_be_there(tmp_path):
    with pytest.raises(TreewrightError, match=r"there is no \[quick\]"):
        plan_of("[treebanks]\n[[grid]]\n", tmp_path, quick=True)


def test_combinations_that_there_are_not_are_left_to_their_cells(tmp_path):
    text = "[treebanks]\n[[grid]]\ntreebanks='a'\nsystem=['arc-eager','easy-first']\npolicy=['static','explore']\n"
    assert len(plan_of(text, tmp_path).cells) == 4


def test_rows_that_differ_by_an_option_left_out_have_names_of_their_own(tmp_path):
    text = "[treebanks]\n[[grid]]\ntreebanks='a'\npolicy=['static','explore']\n[[grid]]\ntreebanks='a'\n"
    plan = plan_of(text + "policy='explore'\nk=0\n", tmp_path)
    assert plan.varied == ("policy", "k")
    assert [cell.label(plan.varied) for cell in plan.cells] == ["static", "explore", "explore, k 0"]


def test_labels_are_short():
    assert label_of({"system": "arc-eager", "k": 2, "policy": None, "p": 0.9}) == "arc-eager, k 2, p 0.9"
    assert (
        label_of({"system": "exact", "adviser": "none", "tags": "predicted"}) == "exact, adviser none, tags predicted"
    )
    assert label_of({}) == "default"


@pytest.mark.parametrize("recipe", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_recipe_can_be_read_and_has_a_quick_variant(recipe, tmp_path):
    names = ("cs_cltt", "da_cdt", "el_gdt", "en_ewt", "hu_szeged", "it_partut", "ta_ttb", "tr_imst")
    treebanks = treebank_folder(tmp_path, *names)
    whole, quick = (read_plan(recipe, str(treebanks), quick) for quick in (False, True))
    assert whole.description
    assert 0 < len(quick.cells) <= len(whole.cells)
    rounds = [sum(cell.rounds for cell in plan.cells) for plan in (whole, quick)]
    assert rounds[1] < rounds[0]


def test_there_are_recipes():
    assert len(list(RECIPES.glob("*.toml"))) >= 7


@pytest.mark.parametrize(
    ("grid", "complaint"),
    [
        ("solver_sentences = 4", "leave solver_sentences out"),
        ('system = "exact"\nsolver_longest = 0', "solver_longest counts words"),
    ],
)
def test_only_graph_based_parsers_solve(tmp_path, grid, complaint):
    with pytest.raises(TreewrightError, match=complaint):
        plan_of(f"[treebanks]\n[[grid]]\n{grid}\n", tmp_path)
