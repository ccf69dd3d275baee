"""Score how a model finds the sentences of text that is laid out in lines: mails, notes, reports, poems, tables, code.

    python benchmarks/line_ends.py MODEL [--language en] [--texts 240] [--newlines auto] [--show]
    python benchmarks/line_ends.py MODEL --suite tests/suites/lines.txt

Texts are made of sentences of our own in English, Italian and Hungarian. A text is *cut* if a sentence ends where none
does; a sentence is *found* if it begins and ends where it should. `plain` is the same prose with nothing but spaces.
With `--suite`, 141 texts in six languages that were written by hand, of which the ends of lines are judged.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import treewright as tw
from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.steps.step import Step

ENGLISH = """The train to the coast leaves at noon on Sundays.|We met the new director of the museum in the garden.
Have you read the report that Anna sent us last week?|It says that the bridge over the river needs repair.
Nobody knew why the old lighthouse had been closed.|Please bring a warm coat, because the evenings are cold.
I talked to Peter and Maria about the contract on Tuesday.|They want to sign it before the end of March.
The second part, which I have not seen yet, is much longer.|Could you ask the people at Northern Rail about tickets?
Our office will be closed from the third to the seventh of May.|What a beautiful view we had from the tower!
If the weather stays fine, we will walk to the village.|The children had never seen so many boats in one place.
She told me that the letters had been found in Vienna.|My sister works for a small company that builds bicycles.
The results were better than we had expected, at least in the north.|Do not forget the key to the shed.
Most of the visitors came from Spain, Portugal and the south of France.|He wrote the book in less than two years.
On the way back we stopped at the house of Doctor Miller.|There are three things that we have to talk about.
The museum shows paintings by Vermeer, Rembrandt and their pupils.|I will call you as soon as I know more.
When the storm was over, the fishermen went back to the harbour.|Where did you put the photographs of the wedding?
The price of bread has risen by four per cent since January.|Everybody in Lisbon seemed to know the song.
We need a longer table, six chairs and somebody who can cook.|The meeting with the Board of Trustees took all morning.
In the summer of 1998 the family moved to a farm near Bristol.|It was the best soup that I had eaten for a long time.
The engine makes a strange noise whenever it rains.|Would you mind closing the window before you go?
A friend of mine saw the film twice and still did not like it.|The mayor promised a new school, a park and a library."""
ITALIAN = """Il treno per la costa parte a mezzogiorno.|Abbiamo incontrato la direttrice del museo nel giardino.
Hai letto la relazione che Anna ci ha mandato la settimana scorsa?|Il ponte sul fiume deve essere riparato presto.
Nessuno sapeva perché il vecchio faro fosse chiuso.|Porta un cappotto, perché le sere sono fredde.
Ho parlato con Pietro e Maria del contratto di martedì.|Vogliono firmarlo prima della fine di marzo.
La seconda parte, che non ho ancora visto, è molto più lunga.|Che bella vista avevamo dalla torre!
Se il tempo resta bello, andremo a piedi fino al paese.|I bambini non avevano mai visto tante barche.
Mi ha detto che le lettere sono state trovate a Vienna.|Mia sorella lavora per una piccola azienda di Torino.
Quasi tutti i visitatori venivano dalla Spagna e dal sud della Francia.|Ha scritto il libro in meno di due anni.
Ci sono tre cose di cui dobbiamo parlare.|Ti chiamo appena ne so di più.
Finita la tempesta, i pescatori tornarono al porto.|Dove hai messo le fotografie del matrimonio?
Il prezzo del pane è aumentato del quattro per cento.|Il sindaco ha promesso una scuola, un parco e una biblioteca."""
HUNGARIAN = """A vonat délben indul a tengerpartra.|A múzeum új igazgatójával a kertben találkoztunk.
Olvastad a jelentést, amelyet Anna a múlt héten küldött?|A folyó fölötti hidat hamarosan meg kell javítani.
Senki sem tudta, miért zárták be a régi világítótornyot.|Hozz magaddal meleg kabátot, mert hidegek az esték.
Kedden beszéltem Péterrel és Máriával a szerződésről.|Március vége előtt szeretnék aláírni.
A második rész, amelyet még nem láttam, sokkal hosszabb.|Milyen szép kilátás nyílt a toronyból!
Ha jó idő lesz, gyalog megyünk a faluba.|A gyerekek még soha nem láttak ennyi hajót.
Azt mondta, hogy a leveleket Bécsben találták meg.|A nővérem egy kis szegedi cégnél dolgozik.
A legtöbb látogató Spanyolországból és Franciaország déli részéről érkezett.|A könyvet két év alatt írta.
Három dologról kell beszélnünk.|Felhívlak, amint többet tudok.
Amikor elmúlt a vihar, a halászok visszatértek a kikötőbe.|Hová tetted az esküvői fényképeket?
A kenyér ára négy százalékkal emelkedett január óta.|A polgármester új iskolát, parkot és könyvtárat ígért."""


@dataclass(frozen=True)
class Phrases:
    """What mails and notes of a language have besides sentences."""

    sentences: str
    greetings: str
    closings: str
    names: str
    items: str
    headings: str
    wrote: str

    def any_of(self, name: str, chance: random.Random) -> str:
        """Return one of the phrases of a kind."""
        return chance.choice(re.split(r"[|\n]", getattr(self, name)))


PHRASES = {
    "en": Phrases(
        ENGLISH,
        "Dear Anna,|Hi Tom,|Hello everybody|Good morning Mr Brown,|Dear colleagues,",
        "Best regards,|Yours sincerely,|Cheers,|Many thanks|See you soon,",
        "Martin Hill|Eva Brown|J. Carter|Sophie",
        "bread and butter|two tickets for the ferry|a map of the north coast|Water|the keys of the boat|Call Tom",
        "Minutes of the meeting|How to get there|Next Steps|What is new in this version|Food and drink|Results",
        "Eva Brown wrote:",
    ),
    "it": Phrases(
        ITALIAN,
        "Cara Anna,|Ciao Tommaso,|Buongiorno a tutti|Gentile signor Bruni,|Cari colleghi,",
        "Cordiali saluti,|A presto,|Un abbraccio|Grazie mille,|Distinti saluti",
        "Martino Colle|Eva Bruni|G. Conti|Sofia",
        "pane e burro|due biglietti per il traghetto|una carta della costa|Acqua|le chiavi della barca|un idraulico",
        "Verbale della riunione|Come arrivare|Prossimi passi|Novità di questa versione|Cibo e bevande|Risultati",
        "Eva Bruni ha scritto:",
    ),
    "hu": Phrases(
        HUNGARIAN,
        "Kedves Anna!|Szia Tamás,|Jó reggelt mindenkinek|Tisztelt Barna Úr!|Kedves kollégák!",
        "Üdvözlettel|Minden jót,|Szia|Köszönettel,|Viszlát",
        "Hegyi Márton|Barna Éva|Kis J.|Zsófia",
        "kenyér és vaj|két jegy a kompra|az északi part térképe|Víz|a csónak kulcsai|vízvezeték-szerelő",
        "A megbeszélés jegyzőkönyve|Hogyan lehet odajutni|Következő lépések|Étel és ital|Eredmények",
        "Barna Éva ezt írta:",
    ),
}


@dataclass
class Text:
    """A text, and the stretches of its sentences."""

    text: str = ""
    sentences: list[tuple[int, int]] = field(default_factory=list)

    def add(self, rows: list[str], after: str = "\n\n") -> None:
        """Add lines, each a sentence."""
        for row in rows:
            start = len(self.text) + len(row) - len(row.lstrip())
            self.text += row + "\n"
            if row.strip():
                self.sentences.append((start, len(self.text) - 1))
        self.text = self.text[:-1] + after

    def add_prose(self, sentences: list[str], width: int, first: str = "", rest: str = "", after: str = "\n\n") -> None:
        """Add wrapped sentences."""
        wrapped = textwrap.fill(
            " ".join(sentences), width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
        )
        at = 0
        for sentence in sentences:
            between = rf"\s+(?:{re.escape(rest.strip())}\s+)?"
            found = re.compile(between.join(map(re.escape, sentence.split()))).search(wrapped, at)
            assert found is not None, (sentence, wrapped)
            self.sentences.append((len(self.text) + found.start(), len(self.text) + found.end()))
            at = found.end()
        # What stands before the first word (a bullet, marks of quotation) belongs to its sentence.
        self.sentences[-len(sentences)] = (
            len(self.text) + len(first) - len(first.lstrip()),
            self.sentences[-len(sentences)][1],
        )
        self.text += wrapped + after


class Maker:
    """Makes texts of a language."""

    def __init__(self, language: str, chance: random.Random) -> None:
        self.phrases, self.chance = PHRASES[language], chance

    def some(self, least: int, most: int) -> list[str]:
        """Return some different sentences."""
        return self.chance.sample(re.split(r"[|\n]", self.phrases.sentences), self.chance.randint(least, most))

    def phrase(self, name: str) -> str:
        """Return a phrase."""
        return self.phrases.any_of(name, self.chance)

    def width(self) -> int:
        """Return a width at which mails are wrapped."""
        return self.chance.choice([60, 64, 66, 68, 70, 72, 72, 72, 74, 76, 78, 80])

    def plain(self) -> Text:
        """Prose without ends of lines but between paragraphs."""
        text = Text()
        for _ in range(self.chance.randint(1, 4)):
            text.add_prose(self.some(2, 5), 10_000)
        return text

    def mail(self) -> Text:
        """A greeting, a wrapped paragraph or two, a closing with a name."""
        text, width = Text(), self.width()
        text.add([self.phrase("greetings")], after=self.chance.choice(["\n", "\n\n"]))
        for _ in range(self.chance.randint(1, 3)):
            text.add_prose(self.some(2, 5), width)
        text.add([self.phrase("closings"), self.phrase("names")])
        if self.chance.random() < 0.5:
            text.add(["--", self.phrase("names"), "Tel. 01 234 567", "www.example.org"])
        return text

    def mail_with_list(self) -> Text:
        """The same with a list between or at the end."""
        text, width = Text(), self.width()
        text.add([self.phrase("greetings")])
        text.add_prose(self.some(2, 4), width, after=self.chance.choice(["\n", "\n\n"]))
        self.put_list(text, width)
        if self.chance.random() < 0.5:
            text.add_prose(self.some(2, 3), width)
        text.add([self.phrase("closings"), self.phrase("names")])
        return text

    def put_list(self, text: Text, width: int) -> None:
        """Add a list of phrases, or of sentences that may need several lines."""
        mark = self.chance.choice(["-", "*", "•", "1."])
        long_items = self.chance.random() < 0.5
        count = self.chance.randint(2, 4)
        for number in range(count):
            before = f"{mark.replace('1', str(number + 1))} "
            after = "\n" if number < count - 1 else "\n\n"
            if long_items:
                text.add_prose(self.some(1, 1), width, before, " " * len(before), after)
            else:
                text.add([before + self.phrase("items")], after=after)

    def answer(self) -> Text:
        """A mail below the quoted one that it answers."""
        text, width = Text(), self.width()
        text.add([self.phrase("wrote")], after="\n")
        text.add_prose(self.some(2, 4), width, "> ", "> ")
        text.add_prose(self.some(2, 4), width)
        text.add([self.phrase("closings"), self.phrase("names")])
        return text

    def report(self) -> Text:
        """Headings and wrapped paragraphs, with and without blank lines between, and a table."""
        text, width = Text(), self.width()
        close = self.chance.random() < 0.4
        for number in range(self.chance.randint(2, 3)):
            heading = self.chance.choice(["", f"{number + 1}. ", "## "]) + self.phrase("headings")
            text.add([heading], after="\n" if close else "\n\n")
            text.add_prose(self.some(2, 5), width)
        if self.chance.random() < 0.5:
            self.put_table(text)
        return text

    def put_table(self, text: Text) -> None:
        """Add a table."""
        names = [self.phrase("names") for _ in range(self.chance.randint(2, 5))]
        between = self.chance.choice(["\t", "    "])
        text.add(
            [f"{name:<14}{between}{self.chance.randint(1, 999)}{between}{self.chance.randint(1, 99)}" for name in names]
        )

    def programming(self) -> Text:
        """Wrapped paragraphs with code between them."""
        text, width = Text(), self.width()
        text.add_prose(self.some(2, 4), width)
        text.add(["    for (i = 0; i < n; i++) {", "        sum += price[i];", "    }", "    return sum;"])
        text.add_prose(self.some(2, 4), width)
        return text

    def verse(self) -> Text:
        """Sentences that go on from verse to verse; each verse begins with a capital, or none does."""
        text = Text()
        capitals = self.chance.random() < 0.5
        for _ in range(self.chance.randint(1, 3)):
            text.add_prose(self.some(2, 3), self.chance.choice([28, 34, 40]))
        if capitals:
            text.text = re.sub(r"(?m)^\w", lambda found: found[0].upper(), text.text)
        return text

    def novel(self) -> Text:
        """Wrapped paragraphs whose first lines are indented, without blank lines."""
        text, width = Text(), self.width()
        for _ in range(self.chance.randint(2, 5)):
            text.add_prose(self.some(2, 5), width, "    ", "", "\n")
        return text

    def lines(self) -> Text:
        """A sentence a line."""
        text = Text()
        text.add(self.some(4, 9))
        return text


KINDS = ("plain", "mail", "mail_with_list", "answer", "report", "programming", "verse", "novel", "lines")


def judged(model: Step, text: Text, newlines: str) -> tuple[list[int], int]:
    """Return where a text is cut, and how many of its sentences are found."""
    ends = set()
    at = 0
    for sentence in found_sentences(model, text.text, newlines):
        at = text.text.index(sentence[0], at)
        for word in sentence:
            at = text.text.index(word, at) + len(word)
        ends.add(at)
    cuts = [end for end in sorted(ends) if any(a < end < b for a, b in text.sentences)]
    starts_ends = {(a, b) for a, b in text.sentences}
    right, before = 0, 0
    for end in sorted(ends):
        start = before + len(text.text[before:end]) - len(text.text[before:end].lstrip())
        right += (start, end) in starts_ends
        before = end
    return cuts, right


def found_sentences(model: Step, text: str, newlines: str) -> list[list[str]]:
    """Return the tokens of the sentences that a model finds, as they stand in the text."""
    tokenizer = model.steps["tokenizer"]
    found: list[list[str]] = []
    conllu = tokenizer.tokenize(text, newlines=newlines).decode()
    for block in conllu.strip().split("\n\n"):
        covered, tokens = 0, []
        for row in block.split("\n"):
            columns = row.split("\t")
            if len(columns) == 10:
                first, _, last = columns[0].partition("-")
                if last or int(first) > covered:
                    tokens.append(columns[1])
                covered = int(last or covered)
        found.append([piece for token in tokens for piece in token.split(" ")])
    return found


def score(
    model: Step,
    kind: str,
    language: str,
    number: int,
    newlines: str = "auto",
    show: Callable[[str], object] | None = None,
) -> tuple[float, float]:
    """Return the shares of texts that are cut, and of sentences that are found."""
    maker = Maker(language, random.Random(f"{kind} {language}"))
    n_cut = right = sentences = 0
    for _ in range(number):
        text: Text = getattr(maker, kind)()
        cuts, found = judged(model, text, newlines)
        n_cut += bool(cuts)
        right += found
        sentences += len(text.sentences)
        for place in cuts if show is not None else ():
            show(f"{kind}: {text.text[max(0, place - 60) : place]!r} | {text.text[place : place + 60]!r}")
    return n_cut / number, right / sentences


class MarkedText(NamedTuple):
    """A text with the places of ends of lines that end sentences, and of those that may."""

    title: str
    text: str
    ends: list[int]
    possible: list[int]


def marked_texts(path: Path) -> Iterator[MarkedText]:
    """Yield the texts of a suite (tests/suites/lines.txt), in which lines that end sentences are marked."""
    for part in re.split(r"(?m)^%% ", path.read_text(encoding="utf-8"))[1:]:
        title, body = part.split("\n", 1)
        text, ends, possible = "", [], []
        for line in body.rstrip("\n").replace("⇥", "\t").split("\n"):
            text += line.rstrip("¶¦")
            if line[-1:] in ("¶", "¦"):
                (ends if line.endswith("¶") else possible).append(len(text.rstrip()))
            text += "\n"
        yield MarkedText(title, text, ends, possible)


def judged_lines(model: Step, marked: MarkedText) -> tuple[list[int], list[int]]:
    """Return the ends of lines at which a text is wrongly cut, and those that are missed."""
    at, found = 0, set()
    for sentence in found_sentences(model, marked.text, "auto"):
        for word in sentence:
            at = marked.text.index(word, at) + len(word)
        found.add(at)
    within = [place for place in found if re.match(r"[ \t]*\n[ \t]*\S", marked.text[place:])]
    cuts = [place for place in within if place not in marked.ends and place not in marked.possible]
    return sorted(cuts), [place for place in marked.ends if place not in found]


def score_suite(model: Step, path: Path, show: Callable[[str], object] | None = None) -> tuple[float, float]:
    """Return the shares of a suite's texts that are cut within sentences, and of ends that are missed."""
    n_texts = n_cut = n_missed = n_ends = 0
    for marked in marked_texts(path):
        cuts, missed = judged_lines(model, marked)
        n_texts, n_cut = n_texts + 1, n_cut + bool(cuts)
        n_missed, n_ends = n_missed + len(missed), n_ends + len(marked.ends)
        for what, places in (("cut", cuts), ("missed", missed)):
            for place in places if show is not None else ():
                show(f"{what} in {marked.title}: {marked.text[max(0, place - 60) : place + 40]!r}")
    return n_cut / n_texts, n_missed / n_ends


def main() -> None:
    """Score a model."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--language", choices=sorted(PHRASES), default="en")
    parser.add_argument("--texts", type=int, default=240, help="of each kind (240)")
    parser.add_argument("--newlines", default="auto")
    parser.add_argument("--suite", type=Path, help="texts whose lines are marked, such as tests/suites/lines.txt")
    parser.add_argument("--show", action="store_true", help="where texts are cut")
    arguments = parser.parse_args()
    model = tw.load(arguments.model)
    if arguments.suite is not None:
        cut, missed = score_suite(model, arguments.suite, print if arguments.show else None)
        print(f"texts cut within sentences: {100 * cut:.1f} %; ends of lines missed: {100 * missed:.1f} %")
        return
    print("| text | cut, % | sentences found, % |\n|---|---|---|")
    for kind in KINDS:
        cut, found = score(
            model, kind, arguments.language, arguments.texts, arguments.newlines, print if arguments.show else None
        )
        print(f"| {kind.replace('_', ' ')} | {100 * cut:.1f} | {100 * found:.1f} |", flush=True)


if __name__ == "__main__":
    main()
