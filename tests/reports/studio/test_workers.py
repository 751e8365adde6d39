"""Computations in processes of their own: within limits, stopped when nobody wants them, replaced when they die."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import types
from pathlib import Path

import httpx2
import msgspec
import pytest
import uvicorn

from reports.studio import security as connection
from reports.studio import worker
from reports.studio.command import open_listener
from reports.studio.pool import Limits, RequestFailedError, WorkerPool
from reports.studio.worker import WorkerResult, WorkerTask
from tests.files import GOOD
from tests.studio import running

ROOT = Path(__file__).parents[3]
ENDLESS = {"bets": [{"id": "TRI-01"}], "decks": "6", "bound": True, "samples": 10_000_000, "chunk": 10}
"""Takes hours as a count, however quick or slow the machine is, and tells early how far it is."""
PATIENCE = 120
"""Seconds that something may take on a busy machine that takes less than one on another."""
VIEW = {"toml": GOOD, "decks": "1-8"}


async def until(is_so):
    """Wait until something is so, however long that takes."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.01)


async def begun(workers, page=""):
    """Have a worker at a question without end, and give it once the worker tells of it."""
    steps = []
    asked = asyncio.ensure_future(workers.ask("count", ENDLESS, page, steps.append))
    await until(lambda: steps or asked.done())
    return asked


def with_workers(ask, **limits):
    """Run something with workers of its own, and leave none behind."""

    async def whole():
        workers = WorkerPool(Limits(**limits))
        await workers.start()
        try:
            return await ask(workers)
        finally:
            started = [one.process for one in workers._alive]
            await workers.stop()
            assert not any(one.is_alive() for one in started)

    return asyncio.run(whole())


