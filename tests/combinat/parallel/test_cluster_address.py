"""Checking a cluster's address: closed, silent, another protocol, or a scheduler."""

import socket
from contextlib import contextmanager, suppress
from threading import Thread
from types import SimpleNamespace

import pytest

from combinat.parallel import cluster
from combinat.parallel.cluster import check_greeting, is_task_wanted


@contextmanager
def listening(words):
    """Listen at a port and send a greeting to each client."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet():
            with server.accept()[0] as caller:
                caller.sendall(words)
                with suppress(ConnectionResetError):
                    caller.recv(1)  # until the client hangs up

        thread = Thread(target=greet, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        thread.join(5)


@pytest.fixture
def impatient(monkeypatch):
    """Use a short timeout, except where an answer is expected: a busy machine takes longer."""
    monkeypatch.setattr(cluster, "_CONNECT_TIMEOUT", 0.2)


def test_dask_greeting_is_accepted():
    with listening((300).to_bytes(8, "little") + b"x") as address:
        check_greeting(address)


def test_non_dask_greeting_is_rejected():
    with listening(b"SSH-2.0-OpenSSH_9\r\n") as address, pytest.raises(OSError, match="not a Dask scheduler"):
        check_greeting(address)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("words", [b"", b"220"])
def test_incomplete_greeting_times_out(words):
    with listening(words) as address, pytest.raises(TimeoutError, match="timed out"):
        check_greeting(address)


def test_closed_port_is_reported():
    with socket.socket() as used:  # so that no other process starts to listen there
        used.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionRefusedError):
            check_greeting(f"tcp://127.0.0.1:{used.getsockname()[1]}")
    with pytest.raises(OSError, match="got 99999"):
        check_greeting("tcp://127.0.0.1:99999")


def test_cancelled_or_lost_tasks_do_not_block():
    answer = [is_task_wanted(SimpleNamespace(state=state)) for state in ("executing", "long-running", "cancelled")]
    assert answer == [True, True, False]
    assert not is_task_wanted(None)
