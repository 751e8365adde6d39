"""The catalog of paytables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from combinat.bets.catalog import iter_collection, list_collections, search_contents, search_paytables
from combinat.bets.paytable import Paytable
from combinat.requests.request import Notify, Option, Request
from combinat.results.catalog import CatalogEntry
from decks import InputError, did_you_mean
from decks.errors import quote


class Catalog(Request[Mapping[str, Sequence[Paytable]], CatalogEntry], frozen=True):
    """List the paytables of the catalog by collection."""

    words: Annotated[
        str | Sequence[str],
        Option(
            "List only paytables whose id, title, bet or collection contains all these words; if there are none, those "
            "with the words in their awards, rules or game.",
            names="paytable",
            is_argument=True,
            is_repeated=True,
        ),
    ] = ()
    collection: Annotated[
        str | None,
        Option(
            f"List only this collection: {', '.join(list_collections())}.",
            ("--collection", "--shelf"),
            default="all collections",
            names="collection",
        ),
    ] = None

    def answer(self, notify: Notify) -> Mapping[str, Sequence[Paytable]]:
        text = self.words if isinstance(self.words, str) else " ".join(self.words)
        names = list_collections() if self.collection is None else [str(self.collection)]
        paytables = {name: search_paytables(iter_collection(name), text, name) for name in names}
        if any(paytables.values()):
            return paytables
        paytables = {name: search_contents(iter_collection(name), text) for name in names}
        if not any(paytables.values()):
            raise InputError(self._refusal(text, names))
        notify(f"no title has {quote(text)}; these have it in their awards, rules or game")
        return paytables

    def results(self, computed: Mapping[str, Sequence[Paytable]]) -> Sequence[CatalogEntry]:
        return [CatalogEntry.of(item, name) for name, paytables in computed.items() for item in paytables]

    def _refusal(self, text: str, names: Sequence[str]) -> str:
        """Return why no paytable was found, with the nearest word of the catalog."""
        known_words = [
            word
            for name in names
            for item in iter_collection(name)
            for word in f"{item.id} {item.title}".lower().split()
        ]
        unknown = [word for word in text.lower().split() if not any(word in known for known in known_words)]
        hint = did_you_mean(unknown[0], known_words) if unknown else ""
        where = "" if self.collection is None else f" of the collection {quote(self.collection)}"
        hint = hint or "; combinat list shows all ids"
        return f"no paytable{where} has {quote(text)} in its names, awards or game{hint}"
