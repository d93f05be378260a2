"""Runs renderer jobs in a child process, because a stranger's shader may hang or kill the driver."""

import multiprocessing


class RenderError(Exception):
    """The witness has no picture of this job; the message says why in a few words."""


class Worker:
    """A child process with one renderer. A job that takes too long costs the child, never the caller."""

    def __init__(self, timeout, in_browser=False):
        self.timeout = timeout
        self.in_browser = in_browser
        self.child = None
        self.driver = ""

    def render(self, job):
        """Returns (colours, dialect) or throws `RenderError`."""
        if self.child is None:
            self._start()
        self.connection.send(job)
        return self._answer(f"no picture within {self.timeout} s")

    def close(self):
        """Ends the child; a browser gets the time to end its own."""
        if self.child is not None:
            if self.in_browser:
                try:
                    self.connection.send(None)
                    self.child.join(10)
                except (BrokenPipeError, ConnectionError):
                    pass
            self.child.kill()
            self.child.join()
            self.child = None

    def _start(self):
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.child = context.Process(target=_serve, args=(theirs, self.timeout, self.in_browser), daemon=True)
        self.child.start()
        theirs.close()
        self.driver = self._answer("no context within the time limit")

    def _answer(self, late):
        try:
            # A browser has a limit of its own, after which it is replaced.
            if not self.connection.poll(self.timeout + (30 if self.in_browser else 0)):
                self.close()
                raise RenderError(late)
            kind, value = self.connection.recv()
        except (EOFError, ConnectionError):
            self.close()
            raise RenderError("the driver ended the process") from None
        if kind == "error":
            raise RenderError(value)
        return value


def _serve(connection, timeout, in_browser):
    import renderer

    if in_browser:
        import browser

        owner = browser.BrowserRenderer(timeout)
    else:
        owner = renderer.Renderer()
    connection.send(("driver", owner.driver()))
    while True:
        try:
            job = connection.recv()
        except EOFError:
            job = None
        if job is None:
            if in_browser:
                owner.close()
            return
        try:
            connection.send(("picture", owner.render(job)))
        except renderer.CompileError as error:
            connection.send(("error", str(error)))
        except Exception as error:  # a driver may fail in any way; the caller lists it with the shader
            connection.send(("error", f"{type(error).__name__}: {error}"))
