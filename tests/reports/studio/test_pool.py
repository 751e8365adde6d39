"""Workers compute in separate processes: within limits, stopped when abandoned, replaced when they die."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import httpx2
import msgspec
import pytest
import uvicorn

from combinat.parallel.process import TaskResult
from reports.studio import security as connection
from reports.studio import worker
from reports.studio.command import open_listener
from reports.studio.pool import Limits, RequestFailedError, WorkerPool
from reports.studio.worker import WorkerResult
from tests.bet_text import VALID_BET
from tests.studio import run_studio

ROOT = Path(__file__).parents[3]
ENDLESS = {"bet": [{"id": "TRI-01"}], "decks": "6", "bound": True, "samples": 10_000_000, "chunk": 10}
"""A `count` request that takes hours on any machine and reports progress early."""
PATIENCE = 120
"""Timeout in seconds for steps that take less than one second on an idle machine."""
VIEW = {"toml": VALID_BET, "decks": "1-8"}


async def wait_until(condition):
    """Wait until `condition()` is true."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def start_endless_request(workers, page=""):
    """Start an endless request and return its future after the first progress report."""
    steps = []
    request = asyncio.ensure_future(workers.ask("count", ENDLESS, page, steps.append))
    await wait_until(lambda: steps or request.done())
    return request


def run_with_workers(ask, **limits):
    """Run `ask` with a new pool and check that no worker is left."""

    async def run_pool():
        workers = WorkerPool(Limits(**limits))
        await workers.start()
        try:
            return await ask(workers)
        finally:
            processes = [process.process for process in workers._alive]
            await workers.stop()
            assert not any(process.is_alive() for process in processes)

    return asyncio.run(run_pool())


