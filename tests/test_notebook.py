"""What a notebook shows: HTML of results and models, the rounds of a training."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import treewright as tw
from tests.toy import DEV, TEST, TRAIN, toy_parser
from treewright.notebook import facts, frame, in_notebook, table
from treewright.steps.certificate import Certificate
from treewright.training.notebook_progress import NotebookProgress, usual_observer
from treewright.training.observer import TrainingObserver


def test_html_is_escaped():
    assert "<b>" not in table(("<b>",), [("<b>", 1.5, None)], "<b>")
    assert "1.50" in table((), [(1.5,)])
    assert "none" not in facts("x", {"left out": None, "kept": True})
    assert frame('<p title="a">&amp;') == frame('<p title="a">&amp;')
    assert "&lt;" not in frame("<p>")
    assert '"a"' not in frame('<p title="a">').replace("&quot;a&quot;", "")


def test_results_and_models_have_html():
    parser = toy_parser()
    sentence = next(iter(tw.read(TEST)))
    certificate = Certificate(1.0, 1.5, False, True, "bounds", 9, 8, 7, 6, 5)
    assert "0.50" in certificate._repr_html_()
    assert "arc-eager" in parser._repr_html_()
    assert "LAS 100.00" in tw.evaluate(TEST, TEST)._repr_html_()
    assert "<iframe" in tw.trace(parser, sentence)._repr_html_()
    assert "<svg" in parser(sentence)._repr_html_()


def test_training_shows_its_rounds_where_there_is_a_notebook(monkeypatch):
    shown = []

    class Handle:
        def update(self, html):
            shown.append(html)

    def display(html, display_id):
        shown.append(html)
        return Handle()

    shell = SimpleNamespace(kernel=None)
    modules = {
        "IPython": SimpleNamespace(get_ipython=lambda: shell),
        "IPython.display": SimpleNamespace(HTML=str, display=display),
    }
    assert type(usual_observer()) is TrainingObserver
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    assert in_notebook()
    assert isinstance(usual_observer(), NotebookProgress)
    tw.train(TRAIN, DEV, iterations=2, features="lean")
    assert "2/2" in shown[-1]
    assert "LAS" in shown[-1]
    quiet = len(shown)
    tw.train(TRAIN, DEV, iterations=1, features="lean", observer=TrainingObserver())
    assert len(shown) == quiet
    del shell.kernel
    assert not in_notebook()
