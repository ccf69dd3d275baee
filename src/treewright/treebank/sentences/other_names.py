"""Hints for users of other libraries: what their attributes are called here."""

from __future__ import annotations

#: class → attribute of spaCy, Stanza, conllu or udapi → what does the same here
NAMES = {
    "Document": {"sents": "sentences", "tokens": "words", "iter_words": "words"},
    "Sentence": {
        "dependencies": "words",
        "nodes": "words",
        "root_token": "root",
        "start_char": "start",
        "end_char": "end",
        "print_dependencies": "tree()",
        "serialize": "to_conllu()",
    },
    "Token": {
        "text": "form",
        "text_with_ws": "form",
        "orth_": "form",
        "lemma_": "lemma",
        "pos": "upos",
        "pos_": "upos",
        "upostag": "upos",
        "tag": "xpos",
        "tag_": "xpos",
        "xpostag": "xpos",
        "morph": "feats",
        "dep": "deprel",
        "dep_": "deprel",
        "udeprel": "deprel",
        "head_token": "parent",
        "i": "id",
        "ord": "id",
        "start_char": "start",
        "end_char": "end",
        "descendants": "subtree",
        "lefts": "children",
        "rights": "children",
        "sent": "sentence",
        "root": "sentence.root",
    },
}


def no_attribute(thing: object, name: str) -> AttributeError:
    """Return the error for an attribute that an object lacks; it names the one that is probably meant."""
    kind = type(thing).__name__
    message = f"{kind!r} object has no attribute {name!r}"
    ours = NAMES.get(kind, {}).get(name)
    return AttributeError(f"{message}: here it is .{ours}" if ours else message, name=name, obj=thing)
