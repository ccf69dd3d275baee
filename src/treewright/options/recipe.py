"""What all recipes share: checking values, plain data, and options that would change nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import ClassVar

from treewright.errors import CombinationError
from treewright.options.option import Option, OptionValue, options_of


@dataclass(frozen=True)
class Recipe:
    """What to train and how, as typed data; a model keeps its recipe."""

    kind: ClassVar[str] = ""
    whose: ClassVar[str] = ""  # whose options these are, for messages: "transition parsers"
    #: options that give the weights of a model their meaning: a training that goes on from it keeps them
    kept: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def options(cls) -> dict[str, Option]:
        """Return the declared options by name."""
        return options_of(cls)

    def check(self) -> None:
        """Reject values out of range and combinations that make no sense, with the reason."""
        for name, declared in self.options().items():
            declared.check(getattr(self, name))
        self.check_together()

    def check_together(self) -> None:
        """Reject values that are fine by themselves but not together."""

    def completed(self) -> Recipe:
        """Return the recipe with every choice made that depends on other options."""
        return self

    @classmethod
    def trains(cls, system: object, learner: object) -> bool:
        """Say whether this is the recipe for a system, with a learner if one is given."""
        own = cls.options()
        if "system" not in own or system not in own["system"].known_values():
            return False
        return learner is None or "learner" not in own or learner in own["learner"].known_values()

    @classmethod
    def implied(cls, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """Return what other options are, unless they are given, where some are given."""
        return {}

    def with_seed(self, seed: int) -> Recipe:
        """Return the recipe with the seed of the pipeline that it is a step of."""
        return replace(self, seed=seed)  # type: ignore[call-arg]

    def in_pipeline(self) -> Recipe:
        """Return the recipe as the last step of a pipeline, where words get their tags from a tagger."""
        return self

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing in this recipe, each with the reason."""
        return {}

    def to_dict(self) -> dict[str, OptionValue]:
        """Return all options as plain data."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def to_config(self) -> dict[str, OptionValue]:
        """Return the options that matter: what a TOML file needs to make this recipe again."""
        idle = self.idle()
        return {name: value for name, value in self.to_dict().items() if value is not None and name not in idle}

    def check_goes_on(self, base: Mapping[str, OptionValue]) -> None:
        """Reject a recipe that would give the weights of the model to go on from another meaning."""
        for name in self.kept:
            asked, has = getattr(self, name), base.get(name)
            if name in base and has is not None and asked is not None and asked != has:
                raise CombinationError(
                    f"the model to go on from has {name} {has!r}, which cannot become {asked!r}. Leave the option out"
                )

    def check_given(self, given: set[str]) -> None:
        """Reject options that were given and change nothing: nothing is silently ignored."""
        for name, reason in self.idle().items():
            if name in given:
                raise CombinationError(f"{name} has no effect here: {reason}. Leave it out")
