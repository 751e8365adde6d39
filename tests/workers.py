"""A fake cluster: workers that finish in any order and may die."""

from concurrent.futures import Future

from combinat.parallel.executor import WorkerDiedError, WorkerExecutor


class RemoteWorkers(WorkerExecutor):
    """Remote workers: they finish in any order, and it is unknown at which step they died.

    `deadly` steps kill every worker, `once` steps kill one.
    """

    shares_files = False
    size = 3

    def __init__(self, order=min, deadly=(), once=()):
        self.order, self.deadly, self.once = order, set(deadly), set(once)
        self.calls = {}
        self.most = 0

    def submit(self, fn, *args):
        future = Future()
        self.calls[future] = len(self.calls), fn, args
        self.most = max(self.most, sum(not one.done() for one in self.calls))
        return future

    def as_completed(self, futures):
        waiting = list(futures)
        while waiting:
            future = self.order(waiting, key=lambda one: self.calls[one][0])
            waiting.remove(future)
            _, fn, args = self.calls[future]
            if self.deadly & set(args[1]):
                future.set_exception(WorkerDiedError("it killed 4 workers", is_final=True))
            elif fatal := self.once & set(args[1]):
                self.once -= fatal
                future.set_exception(WorkerDiedError("killed by SIGKILL"))
            else:
                future.set_result(list(fn(*args)))
            yield future

    def retire_idle_workers(self):
        pass