def test_a_process_within_limits_writes_no_file_and_takes_no_more_memory(tmp_path):
    code = (
        "import sys; from reports.studio.worker import limit\n"
        "limit(2**30)\n"
        "try: open(sys.argv[1], 'w').write('x' * 10**6)\n"
        "except OSError: print('no file')\n"
        "try: bytearray(2**31)\n"
        "except MemoryError: print('no memory')"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "x"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert told.stdout.split("\n")[:2] == ["no file", "no memory"]


@pytest.mark.parametrize(
    ("raised", "why"),
    [(MemoryError(), worker.TOO_MUCH), (RecursionError(), worker.REFUSED), (KeyError("x"), worker.FAILED)],
)
def test_what_goes_wrong_in_a_worker_is_told(monkeypatch, raised, why):
    def fail(*_):
        raise raised

    monkeypatch.setattr(worker, "answer_request", fail)
    done = worker._done(WorkerTask("view", {}), None)
    assert (done.answer, done.why) == (None, why)
    assert "\n" not in done.message


def test_an_answer_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(worker, "answer_request", lambda *_: worker.StudioAnswer(b"x" * 101))
    monkeypatch.setattr(worker, "LARGEST_ANSWER", 100)
    assert (
        worker._done(WorkerTask("view", {}), None).message == "the answer has more than 100 bytes; ask for less at once"
    )


class Pipe:
    """The other end of a process that is not there."""

    def __init__(self, *messages):
        self.messages = list(messages)

    def send_bytes(self, _):
        pass

    def recv_bytes(self):
        if not self.messages:
            raise EOFError
        return worker._encode(self.messages.pop(0))


class Stub:
    def __init__(self, *messages):
        self.pipe = Pipe(*messages)
        self.stopped = False

        self.at, self.known = "", []

    def is_alive(self):
        return not self.stopped

    def stop(self):
        self.stopped = True


@pytest.mark.parametrize(
    ("messages", "status"),
    [
        ([WorkerResult(None, worker.TOO_MUCH)], 507),
        ([WorkerResult(None, worker.REFUSED, "no")], 422),
        ([WorkerResult(None, worker.FAILED, "no")], 500),
        ([], 500),  # it died
    ],
)
def test_every_end_of_a_worker_has_its_status(messages, status):
    async def ask():
        workers = WorkerPool(Limits(warm=0))
        workers._idle.append(stub := Stub(*messages))
        with pytest.raises(RequestFailedError) as refused:
            await workers.ask("view", {})
        assert refused.value.status == status
        assert stub.stopped
        await workers.stop()

    asyncio.run(ask())


def test_a_worker_that_was_ended_while_it_waited_is_asked_nothing():
    async def ask():
        workers = WorkerPool(Limits(warm=0))
        ended, other = Stub(), Stub(WorkerResult(worker.StudioAnswer(b"1")))
        ended.stopped = True
        workers._idle += [other, ended]
        assert (await workers.ask("view", {})).content == b"1"
        await workers.stop()

    asyncio.run(ask())


class Slow(Stub):
    """A worker that answers when it is let."""

    def __init__(self):
        super().__init__(*[WorkerResult(worker.StudioAnswer(b"1"))] * 9)
        self.lets = threading.Semaphore(0)
        self.asked = []
        answers = self.pipe.recv_bytes
        self.pipe.send_bytes = lambda data: self.asked.append(
            msgspec.msgpack.decode(data, type=WorkerTask).body["toml"]
        )
        self.pipe.recv_bytes = lambda: self.lets.acquire(timeout=PATIENCE) and answers()


def pay(number):
    return {"toml": GOOD.replace("5 to 1", f"{number} to 1")}


def test_questions_on_one_count_go_to_the_worker_that_has_it():
    async def ask():
        workers = WorkerPool(Limits(warm=2))
        workers._idle += [one := Slow(), other := Slow()]
        one.lets.release(3), other.lets.release(3)
        await workers.ask("view", pay(5))
        await workers.ask("view", {"toml": GOOD.replace("suited", "pair")})
        await workers.ask("pins", pay(6))
        await workers.ask("view", pay(7))
        assert sorted((len(one.asked), len(other.asked))) == [1, 3]
        await workers.stop()

    asyncio.run(ask())


def test_a_count_that_the_next_question_needs_too_is_finished_and_no_other():
    async def ask():
        workers = WorkerPool(Limits(warm=1, most=1, grace=1))
        workers._idle.append(slow := Slow())
        workers._alive.add(slow)
        asked = []
        for number in (5, 6, 7):
            asked.append(asyncio.ensure_future(workers.ask("view", pay(number), "page")))
            await until(lambda: slow.asked and all(one.done() for one in asked[:-1]))
        assert not asked[2].done()  # both others are told that a newer one is there
        slow.lets.release(2)
        assert (await asked[2]).content == b"1"
        assert (slow.asked, slow.stopped) == ([pay(5)["toml"], pay(7)["toml"]], False)
        asked += [asyncio.ensure_future(workers.ask("view", pay(number), "page")) for number in (8, 9)]
        await until(asked[3].done)
        assert not slow.stopped
        last = asyncio.ensure_future(workers.ask("view", {"toml": GOOD.replace("suited", "pair")}, "page"))
        await until(lambda: slow.stopped)  # what it counted is of no use any more
        last.cancel()
        slow.lets.release(9)
        await workers.stop()
        await asyncio.gather(*asked, last, return_exceptions=True)

    asyncio.run(ask())


def test_a_connection_over_which_no_request_comes_is_let_go(monkeypatch):
    monkeypatch.setattr(connection, "HEADER_TIMEOUT", 0.1)

    async def no_app(scope, receive, send):
        pass

    async def held():
        server = uvicorn.Server(
            uvicorn.Config(no_app, http=connection.Connection, interface="asgi3", lifespan="off", log_level="critical")
        )
        serving = asyncio.ensure_future(server.serve([taken]))
        for sent in (b"", b"GET / HTTP/1.1\r\nHost: x\r\n"):
            reader, writer = await asyncio.open_connection(*taken.getsockname())
            writer.write(sent)
            assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        server.should_exit = True
        await serving

    with open_listener("127.0.0.1", 0) as taken:
        asyncio.run(held())


def test_too_many_that_wait_are_turned_away():
    async def ask():
        workers = WorkerPool(Limits(warm=0, most=0, waiting=2, seconds=0.1))
        ends = await asyncio.gather(*(workers.ask("view", {}) for _ in range(4)), return_exceptions=True)
        assert [one.status for one in ends] == [503] * 4
        await workers.stop()

    asyncio.run(ask())


def test_a_newer_question_takes_the_place_of_one_that_waits():
    async def ask():
        workers = WorkerPool(Limits(warm=0, most=0))
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
def test_a_newer_question_takes_the_place_of_an_older_one_of_its_page_only():
    async def ask(workers):
        old, other = await begun(workers, "one"), await begun(workers, "other")
        told = await workers.ask("count", {"bets": [{"id": "TRI-03"}]}, "one")
        assert b"TRI-03" in told.content
        with pytest.raises(RequestFailedError) as replaced:
            await old
        assert replaced.value.status == 409
        assert not other.done()
        assert b"TRI-03" in (await workers.ask("analyze", {"bets": [{"id": "TRI-03"}]}, "third")).content
        other.cancel()

    with_workers(ask, warm=1, most=4, seconds=PATIENCE)


@pytest.mark.slow
def test_what_takes_too_long_is_stopped_and_the_next_question_is_answered():
    async def ask(workers):
        with pytest.raises(RequestFailedError) as stopped:
            await workers.ask("count", ENDLESS)
        assert (stopped.value.status, "1 seconds" in stopped.value.message) == (504, True)
        workers.limits = msgspec.structs.replace(workers.limits, seconds=PATIENCE)  # for a worker that starts slowly
        assert b"MINE" in (await workers.ask("view", VIEW)).content

    with_workers(ask, warm=1, most=2, seconds=1)


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced():
    async def ask(workers):
        for _ in range(2):
            working = await begun(workers)
            (at_work,) = workers._alive - set(workers._idle)
            os.kill(at_work.process.pid, 9)
            with pytest.raises(RequestFailedError) as died:
                await working
            assert died.value.status == 500
        assert b"MINE" in (await workers.ask("view", VIEW)).content

    with_workers(ask, warm=1, most=1, seconds=PATIENCE)


@pytest.mark.slow
def test_what_has_too_little_memory_ends_with_one_line_and_nothing_on_the_terminal():
    """A library that is refused memory may end its process at once and say so; the server goes on."""
    with running("--memory", "256") as (address, _):
        told = httpx2.post(f"{address}api/sheet", json={"bet": {"id": "TRI-03"}, "decks": 6}, timeout=PATIENCE)
        assert told.status_code in (500, 507)
        assert "memory" in told.json()["error"]
        assert httpx2.post(f"{address}page/view", json=VIEW, timeout=PATIENCE).status_code == 200


@pytest.mark.slow
def test_the_system_ends_it_as_cleanly_as_a_person_and_whatever_it_works_on():
    with running("--host", "::1", "--seconds", "3600", ended_by=signal.SIGTERM) as (address, process):
        assert httpx2.get(address, headers={"Origin": address.rstrip("/")}, timeout=PATIENCE).status_code == 200
        assert httpx2.get(address, headers={"Host": "evil.example"}, timeout=PATIENCE).status_code == 403
        with pytest.raises(httpx2.TimeoutException):
            httpx2.post(f"{address}api/count", json=ENDLESS, timeout=1)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)  # what it works on would take far longer


