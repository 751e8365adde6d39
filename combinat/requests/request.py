"""The base class of requests, and the description of their fields."""

from __future__ import annotations

import types
import warnings
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, Generic, ParamSpec, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, UNSET, Struct
from msgspec.structs import fields as struct_fields

from decks import InputError, did_you_mean
from decks.errors import quote

P = ParamSpec("P")
R = TypeVar("R")
"""What a request computes."""
A = TypeVar("A")
"""A result: the Struct whose JSON is printed and sent."""
RequestT = TypeVar("RequestT", bound="Request[Any, Any]")
Notify = Callable[[str], None]
"""A function that receives a message about an answer, such as a deck count that was skipped."""


class Group(StrEnum):
    """The heading under which help lists an option."""

    SUBJECT = "What to compute"
    TABLE = "Table conditions"
    DOCUMENT = "Document"
    RUN = "How it runs"
    OUTPUT = "Output"


class Option(Struct, frozen=True):
    """The description of a field of a request."""

    description: str
    flags: tuple[str, ...] = ()
    """Names on the command line; by default the name of the field with dashes."""
    unit: str = ""
    """The unit of a number, such as money or percent; schemas of the body over HTTP state it."""
    group: Group = Group.SUBJECT
    default: str = ""
    """The default as help states it, where `None` stands for a value that depends on the bet."""
    names: str = ""
    """What the text names: `paytable` or `game` (an id or a file), `collection`, or nothing of these."""
    is_argument: bool = False
    """Whether the command line takes the value without a flag."""
    is_repeated: bool = False
    """Whether the command line may give the value several times."""


Jobs = Annotated[int, Option("Number of processes; 0 means one per core.", ("--jobs", "-j"), group=Group.RUN)]
ClusterAddress = Annotated[
    str,
    Option(
        "Address of a Dask scheduler to use instead of local processes, such as tcp://10.0.0.1:8786.",
        ("--cluster",),
        group=Group.RUN,
    ),
]


class Field(Struct, frozen=True):
    """A field of a request, as the interfaces read it."""

    name: str
    option: Option
    type: Any
    default: Any
    """The default value; `UNSET` if the field is required."""

    @property
    def is_required(self) -> bool:
        """Whether a request without the field is refused."""
        return self.default is UNSET

    @property
    def is_flag(self) -> bool:
        """Whether the field is true or false, or `None` for the default of the bet."""
        return bool in self.choices and self.choices <= {bool, type(None)}

    @property
    def is_integer(self) -> bool:
        """Whether the field is a whole number."""
        return int in self.choices and self.choices <= {int, type(None)}

    @property
    def choices(self) -> set[Any]:
        """The types that a value may have, without their parameters."""
        kinds = get_args(self.type) if get_origin(self.type) in (Union, types.UnionType) else (self.type,)
        return {get_origin(kind) or kind for kind in kinds}


class Request(Struct, Generic[R, A], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question with its options; `answer` computes, and `results` makes results of what was computed."""

    def answer(self, notify: Notify) -> R:
        """Compute the answer; messages about it, such as a skipped deck count, go to `notify`."""
        raise NotImplementedError

    def results(self, computed: R) -> Sequence[A]:
        """Return the results of what `answer` computed: Python returns them, the command and HTTP write their JSON."""
        raise NotImplementedError


class RequestWarning(UserWarning):
    """A message about the answer to a request, such as a deck count that was skipped."""


def send_warning(message: str) -> None:
    """Show a message about an answer as a Python warning."""
    warnings.warn(message, RequestWarning, stacklevel=4)


@lru_cache(maxsize=128)
def request_fields(request: type[Request[Any, Any]]) -> tuple[Field, ...]:
    """Return the fields of a request in the order in which help lists them."""
    hints = get_type_hints(request, include_extras=True)
    return tuple(_field(item.name, hints[item.name], item) for item in struct_fields(request))


def _field(name: str, hint: Any, item: Any) -> Field:
    base, metadata = (hint.__origin__, hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())
    option = next((entry for entry in metadata if isinstance(entry, Option)), None)
    if option is None:
        raise TypeError(f"the field {name} has no Option; write Annotated[..., Option('One sentence.')]")
    if item.required:
        return Field(name, option, base, UNSET)
    return Field(name, option, base, item.default_factory() if item.default is NODEFAULT else item.default)


def build_request(request: Callable[P, RequestT], *args: P.args, **kwargs: P.kwargs) -> RequestT:
    """Build a request from the arguments of a function; name the arguments in the message of a wrong call."""
    check_option_names(cast("type[Request[Any, Any]]", request), kwargs)
    try:
        return request(*args, **kwargs)
    except TypeError as error:
        kind = cast("type[Request[Any, Any]]", request)
        names = ", ".join(f"{field.name}=..." for field in request_fields(kind)[:4])
        raise TypeError(f"{error}; write the arguments by name: {names}") from None


def check_option_names(request: type[Request[Any, Any]], given: Iterable[str]) -> None:
    """Raise `InputError` for the name of an option that a request does not have.

    >>> from combinat.requests.odds import Odds
    >>> check_option_names(Odds, ["rule", "dekcs"])
    Traceback (most recent call last):
        ...
    decks.errors.InputError: odds has no option 'dekcs'; did you mean 'decks'?
    """
    names = [field.name for field in request_fields(request)]
    for name in given:
        if name not in names:
            hint = hint_for_option(request, name) or f"; its options are {', '.join(names)}"
            raise InputError(f"{request.__name__.lower()} has no option {quote(name)}{hint}")


FORMER_OPTIONS = {"watching": "counting", "house_jackpot": "posted_jackpot", "shelf": "collection"}
"""Earlier names of options, with their present names."""


def hint_for_option(request: type[Request[Any, Any]], name: str) -> str:
    """Return which option of a request was meant: one with that flag or earlier name, or of a similar name.

    >>> from combinat.requests.analysis import Analyze
    >>> hint_for_option(Analyze, "hands"), hint_for_option(Analyze, "dekcs")
    ("; write 'max_hands'", "; did you mean 'decks'?")
    """
    fields = request_fields(request)
    flags = {flag.strip("-"): field.name for field in fields for flag in field.option.flags}
    meant = FORMER_OPTIONS.get(name) or flags.get(name.replace("_", "-"))
    names = [field.name for field in fields]
    return f"; write {quote(meant)}" if meant in names else did_you_mean(name, names)
