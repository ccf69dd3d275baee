"""The model card's figures: test scores for raw text, gold tokens and gold tags, by genre.

python tools/score_english_model.py FOLDER [MODEL]
"""

import sys
import tempfile
from pathlib import Path

import treewright as tw
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.treebank.files.reading import read_blocks

METRICS = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")


def genre_of(sent_id: str) -> str:
    """Return the first part of a sent_id: answers, email, newsgroup, reviews or weblog."""
    return sent_id.split("-")[0]


def main() -> None:
    """Score all genres and print a table for each kind of input."""
    folder = Path(sys.argv[1])
    pipeline = tw.load(sys.argv[2] if len(sys.argv) > 2 else "english")
    gold = folder / "en_ewt-ud-test.conllu"
    genres: dict[str, bytes] = {"all": gold.read_bytes()}
    for block in read_blocks(gold):
        for number in range(block.n_sentences):
            genre = genre_of(block.sent_id(number))
            genres[genre] = genres.get(genre, b"") + block.text_of(number)
    for kind in ("raw text", "gold tokens", "gold tags"):
        print(f"\n{kind}: {' '.join(METRICS)}")
        for genre, data in genres.items():
            with tempfile.TemporaryDirectory() as place:
                gold_file, parsed = Path(place, "gold.conllu"), Path(place, "parsed.conllu")
                gold_file.write_bytes(data)
                if kind == "raw text":
                    pipeline.parse_file(raw_text(read_blocks(data)).encode(), parsed, format="text")
                else:
                    pipeline.parse_file(data, parsed, tag=kind == "gold tokens")
                scores = tw.evaluate(gold_file, parsed).ud
                print(f"| {genre} | " + " | ".join(f"{scores[name].f1:.2f}" for name in METRICS) + " |")


if __name__ == "__main__":
    main()
