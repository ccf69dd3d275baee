"""Hints for users of other libraries: what an attribute of theirs is called here, or that there is none."""

from __future__ import annotations

#: class → attribute of spaCy, Stanza, conllu or udapi → what does the same here
NAMES = {
    "Document": {
        "sents": "sentences",
        "tokens": "words",
        "iter_words": "words",
        "text_with_ws": "text",
        "root": "sentences[0].root",
    },
    "Sentence": {
        "dependencies": "words",
        "enhanced_dependencies": "graph",
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
        "lower_": "form.lower()",
        "is_alpha": "form.isalpha()",
        "is_digit": "form.isdigit()",
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
        "enhanced_deps": "deps",
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
        "doc": "sentence",
        "nbor": "sentence",
        "root": "sentence.root",
        "is_punct": 'upos == "PUNCT"',
        "like_num": 'upos == "NUM"',
        "is_sent_start": "id == 1",
        "token_id": "id",
        "whitespace_": 'misc.get("SpaceAfter")',
    },
}
#: attribute of theirs → why nothing here does the same
ABSENT = {
    "ents": "treewright finds no names of persons or places",
    "ent_type_": "treewright finds no names of persons or places",
    "entities": "treewright finds no names of persons or places",
    "noun_chunks": "take the .subtree of each noun",
    "vector": "words have no vectors here",
    "similarity": "words have no vectors here",
    "is_stop": "treewright has no lists of frequent words",
}


def no_attribute(thing: object, name: str) -> AttributeError:
    """Return the error for an attribute that an object lacks; it names the one that is probably meant."""
    kind = type(thing).__name__
    message = f"{kind!r} object has no attribute {name!r}"
    ours = NAMES.get(kind, {}).get(name)
    hint = f"here it is .{ours}" if ours else ABSENT.get(name)
    return AttributeError(f"{message}: {hint}" if hint else message, name=name, obj=thing)
