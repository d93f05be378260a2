"""The command lines that are compared, and how a child process is measured."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import hooks
from hooks import SHADERS

RATE = 60
# The Vulkan device that etalon renders on where both of its executors are timed.
VULKAN = "0"


@dataclass(frozen=True)
class Usage:
    """What one run of a command used: CPU seconds in all and in user mode, wall seconds, peak memory in MB, files written."""

    cpu: float
    user: float
    wall: float
    memory: float
    files: int
    bytes: int


class Peer:
    """ffmpeg with its libplacebo filter, running a benchmark shader as a custom hook over a black source.

    `dithering` is the filter's own setting: `blue` is its default; with `none` its pictures are those of Etalon to
    within one level.
    """

    def __init__(self, dithering="blue", device="vulkan=vk:0"):
        self.name = "libplacebo" if dithering == "blue" else f"libplacebo, dithering {dithering}"
        self.dithering = dithering
        self.device = device

    def command(self, shader, size, frames, folder):
        """Returns the line that writes `frames` pictures of `shader` into `folder`."""
        if not hooks.is_current(shader):
            sys.exit(f"{hooks.path(shader)} is older than the shader: run Tests/Benchmarks/peers/make-hooks")
        passes = f"libplacebo=custom_shader_path={hooks.path(shader)}:dithering={self.dithering}"
        graph = f"format=rgba,hwupload,{passes},hwdownload,format=rgba"
        return [
            "ffmpeg", "-v", "error", "-nostdin", "-init_hw_device", self.device,
            "-f", "lavfi", "-i", f"color=black:s={size}:r={RATE}", "-vf", graph, "-frames:v", str(frames),
            "-compression_level", "1", "-pred", "up", f"{folder}/frame.%04d.png",
        ]  # fmt: skip


class Etalon:
    """`etalon render` with its default preset, on the device that it chooses itself unless one is given."""

    def __init__(self, binary, device=None):
        self.name = "etalon" if device is None else f"etalon --device {device}"
        self.binary = binary
        self.device = [] if device is None else ["--device", device]

    def command(self, shader, size, frames, folder):
        """Returns the line that writes `frames` pictures of `shader` into `folder`."""
        return [
            self.binary, "render", str(SHADERS / f"{shader}.glsl"), *self.device, "--size", size, "--rate", str(RATE),
            "--frames", f"0-{frames - 1}", "-o", f"{folder}/frame.####.png",
        ]  # fmt: skip


def measure(command_for, frames):
    """Runs the command that `command_for(folder)` returns, in an empty folder that is removed again."""
    with tempfile.TemporaryDirectory(prefix="etalon-bench-") as folder:
        command = command_for(folder)
        started = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        errors = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        written = [entry for entry in os.scandir(folder) if entry.name.endswith(".png")]
        if child.returncode != 0 or len(written) != frames:
            sys.exit(
                f"{' '.join(command)}\nended with {child.returncode}, {len(written)} of {frames} pictures\n"
                + errors.decode(errors="replace")[-2000:]
            )
        size = sum(entry.stat().st_size for entry in written)
        return Usage(usage.ru_utime + usage.ru_stime, usage.ru_utime, wall, usage.ru_maxrss / 1024, len(written), size)


def cpu_seconds(command):
    """Seconds of CPU that a command takes, those of the system with them."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}\nended with {os.waitstatus_to_exitcode(status)}\n{errors.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime


def require(program):
    """Ends with a sentence when `program` is not there."""
    if shutil.which(program) is None:
        sys.exit(f"'{program}' not found: install it (Debian and Ubuntu: apt install {program})")
