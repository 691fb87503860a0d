"""asyncio without descriptors: coroutines can wait for each other and for time, never for input."""

import asyncio
import selectors
import time


class TimeOnly(selectors.BaseSelector):
    """Waits for time only."""

    def register(self, fileobj, events, data=None):
        raise PermissionError("metrics cannot wait for input")

    def unregister(self, fileobj):
        raise KeyError(fileobj)

    def get_map(self):
        return {}

    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("the coroutine waits for something that cannot happen")
        if timeout > 0:
            time.sleep(timeout)
        return []


class EventLoop(asyncio.SelectorEventLoop):
    def __init__(self):
        super().__init__(TimeOnly())

    def _make_self_pipe(self):
        self._ssock = self._csock = None

    def _close_self_pipe(self):
        pass

    def _write_to_self(self):
        pass


def use_event_loop():
    """Makes `asyncio.run` and `asyncio.new_event_loop` use this loop, on versions of Python that have policies."""
    base = getattr(asyncio, "DefaultEventLoopPolicy", None)
    if base is not None:
        asyncio.set_event_loop_policy(type("Policy", (base,), {"_loop_factory": EventLoop})())


def run(coroutine):
    loop = EventLoop()
    asyncio.set_event_loop(loop)
    return loop.run_until_complete(coroutine)
