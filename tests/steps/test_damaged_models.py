"""Model files whose parts are readable one by one and make no sense: a clear error when they are loaded."""

import pytest

import treewright as tw
from tests.crafted import crafted

SENTENCE = (
    b"1\ta\t_\tDET\t_\t_\t2\tdet\t_\t_\n"
    b"2\tdog\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
    b"3\tbarks\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "small.tw"
    tw.train(SENTENCE * 4, SENTENCE, features="malt", iterations=1).save(path)
    return path


def damaged(model, path, change):
    """Write the model with changed settings."""
    return crafted(model, path, change)


def test_the_model_loads_without_damage(model, tmp_path):
    parser = tw.load(damaged(model, tmp_path / "same.tw", lambda header: None))
    assert len(parser.parse(SENTENCE.decode())) == 3


@pytest.mark.parametrize(
    "info", ["", "text", None, True, [], {"columns": [1]}, {"columns": 1}, {"columns": [["FORM"]]}]
)
def test_info_of_another_shape_is_refused(model, tmp_path, info):
    path = damaged(model, tmp_path / "bad.tw", lambda header: header.update(info=info))
    with pytest.raises(tw.ModelFileError, match=r"bad\.tw: the model is damaged"):
        tw.load(path)


def test_half_a_surrogate_pair_is_refused(model, tmp_path):
    path = damaged(model, tmp_path / "bad.tw", lambda header: header["info"].update(licence="\ud800"))
    with pytest.raises(tw.ModelFileError, match=r"bad\.tw"):
        tw.load(path)
    path = damaged(model, tmp_path / "good.tw", lambda header: header["info"].update(licence="\U0001f600"))
    assert tw.load(path).info["licence"] == "\U0001f600"
