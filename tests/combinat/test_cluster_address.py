"""Who listens at a cluster's address: nobody, somebody silent, somebody who speaks otherwise, or a scheduler."""

import socket
from contextlib import contextmanager, suppress
from threading import Thread
from types import SimpleNamespace

import pytest

from combinat.parallel import cluster
from combinat.parallel.cluster import check_greeting, is_task_wanted


@contextmanager
def listening(words):
    """Listen at a port and say something to whoever comes."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet():
            with server.accept()[0] as caller:
                caller.sendall(words)
                with suppress(ConnectionResetError):
                    caller.recv(1)  # until the caller hangs up

        thread = Thread(target=greet, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        thread.join(5)


@pytest.fixture
def impatient(monkeypatch):
    """Wait only a moment; not where something is to come, which takes longer than that on a busy machine."""
    monkeypatch.setattr(cluster, "_CONNECT_TIMEOUT", 0.2)


def test_a_scheduler_greets_with_the_length_of_its_first_message():
    with listening((300).to_bytes(8, "little") + b"x") as address:
        check_greeting(address)


def test_who_greets_otherwise_is_no_scheduler():
    with listening(b"SSH-2.0-OpenSSH_9\r\n") as address, pytest.raises(OSError, match="is no Dask scheduler"):
        check_greeting(address)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("words", [b"", b"220"])
def test_who_does_not_greet_to_the_end_is_not_waited_for_long(words):
    with listening(words) as address, pytest.raises(TimeoutError, match="timed out"):
        check_greeting(address)


def test_where_nobody_listens_that_is_said():
    with socket.socket() as taken:  # so that nobody else begins to listen there
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionRefusedError):
            check_greeting(f"tcp://127.0.0.1:{taken.getsockname()[1]}")
    with pytest.raises(OSError, match="no port 99999"):
        check_greeting("tcp://127.0.0.1:99999")


def test_a_task_that_was_called_back_or_is_unknown_is_not_waited_for():
    told = [is_task_wanted(SimpleNamespace(state=state)) for state in ("executing", "long-running", "cancelled")]
    assert told == [True, True, False]
    assert not is_task_wanted(None)
