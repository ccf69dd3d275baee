"""No name from a request reaches a file outside the folder."""

import pytest

from treewright.apps.server.messages import HttpError
from treewright.apps.server.safe_paths import inside, plain_name


def test_names_inside(tmp_path):
    assert inside(tmp_path, "a/b.conllu") == tmp_path.resolve() / "a" / "b.conllu"
    assert inside(tmp_path, "a/../b") == tmp_path.resolve() / "b"


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../x", "..", "a\0b", "x" * 2000])
def test_names_outside(tmp_path, name):
    with pytest.raises(HttpError) as error:
        inside(tmp_path, name)
    assert error.value.status == 404


def test_links_that_lead_out(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / "secret").write_text("secret")
    (folder / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(HttpError):
        inside(folder, "link")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", ".hidden", "a\n", "a.", "x" * 200, "con\0"])
def test_names_of_files(name):
    with pytest.raises(HttpError):
        plain_name(name, "project")


def test_plain_names():
    assert plain_name("Čeština (2) v1.0", "project") == "Čeština (2) v1.0"