@pytest.mark.slow
def test_a_thousand_requests_at_once_are_served_or_refused():
    async def ask(host, page):
        """Ask over a connection of its own, without a client, which would do more than the server."""
        reader, writer = await asyncio.open_connection(*host.split(":"))
        body = msgspec.json.encode(VIEW)
        told = [f"Host: {host}", f"Page: p{page}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
        writer.write("\r\n".join(["POST /page/view HTTP/1.1", *told, "Connection: close", "", ""]).encode() + body)
        head, _, answer = (await asyncio.wait_for(reader.read(), PATIENCE)).partition(b"\r\n\r\n")
        writer.close()
        return int(head.split()[1]), answer

    async def many(host):
        return await asyncio.gather(*(ask(host, number % 10) for number in range(1000)))

    with running() as (address, process):
        told = asyncio.run(many(httpx2.URL(address).netloc.decode()))
        codes = [code for code, _ in told]
        assert set(codes) <= {200, 409, 503}  # each has an answer
        assert codes.count(200) >= 1
        assert all("\n" not in msgspec.json.decode(answer)["error"] for code, answer in told if code != 200)
        peak = Path(f"/proc/{process.pid}/status").read_text().partition("VmHWM:")[2].split()[0]
        assert int(peak) < 400_000  # kilobytes
        assert httpx2.post(f"{address}page/view", json=VIEW, timeout=PATIENCE).status_code == 200


@pytest.mark.slow
def test_a_server_stops_cleanly_as_soon_as_its_address_is_told():
    with running():
        pass


@pytest.mark.slow
def test_a_server_stops_cleanly_while_a_computation_runs():
    # Whoever ends it waits for a minute and a half, and the computation would take far longer.
    with running("--seconds", "3600") as (address, _), pytest.raises(httpx2.ReadTimeout):
        httpx2.post(f"{address}api/count", json=ENDLESS, timeout=1)


def test_progress_is_not_read_after_the_pool_was_stopped():
    pool = WorkerPool(Limits(warm=0))

    class Pipe:
        def send_bytes(self, _data):
            pool._is_over = True
            pool._threads.shutdown(wait=False)

    answer = asyncio.run(pool._answer(types.SimpleNamespace(pipe=Pipe()), WorkerTask("count", {}), None))
    assert answer.answer is None


def test_workers_that_are_being_given_up_or_started_end_with_the_others():
    async def ask(workers):
        (worker,), held = workers._alive, threading.Event()
        for _ in range(workers.limits.most + 2):  # no thread is left to end it, nor to start another
            workers._threads.submit(held.wait)
        workers._later(workers._lose(worker))
        workers._start_later()
        await asyncio.sleep(0.01)
        await workers.stop()
        held.set()
        return [worker, *workers._running]

    assert not any(one.is_alive() for one in with_workers(ask, warm=1, most=1))


def test_a_process_that_is_started_when_all_is_over_ends_at_once():
    workers = WorkerPool(Limits(warm=0))
    workers._is_over = True
    assert not workers._made().is_alive()
    assert not workers._running


def test_a_port_that_is_taken_is_told_in_one_line(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, out, err = run("studio", "--no-browser", "--port", port)
    assert (code, out) == (2, "")
    assert err.startswith(f"combinat: port {port} is taken, perhaps by another studio; give another with --port")
    assert err.count("\n") == 1


def test_small_answers_are_not_held_back():
    """The server turns off the waiting for more to send on connections that are known to be TCP's."""
    with open_listener("127.0.0.1", 0) as taken:
        assert taken.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--port", "70000"), "no port 70000; give 0 to 65535"),
        (("--token", "a&b c"), "a token has 8 to 200 letters, digits, - and _; left out, "),
        (("--seconds", "0"), "cannot stop after 0 seconds; give 1 to 3600"),
        (("--memory", "1"), "cannot work with 1 megabytes; give 256 or more"),
        (("--host", "no such host"), "cannot listen on 'no such host': "),
    ],
)
def test_what_cannot_be_listened_on_is_told_in_one_line(run, options, message):
    code, out, err = run("studio", "--no-browser", *options)
    assert (code, out) == (2, "")
    assert err.startswith(f"combinat: {message}")


def test_without_its_libraries_the_studio_says_what_to_install(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "reports.studio.running", raising=False)
    code, _, err = run("studio")
    assert (code, err) == (
        2,
        "combinat: the studio needs uvicorn; in a checkout of combinat: pip install '.[studio]'\n",
    )
