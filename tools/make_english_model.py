"""Train the bundled English model: the recorded recipe.

    python tools/make_english_model.py FOLDER [-o src/treewright/models/english.tw]

FOLDER holds the three files of UD English EWT. The same files give the same bytes.
"""

import argparse
from pathlib import Path

from treewright import train_pipeline
from treewright.cli.training_progress import PlainProgress

LICENCE = "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/); trained on UD English EWT 2.16"
DESCRIPTION = "English, all genres of UD EWT: tokeniser, tagger, lemmatiser and parser"


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", default="src/treewright/models/english.tw")
    parser.add_argument("--jackknife", type=int, default=4)
    arguments = parser.parse_args()
    train_file, dev_file = (arguments.folder / f"en_ewt-ud-{part}.conllu" for part in ("train", "dev"))
    pipeline = train_pipeline(
        train_file,
        dev_file,
        jackknife=arguments.jackknife,
        tagger_least=5.0,  # the largest part of the model: fewer weights, hardly worse tags
        licence=LICENCE,
        description=DESCRIPTION,
        observer=PlainProgress(),
    )
    pipeline.save(arguments.output)
    print(f"{arguments.output}: {Path(arguments.output).stat().st_size / 1e6:.1f} MB, dev {pipeline.info['dev']}")


if __name__ == "__main__":
    main()
