"""Rules of a game that a table chooses: named settings that an experiment declares and a file or a person states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct

from decks import InputError, suggestion
from decks.errors import quoted


class Setting(Struct, frozen=True):
    """A rule that can be chosen: what it is called, what it is about, and what may be said."""

    key: str
    """What a file and data call it; the command line writes dashes."""
    title: str
    """What a page calls it."""
    meaning: str
    """What it decides, in a sentence."""
    usual: str
    """What holds if nothing is said."""
    choices: Mapping[str, str] = {}
    """What may be said and what each means; left out, the `read` function decides."""
    read: Callable[[str], Any] = str
    """Gives the value of what was said, or refuses it."""

    @property
    def option(self) -> str:
        """The option of the command line.

        >>> Setting("lucky_pays", "Lucky 9 pays", "What it pays.", "3 to 2").option
        '--lucky-pays'
        """
        return f"--{self.key.replace('_', '-')}"

    @property
    def help(self) -> str:
        """The setting in a sentence, with its choices and what holds if nothing is said."""
        said = f" One of {', '.join(self.choices)}." if self.choices else ""
        return f"{self.meaning}{said} Usually {self.usual}."

    def value(self, said: str) -> Any:
        """Read what was said.

        >>> Setting("nines", "Nines", "Who wins.", "push", {"push": "", "maker": ""}).value("makers")
        Traceback (most recent call last):
            ...
        decks.errors.InputError: nines cannot be 'makers'; did you mean 'maker'?
        """
        text = " ".join(said.split()).lower()
        if self.choices and text not in self.choices:
            known = f"; it is {' or '.join(self.choices)}"
            raise InputError(f"{self.key} cannot be {quoted(said)}{suggestion(text, self.choices) or known}")
        try:
            return self.read(text)
        except InputError as error:
            raise InputError(f"{self.key} cannot be {quoted(said)}; {error}") from None


class Chosen(Struct, frozen=True):
    """A setting with what is said of it, as data carries it and in words."""

    setting: Setting
    said: str

    @property
    def in_words(self) -> str:
        """What it means."""
        return self.setting.choices.get(self.said, self.said)

    @property
    def is_usual(self) -> bool:
        """Whether it is what holds if nothing is said."""
        return self.said == self.setting.usual


def read_settings(given: Mapping[str, str], known: Collection[Setting], whose: str) -> dict[str, Any]:
    """Give the values of settings by their keys, or refuse what is none."""
    by_key = {setting.key: setting for setting in known}
    for key in given:
        if key not in by_key:
            listed = f"; its settings are {', '.join(by_key)}" if by_key else "; it has none"
            raise InputError(f"{whose} has no setting {quoted(key)}{suggestion(key, by_key) or listed}")
    return {key: by_key[key].value(said) for key, said in given.items()}
