"""Runs `etalon render` on the files that the witness renders."""

import copy
import os
import re
import subprocess
from dataclasses import dataclass

from renderer import DRIVER_SETTINGS


@dataclass(frozen=True)
class Refusal:
    """`etalon` made no picture: its exit code and the first error it printed."""

    code: int
    message: str

    def __str__(self):
        return f"exit {self.code}: {self.message}"


class Etalon:
    """The command under test, with the options that all pictures of one comparison share."""

    def __init__(self, binary, options, timeout):
        self.binary = binary
        self.extra = options.etalon_option
        self.timeout = timeout
        self.environment = dict(os.environ)
        if not options.plain_driver:
            self.environment.setdefault("GALLIVM_PERF", DRIVER_SETTINGS["GALLIVM_PERF"])
        self.common = [
            "--size", f"{options.size[0]}x{options.size[1]}", "--time", f"{options.time:g}", "--rate", f"{options.rate:g}",
            "--date", options.date.isoformat(), *_mouse(options.mouse),
        ]  # fmt: skip

    def on(self, device):
        """Returns the same command on a device."""
        other = copy.copy(self)
        other.extra = [*self.extra, "--device", device]
        return other

    def command(self, entry, pictures, output):
        """Returns the command line that renders `entry` with `pictures` (number → path) to `output`."""
        line = [self.binary, "render", str(entry.path), *self.common]
        for number, (_, sampler) in sorted(entry.channels.items()):
            line += ["--input", f"iChannel{number}={pictures[number]}", "--sampler", f"iChannel{number}={sampler}"]
        return [*line, *self.extra, "--overwrite", "-o", str(output)]

    def render(self, entry, pictures, output):
        """Renders to `output`; returns nothing, or why there is no picture."""
        if os.path.exists(output):
            os.remove(output)
        try:
            run = subprocess.run(
                self.command(entry, pictures, output), env=self.environment, capture_output=True, text=True, errors="replace",
                timeout=self.timeout,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Refusal(75, f"no picture within {self.timeout} s")
        if run.returncode == 0 and os.path.exists(output):
            return None
        return Refusal(run.returncode, _first_error(run.stderr))

    def findings(self, entry):
        """Returns what `etalon sanitize` warns of when it renders the same picture, such as `sanitize.not-finite`."""
        line = [self.binary, "sanitize", str(entry.path), *self.common]
        try:
            run = subprocess.run(line, capture_output=True, text=True, errors="replace", timeout=4 * self.timeout)
        except subprocess.TimeoutExpired:
            return []
        return sorted(set(re.findall(r"\bwarning: .*\[(sanitize\.[a-z-]+)\]", run.stdout + run.stderr)))


def _mouse(mouse):
    if mouse is None:
        return []
    return ["--mouse", f"{mouse[0]},{mouse[1]}" + (",down" if mouse[2] else "")]


def _first_error(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\berror\b", line)]
    return (errors or lines or ["nothing printed"])[0][:300]
