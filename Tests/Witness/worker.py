"""Runs renderer jobs in a child process, because a stranger's shader may hang or kill the driver."""

import multiprocessing


class RenderError(Exception):
    """The witness has no picture of this job; the message says why in a few words."""


class Worker:
    """A child process with one renderer. A job that takes too long costs the child, never the caller."""

    def __init__(self, timeout):
        self.timeout = timeout
        self.child = None
        self.driver = ""

    def render(self, job):
        """Returns (colours, dialect) or throws `RenderError`."""
        if self.child is None:
            self._start()
        self.connection.send(job)
        return self._answer(f"no picture within {self.timeout} s")

    def close(self):
        """Ends the child."""
        if self.child is not None:
            self.child.kill()
            self.child.join()
            self.child = None

    def _start(self):
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.child = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.child.start()
        theirs.close()
        self.driver = self._answer("no context within the time limit")

    def _answer(self, late):
        try:
            if not self.connection.poll(self.timeout):
                self.close()
                raise RenderError(late)
            kind, value = self.connection.recv()
        except (EOFError, ConnectionError):
            self.close()
            raise RenderError("the driver ended the process") from None
        if kind == "error":
            raise RenderError(value)
        return value


def _serve(connection):
    import renderer

    owner = renderer.Renderer()
    connection.send(("driver", owner.driver()))
    while True:
        try:
            job = connection.recv()
        except EOFError:
            return
        try:
            connection.send(("picture", owner.render(job)))
        except renderer.CompileError as error:
            connection.send(("error", str(error)))
        except Exception as error:  # a driver may fail in any way; the caller lists it with the shader
            connection.send(("error", f"{type(error).__name__}: {error}"))
