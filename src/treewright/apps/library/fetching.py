"""Bring a file from an address or a folder: whole and with the right digest, or not at all.

What came before a connection broke is kept, and fetching goes on from there. Of two processes that fetch the same file,
one does.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from typing import IO, Any
from urllib.parse import urljoin, urlsplit

from treewright.errors import TreewrightError
from treewright.treebank.files.locks import NoLocksError, lock
from treewright.treebank.files.output import output_error

AT_ONCE = 1 << 18  # bytes
PATIENCE = 30.0  # seconds without a byte
LOOPBACK = ("localhost", "127.0.0.1", "::1")

Advanced = Callable[[int], None]


def is_address(place: str) -> bool:
    """Is this an address of the web, rather than a path?"""
    return urlsplit(place).scheme in ("http", "https")


def joined(place: str, name: str) -> str:
    """Return the place of a file beside another, or in a folder that ends with a slash."""
    return urljoin(place, name) if is_address(place) else os.path.join(os.path.dirname(place), name)


def bytes_at(place: str, most: int) -> bytes:
    """Return a small file as bytes."""
    with _opened(place, 0) as source:
        data: bytes = _reading(place, lambda: source.read(most + 1))
    if len(data) > most:
        raise TreewrightError(f"{place}: larger than {most >> 20} MB, which no index is")
    return data


def fetch(place: str, target: str, size: int, sha256: str, advanced: Advanced = lambda n: None) -> None:
    """Bring a file of a known size and digest; ``advanced`` hears how many bytes came."""
    waiting = f"{target}.{sha256[:16]}.part"  # of the same contents only: another version begins anew
    try:
        with open(waiting, "ab") as file:
            try:
                lock(file.fileno())
            except BlockingIOError:
                raise TreewrightError(
                    f"{target}: another process is fetching this model. Wait for it, and try again"
                ) from None
            except NoLocksError:
                pass
            there = file.tell()
            if there > size:
                file.truncate(0)
                there = 0
            if shutil.disk_usage(os.path.dirname(target)).free < size - there:
                raise TreewrightError(f"{target}: {size / 1e6:.1f} MB do not fit on the disk. Free some space")
            advanced(there)
            if there < size:
                _append(place, file, there, size, advanced)
            file.flush()
            os.fsync(file.fileno())
            _compare(waiting, place, size, sha256)
            if os.name != "nt":
                os.replace(waiting, target)  # while it is locked: who waits for it finds it done
        if os.name == "nt":
            os.replace(waiting, target)
    except OSError as error:
        raise output_error(target, error) from None


def _append(place: str, file: IO[bytes], there: int, size: int, advanced: Advanced) -> None:
    with _opened(place, there) as source:
        if there and getattr(source, "status", 206) != 206:  # the server begins anew
            file.truncate(0)
            there = 0
        while piece := _reading(place, lambda: source.read(AT_ONCE)):
            there += len(piece)
            if there > size:
                file.truncate(0)
                raise TreewrightError(f"{place}: more bytes than the index says. Nothing was installed")
            file.write(piece)
            advanced(len(piece))
    if there < size:
        raise TreewrightError(f"{place}: the connection broke off. Try again: it goes on from where it was")


def _compare(path: str, place: str, size: int, sha256: str) -> None:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    if digest.hexdigest() != sha256:
        os.unlink(path)
        raise TreewrightError(
            f"{place}: its digest is not the one that the index names: damaged on its way, or changed. Nothing was"
            " installed; try again, or tell whoever keeps the index"
        )


def _opened(place: str, start: int) -> Any:
    """Open a file or an address, from some byte on."""
    if not is_address(place):
        try:
            file = open(place, "rb")  # noqa: SIM115
        except OSError as error:
            raise TreewrightError(f"{place}: cannot be read: {error.strerror}") from None
        file.seek(start)
        return file
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class OnlySafe(HTTPRedirectHandler):
        """Follow redirections to addresses that may be used."""

        def redirect_request(self, request: Any, file: Any, code: int, why: str, headers: Any, to: str) -> Any:
            """Reject what is not encrypted."""
            _check_safe(to)
            return super().redirect_request(request, file, code, why, headers, to)

    _check_safe(place)
    headers = {"User-Agent": "treewright", **({"Range": f"bytes={start}-"} if start else {})}
    return _reading(place, lambda: build_opener(OnlySafe).open(Request(place, headers=headers), timeout=PATIENCE))


def _check_safe(address: str) -> None:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        raise TreewrightError(f"{address}: models are fetched by https alone")


def _reading(place: str, read: Callable[[], Any]) -> Any:
    """Read from the network, and say in one message what is wrong."""
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError

    try:
        return read()
    except HTTPError as error:
        raise TreewrightError(f"{place}: the server answers {error.code} {error.reason}. Check the address") from None
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise TreewrightError(
            f"{place}: cannot be fetched: {reason}. Check the network; https_proxy names a proxy; --index may name a"
            " folder"
        ) from None