def test_limited_process_cannot_write_files_or_exceed_memory(tmp_path):
    code = (
        "import sys; from reports.studio.worker import limit\n"
        "limit(2**30)\n"
        "try: open(sys.argv[1], 'w').write('x' * 10**6)\n"
        "except OSError: print('no file')\n"
        "try: bytearray(2**31)\n"
        "except MemoryError: print('no memory')"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "x"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert process.stdout.split("\n")[:2] == ["no file", "no memory"]


@pytest.mark.parametrize(
    ("raised", "why"),
    [(MemoryError(), worker.TOO_MUCH), (RecursionError(), worker.REFUSED), (KeyError("x"), worker.FAILED)],
)
def test_worker_errors_are_reported(monkeypatch, raised, why):
    def fail(*_):
        raise raised

    monkeypatch.setattr(worker, "answer_request", fail)
    result = worker.answer_in_worker("view", {})
    assert (result.answer, result.why) == (None, why)
    assert "\n" not in result.message


def test_oversized_answer_is_refused(monkeypatch):
    monkeypatch.setattr(worker, "answer_request", lambda *_: worker.StudioAnswer(b"x" * 101))
    monkeypatch.setattr(worker, "MAX_ANSWER_BYTES", 100)
    result = worker.answer_in_worker("view", {})
    assert "larger than 100 bytes" in result.message


class StubWorker:
    """A worker without a process that returns the given results and then ends."""

    def __init__(self, *results):
        self.results = list(results)
        self.stopped = False

        self.current_count, self.cached_counts = "", []

    def is_alive(self):
        return not self.stopped

    def send(self, *_):
        pass

    def receive(self):
        if not self.results:
            raise EOFError
        return TaskResult(self.results.pop(0))

    def kill(self):
        self.stopped = True


@pytest.mark.parametrize(
    ("messages", "status"),
    [
        ([WorkerResult(None, worker.TOO_MUCH)], 507),
        ([WorkerResult(None, worker.REFUSED, "no")], 422),
        ([WorkerResult(None, worker.FAILED, "no")], 500),
        ([], 500),  # the worker died
    ],
)
def test_every_worker_exit_has_a_status(messages, status):
    async def ask():
        workers = WorkerPool(Limits(idle_workers=0))
        workers._idle.append(stub := StubWorker(*messages))
        with pytest.raises(RequestFailedError) as refused:
            await workers.ask("view", {})
        assert refused.value.status == status
        assert stub.stopped
        await workers.stop()

    asyncio.run(ask())


def test_idle_worker_that_ended_gets_no_request():
    async def ask():
        workers = WorkerPool(Limits(idle_workers=0))
        ended, other = StubWorker(), StubWorker(WorkerResult(worker.StudioAnswer(b"1")))
        ended.stopped = True
        workers._idle += [other, ended]
        assert (await workers.ask("view", {})).content == b"1"
        await workers.stop()

    asyncio.run(ask())


class SlowWorker(StubWorker):
    """A worker that answers once for each release of `lets`."""

    def __init__(self):
        super().__init__(*[WorkerResult(worker.StudioAnswer(b"1"))] * 9)
        self.lets = threading.Semaphore(0)
        self.asked = []

    def send(self, _function, _kind, body):
        self.asked.append(body["toml"])

    def receive(self):
        return self.lets.acquire(timeout=PATIENCE) and super().receive()


def view_with_pay(number):
    return {"toml": VALID_BET.replace("5 to 1", f"{number} to 1")}


def test_requests_go_to_the_worker_with_the_cached_count():
    async def ask():
        workers = WorkerPool(Limits(idle_workers=2))
        workers._idle += [first := SlowWorker(), second := SlowWorker()]
        first.lets.release(3), second.lets.release(3)
        await workers.ask("view", view_with_pay(5))
        await workers.ask("view", {"toml": VALID_BET.replace("suited", "pair")})
        await workers.ask("variants", view_with_pay(6))
        await workers.ask("view", view_with_pay(7))
        assert sorted((len(first.asked), len(second.asked))) == [1, 3]
        await workers.stop()

    asyncio.run(ask())


def test_only_a_shared_count_is_finished():
    async def ask():
        workers = WorkerPool(Limits(idle_workers=1, max_workers=1, grace_milliseconds=1))
        workers._idle.append(slow := SlowWorker())
        workers._alive.add(slow)
        requests = []
        for number in (5, 6, 7):
            requests.append(asyncio.ensure_future(workers.ask("view", view_with_pay(number), "page")))
            await wait_until(lambda: slow.asked and all(request.done() for request in requests[:-1]))
        assert not requests[2].done()  # the first two were replaced by newer requests
        slow.lets.release(2)
        assert (await requests[2]).content == b"1"
        assert (slow.asked, slow.stopped) == ([view_with_pay(5)["toml"], view_with_pay(7)["toml"]], False)
        requests += [asyncio.ensure_future(workers.ask("view", view_with_pay(number), "page")) for number in (8, 9)]
        await wait_until(requests[3].done)
        assert not slow.stopped
        last = asyncio.ensure_future(workers.ask("view", {"toml": VALID_BET.replace("suited", "pair")}, "page"))
        await wait_until(lambda: slow.stopped)  # its count is no longer needed
        last.cancel()
        slow.lets.release(9)
        await workers.stop()
        await asyncio.gather(*requests, last, return_exceptions=True)

    asyncio.run(ask())


def test_silent_connection_is_closed(monkeypatch):
    monkeypatch.setattr(connection, "HEADER_TIMEOUT", 0.1)

    async def no_app(scope, receive, send):
        pass

    async def connect():
        server = uvicorn.Server(
            uvicorn.Config(no_app, http=connection.Connection, interface="asgi3", lifespan="off", log_level="critical")
        )
        serving = asyncio.ensure_future(server.serve([listener]))
        for sent in (b"", b"GET / HTTP/1.1\r\nHost: x\r\n"):
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            writer.write(sent)
            assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        server.should_exit = True
        await serving

    with open_listener("127.0.0.1", 0) as listener:
        asyncio.run(connect())


def test_full_queue_refuses_requests():
    async def ask():
        workers = WorkerPool(Limits(idle_workers=0, max_workers=0, max_waiting=2, seconds=0.1))
        errors = await asyncio.gather(*(workers.ask("view", {}) for _ in range(4)), return_exceptions=True)
        assert [error.status for error in errors] == [503] * 4
        await workers.stop()

    asyncio.run(ask())


def test_newer_request_replaces_a_waiting_one():
    async def ask():
        workers = WorkerPool(Limits(idle_workers=0, max_workers=0))
        first = asyncio.ensure_future(workers.ask("view", {}, "page"))
        await asyncio.sleep(0)
        second = asyncio.ensure_future(workers.ask("view", {}, "page"))
        with pytest.raises(RequestFailedError) as refused:
            await first
        assert (refused.value.status, second.done()) == (409, False)
        second.cancel()
        await workers.stop()

    asyncio.run(ask())


@pytest.mark.slow
def test_newer_request_replaces_only_those_of_its_page():
    async def ask(workers):
        old, other = await start_endless_request(workers, "one"), await start_endless_request(workers, "other")
        answer = await workers.ask("count", {"bet": [{"id": "TRI-03"}], "decks": "6", "tags": "A=1 2=-1"}, "one")
        assert b"TRI-03" in answer.content
        with pytest.raises(RequestFailedError) as replaced:
            await old
        assert replaced.value.status == 409
        assert not other.done()
        assert b"TRI-03" in (await workers.ask("analyze", {"bet": [{"id": "TRI-03"}]}, "third")).content
        other.cancel()

    run_with_workers(ask, idle_workers=1, max_workers=4, seconds=PATIENCE)


@pytest.mark.slow
def test_request_after_a_timeout_is_answered():
    async def ask(workers):
        with pytest.raises(RequestFailedError) as stopped:
            await workers.ask("count", ENDLESS)
        assert (stopped.value.status, "1 seconds" in stopped.value.message) == (504, True)
        workers.limits = msgspec.structs.replace(workers.limits, seconds=PATIENCE)  # a worker may start slowly
        assert b"MINE" in (await workers.ask("view", VIEW)).content

    run_with_workers(ask, idle_workers=1, max_workers=2, seconds=1)


@pytest.mark.slow
def test_dead_worker_is_replaced():
    async def ask(workers):
        for _ in range(2):
            request = await start_endless_request(workers)
            (busy_worker,) = workers._alive - set(workers._idle)
            os.kill(busy_worker.process.pid, 9)
            with pytest.raises(RequestFailedError) as died:
                await request
            assert died.value.status == 500
        assert b"MINE" in (await workers.ask("view", VIEW)).content

    run_with_workers(ask, idle_workers=1, max_workers=1, seconds=PATIENCE)


@pytest.mark.slow
def test_out_of_memory_is_one_line():
    """A library that cannot allocate memory may end its process; the server continues."""
    with run_studio("--memory", "256") as (address, _):
        response = httpx2.post(f"{address}api/par_sheet", json={"bet": "BB-1", "decks": 2}, timeout=PATIENCE)
        assert response.status_code in (500, 507)
        assert "memory" in response.json()["error"]
        assert httpx2.post(f"{address}page/view", json=VIEW, timeout=PATIENCE).status_code == 200


@pytest.mark.slow
def test_sigterm_stops_the_server_during_work():
    with run_studio("--host", "::1", "--seconds", "3600", ended_by=signal.SIGTERM) as (address, process):
        assert httpx2.get(address, headers={"Origin": address.rstrip("/")}, timeout=PATIENCE).status_code == 200
        assert httpx2.get(address, headers={"Host": "evil.example"}, timeout=PATIENCE).status_code == 403
        with pytest.raises(httpx2.TimeoutException):
            httpx2.post(f"{address}api/count", json=ENDLESS, timeout=1)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)  # the computation would take far longer


