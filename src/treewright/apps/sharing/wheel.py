"""Write a model as a wheel: pip installs it, and treewright then finds it by name.

A wheel is a zip file with a folder of metadata; it is written here, which needs neither a build backend nor a network.
The same model gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import zipfile
from dataclasses import dataclass

from treewright.apps.sharing.model_card import front_matter, model_card
from treewright.errors import TreewrightError
from treewright.steps.named_models import ENTRY_POINTS, FILE_IN_PACKAGE
from treewright.steps.step import Step
from treewright.treebank.files.output import OutputFile

PREFIX = "treewright_model_"
YEAR_ZERO = (1980, 1, 1, 0, 0, 0)  # of zip files: the time of packing must not change the bytes
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?")
#: learners that also parse with their library, each an extra of that name
_LIBRARIES = ("libsvm", "timbl")


@dataclass(frozen=True)
class About:
    """What a package says of its model beside what the model itself knows."""

    name: str
    version: str = "1.0.0"
    licence: str = ""
    licence_text: str = ""
    description: str = ""
    author: str = ""
    language: str | None = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise TreewrightError(
                f"{self.name!r} is no name for a package: small letters, digits and _, as in fr_sequoia. Use --name"
            )
        if not _VERSION.fullmatch(self.version):
            raise TreewrightError(f"{self.version!r} is no version of a package: write it as 1.0.0")
        for field, value in (("description", self.description), ("author", self.author), ("licence", self.licence)):
            if "\n" in value or "\r" in value:
                raise TreewrightError(f"the {field} is one line; a licence of several goes into --licence-file")


def write_wheel(model: str | os.PathLike[str], about: About, folder: str | os.PathLike[str]) -> str:
    """Write the wheel of a model file into a folder; return its path."""
    parser = Step.load(model)
    licence = about.licence or str(parser.info.get("licence") or "")
    if not licence:
        raise TreewrightError("the model names no licence, and others need to know it: give --licence, as in CC-BY-4.0")
    details = {**parser.info, "description": about.description or parser.info.get("description") or ""}
    module = PREFIX + about.name
    wheel = f"{module}-{about.version}-py3-none-any.whl"
    card = model_card(about.name, wheel, details, licence)
    heading = front_matter(about.name, details, licence, about.language)
    with open(model, "rb") as file:
        data = file.read()
    info = f"{module}-{about.version}.dist-info"
    files = {
        f"{module}/__init__.py": _init(about.name).encode(),
        f"{module}/{FILE_IN_PACKAGE}": data,
        f"{module}/README.md": (heading + card).encode(),
        f"{info}/licenses/LICENSE": (about.licence_text or licence + "\n").encode(),
        f"{info}/METADATA": _metadata(module, about, licence, card, parser).encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: treewright\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[{ENTRY_POINTS}]\n{about.name} = {module}\n".encode(),
    }
    path = os.path.join(os.fspath(folder), wheel)
    with OutputFile(path) as output:
        output.write(_zipped(files, f"{info}/RECORD"))
    return path


def _init(name: str) -> str:
    return (
        f'"""The treewright model {name}; ``treewright.load("{name}")`` loads it."""\n\n'
        "from pathlib import Path\n\n"
        f'MODEL = Path(__file__).parent / "{FILE_IN_PACKAGE}"\n'
    )


def _metadata(module: str, about: About, licence: str, card: str, parser: Step) -> str:
    learner = parser.info.get("recipe", {}).get("learner")
    needed = f"treewright[{learner}]" if learner in _LIBRARIES else "treewright"
    version = str(parser.info.get("version") or "")
    if _VERSION.fullmatch(version):
        needed += f">={version}"
    description = about.description or str(parser.info.get("description") or "") or "A model for treewright"
    fields = {
        "Metadata-Version": "2.1",
        "Name": module.replace("_", "-"),
        "Version": about.version,
        "Summary": " ".join(description.split()),
        "Author": about.author,
        "License": licence,
        "Keywords": "dependency-parsing,treewright",
        "Requires-Dist": needed,
        "Description-Content-Type": "text/markdown",
    }
    return "".join(f"{key}: {value}\n" for key, value in fields.items() if value) + "\n" + card


def _zipped(files: dict[str, bytes], record: str) -> bytes:
    """Return the files as a zip file, with the list of their digests last."""
    rows = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    listed = {**files, record: "".join([*rows, f"{record},,\n"]).encode()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in listed.items():
            entry = zipfile.ZipInfo(name, YEAR_ZERO)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
