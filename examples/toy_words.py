"""The words of the toy treebank: who can do what to whom in its village."""

from __future__ import annotations

#: nouns: lemma → plural
PEOPLE = {
    "baker": "bakers",
    "farmer": "farmers",
    "girl": "girls",
    "teacher": "teachers",
    "sailor": "sailors",
    "child": "children",
    "woman": "women",
    "shepherd": "shepherds",
}
ANIMALS = {"dog": "dogs", "cat": "cats", "sheep": "sheep", "goose": "geese", "horse": "horses"}
THINGS = {
    "letter": "letters",
    "loaf": "loaves",
    "boat": "boats",
    "book": "books",
    "lantern": "lanterns",
    "basket": "baskets",
    "hat": "hats",
    "apple": "apples",
}
PLACES = {
    "village": "villages",
    "river": "rivers",
    "market": "markets",
    "bridge": "bridges",
    "garden": "gardens",
    "hill": "hills",
    "kitchen": "kitchens",
}
MASS = ("milk", "bread", "honey", "wood")
NAMES = ("Mira", "Tomas", "Oskar", "Lena", "Pavel", "Ines")
TIMES = ("morning", "evening", "winter", "summer")


def verbs(*forms: str) -> dict[str, tuple[str, str, str]]:
    """Return lemma → (third person singular, past, participle)."""
    return {lemma: (third, past, participle) for lemma, third, past, participle in map(str.split, forms)}


INTRANSITIVE = verbs(
    "sleep sleeps slept slept",
    "laugh laughs laughed laughed",
    "wait waits waited waited",
    "sing sings sang sung",
    "run runs ran run",
    "arrive arrives arrived arrived",
)
TRANSITIVE = verbs(
    "see sees saw seen",
    "find finds found found",
    "carry carries carried carried",
    "sell sells sold sold",
    "want wants wanted wanted",
    "paint paints painted painted",
    "lose loses lost lost",
)
DITRANSITIVE = verbs("give gives gave given", "show shows showed shown", "sell sells sold sold")
REPORTING = verbs(
    "say says said said", "think thinks thought thought", "know knows knew known", "hope hopes hoped hoped"
)
CONTROL = verbs("want wants wanted wanted", "try tries tried tried", "begin begins began begun")

ADJECTIVES = ("old", "small", "red", "quiet", "heavy", "happy", "cold", "clever")
DEGREES = ("very", "quite", "rather")
MANNER = ("slowly", "quietly", "happily", "often", "carefully")
MODALS = ("can", "will", "must", "should")
PREPOSITIONS = ("in", "near", "behind", "by")
CONJUNCTIONS = ("and", "or", "but")
MARKS = ("when", "because", "although", "if")
NUMBERS = {"two": "2", "three": "3", "seven": "7"}

#: personal pronouns: subject form → (object form, FEATS without Case)
PRONOUNS = {
    "he": ("him", "Gender=Masc|Number=Sing|Person=3|PronType=Prs"),
    "she": ("her", "Gender=Fem|Number=Sing|Person=3|PronType=Prs"),
    "they": ("them", "Number=Plur|Person=3|PronType=Prs"),
    "we": ("us", "Number=Plur|Person=1|PronType=Prs"),
}