@pytest.mark.slow
def test_thousand_concurrent_requests_are_served_or_refused():
    async def ask(host, page):
        """Send a request over a plain connection; an HTTP client would use more CPU than the server."""
        reader, writer = await asyncio.open_connection(*host.split(":"))
        body = msgspec.json.encode(VIEW)
        header_lines = [
            f"Host: {host}",
            f"Page: p{page}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        ]
        writer.write(
            "\r\n".join(["POST /page/view HTTP/1.1", *header_lines, "Connection: close", "", ""]).encode() + body
        )
        head, _, answer = (await asyncio.wait_for(reader.read(), PATIENCE)).partition(b"\r\n\r\n")
        writer.close()
        return int(head.split()[1]), answer

    async def send_all(host):
        return await asyncio.gather(*(ask(host, number % 10) for number in range(1000)))

    with run_studio() as (address, process):
        answers = asyncio.run(send_all(httpx2.URL(address).netloc.decode()))
        codes = [code for code, _ in answers]
        assert set(codes) <= {200, 409, 503}
        assert codes.count(200) >= 1
        assert all("\n" not in msgspec.json.decode(answer)["error"] for code, answer in answers if code != 200)
        peak = Path(f"/proc/{process.pid}/status").read_text().partition("VmHWM:")[2].split()[0]
        assert int(peak) < 400_000  # kilobytes
        assert httpx2.post(f"{address}page/view", json=VIEW, timeout=PATIENCE).status_code == 200


def test_deeply_nested_request_is_refused():
    nested = []
    for _ in range(900):  # parsed by the server, but too deep to be pickled
        nested = [nested]

    async def ask(workers):
        (worker,) = workers._alive
        with pytest.raises(RequestFailedError) as refused:
            await workers.ask("view", {"toml": nested})
        assert refused.value.status == 422
        assert b"MINE" in (await workers.ask("view", VIEW)).content
        assert workers._idle == [worker]

    run_with_workers(ask, idle_workers=1, max_workers=1, seconds=PATIENCE)


@pytest.mark.slow
def test_server_stops_cleanly_right_after_start():
    with run_studio():
        pass


@pytest.mark.slow
def test_server_stops_cleanly_during_a_computation():
    # `run_studio` waits a minute and a half for the end; the computation would take far longer.
    with run_studio("--seconds", "3600") as (address, _), pytest.raises(httpx2.ReadTimeout):
        httpx2.post(f"{address}api/count", json=ENDLESS, timeout=1)


def test_stopped_pool_reads_no_progress():
    pool = WorkerPool(Limits(idle_workers=0))

    class Stopping(StubWorker):
        def send(self, *_):
            pool._is_stopped = True
            pool._threads.shutdown(wait=False)

    result = asyncio.run(pool._run_request(Stopping(), "count", {}, None))
    assert result.value.answer is None


def test_replaced_and_starting_workers_end_with_the_pool():
    async def ask(workers):
        (worker,), release = workers._alive, threading.Event()
        for _ in range(workers.limits.max_workers + 2):  # occupy every thread that could end or start a worker
            workers._threads.submit(release.wait)
        workers._schedule_end(workers._replace_worker(worker))
        workers._schedule_start()
        await asyncio.sleep(0.01)
        await workers.stop()
        release.set()
        return [worker, *workers._running]

    assert not any(process.is_alive() for process in run_with_workers(ask, idle_workers=1, max_workers=1))


def test_process_started_after_stop_ends_at_once():
    workers = WorkerPool(Limits(idle_workers=0))
    workers._is_stopped = True
    assert not workers._create_worker().is_alive()
    assert not workers._running


def test_used_port_is_one_line(run):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        code, out, err = run("studio", "--no-browser", "--port", port)
    assert (code, out) == (2, "")
    assert err.startswith(f"combinat: port {port} is in use")
    assert err.count("\n") == 1


def test_small_answers_are_sent_without_delay():
    """The server sets TCP_NODELAY only on sockets whose protocol is TCP."""
    with open_listener("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--port", "70000"), "--port must be 0 to 65535, got 70000"),
        (("--token", "a&b c"), "--token must be 8 to 200 letters"),
        (("--seconds", "0"), "--seconds must be 1 to 3600, got 0"),
        (("--memory", "1"), "--memory must be 256 to 1048576 megabytes, got 1"),
        (("--host", "no such host"), "cannot listen on 'no such host': "),
    ],
)
def test_invalid_server_options_are_one_line(run, options, message):
    code, out, err = run("studio", "--no-browser", *options)
    assert (code, out) == (2, "")
    assert err.startswith(f"combinat: {message}")


def test_missing_libraries_are_named(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "reports.studio.running", raising=False)
    code, _, err = run("studio")
    assert (code, err.count("\n")) == (2, 1)
    assert "uvicorn" in err
    assert "pip install '.[studio]'" in err
