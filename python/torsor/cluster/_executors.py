"""Who runs chunks: threads of this process, or workers of Ray."""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import sys
import sysconfig
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from torsor import _core
from torsor.cluster._errors import ClusterError, WorkerLost
from torsor.cluster._tasks import Outcome, Shared, run_here, run_on_worker


def core_count() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalExecutor:
    """Threads of this process: the engine lets other Python threads run while it works."""

    def __init__(self, workers: int | None = None):
        self.workers = workers or core_count()
        self.most_pending = self.workers
        self._pool = concurrent.futures.ThreadPoolExecutor(self.workers, thread_name_prefix="torsor")
        self._shared: Shared = Shared()

    @property
    def isa(self) -> str:
        return _core.isa()

    def share(self, shared: Shared) -> None:
        self._shared = shared

    def submit(self, task, arguments: tuple) -> Any:
        return self._pool.submit(run_here, task, self._shared, arguments)

    def wait(self, handles: Iterable[Any], timeout: float | None) -> list[Any]:
        return list(concurrent.futures.wait(handles, timeout, concurrent.futures.FIRST_COMPLETED).done)

    def fetch(self, handle: Any) -> Outcome:
        return handle.result()

    def close(self, pending: Iterable[Any] = ()) -> None:
        """Drops what has not begun, and waits for the rest."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class RayExecutor:
    """Tasks of a Ray cluster, one core each. What a lost worker did is not retried by Ray but by the driver's loop."""

    def __init__(self, cluster: Any):
        import ray  # noqa: PLC0415 only those who use a cluster need it

        self._ray, self._cluster = ray, cluster
        self._run = ray.remote(run_on_worker).options(num_cpus=1, max_retries=0)
        self._holder: list = []
        self._key = ""

    @property
    def workers(self) -> int:
        return self._cluster.workers

    @property
    def isa(self) -> str:
        """the instruction set that all workers use"""
        return self._cluster.engine.isa

    @property
    def most_pending(self) -> int:
        """Some more than workers, so that none waits for the driver; not if fewer than the cores are wanted."""
        return self.workers if self._cluster.is_limited else 2 * self.workers

    def share(self, shared: Shared) -> None:
        try:
            with sent_by_value(self._ray, shared.others.get("function")):
                self._holder, self._key = [self._ray.put(shared)], uuid.uuid4().hex
        except Exception as error:
            raise ClusterError(f"the function cannot be sent to workers: {first_line(error)}") from error

    def submit(self, task, arguments: tuple) -> Any:
        return self._run.remote(task, self._key, self._holder, self._cluster.engine, arguments)

    def wait(self, handles: Iterable[Any], timeout: float | None) -> list[Any]:
        done, _ = self._ray.wait(list(handles), num_returns=1, timeout=timeout, fetch_local=False)
        if done:  # and whatever else is finished already
            seen = set(done)
            rest = [handle for handle in handles if handle not in seen]
            if rest:
                done += self._ray.wait(rest, num_returns=len(rest), timeout=0, fetch_local=False)[0]
        return done

    def fetch(self, handle: Any) -> Outcome:
        exceptions = self._ray.exceptions
        try:
            outcome = self._ray.get(handle)
        except exceptions.RayTaskError as error:  # of our own code: the functions of users are caught on the worker
            raise ClusterError(f"a worker cannot run chunks: {first_line(error.cause)}") from error
        except exceptions.RayError as error:
            raise WorkerLost(first_line(error)) from error
        if outcome.refusal:
            raise ClusterError(f"node {outcome.where} {outcome.refusal}; nodes must agree, or results would depend on where they were "
                               "computed")
        return outcome

    def close(self, pending: Iterable[Any] = ()) -> None:
        for handle in pending:
            try:
                self._ray.cancel(handle, force=False)
            except Exception:  # noqa: BLE001, S110 finished meanwhile, or the cluster is gone: nothing left to stop
                pass
        self._holder = []


@contextlib.contextmanager
def sent_by_value(ray: Any, function: Any) -> Iterator[None]:
    """Functions of the user's own files travel as they are: workers may not have these files. Installed packages they have."""
    owner = function if hasattr(function, "__code__") else type(function)
    module = sys.modules.get(getattr(owner, "__module__", None) or "")
    file = getattr(module, "__file__", None) or ""
    is_own = bool(file) and module.__name__ != "__main__" and not file.startswith(_installed())
    if is_own:
        ray.cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        if is_own:
            ray.cloudpickle.unregister_pickle_by_value(module)


def _installed() -> tuple[str, ...]:
    """Folders of what is installed: Python's own, packages, and this one."""
    own = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return (own, *{path for path in sysconfig.get_paths().values() if path})


def first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
