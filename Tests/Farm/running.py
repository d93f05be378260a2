"""What all cases need: programs that end with the tests, the etalon command with its CPU time, and comparisons of what it made."""
import hashlib
import json
import os
import re
import signal
import subprocess
import time
import types

ROOT = os.path.realpath(os.path.dirname(os.path.realpath(__file__)) + "/../..")
SAMPLES = ROOT + "/samples"
# The command, the folder for what is made, whether the long form was asked for, how long a job on one node takes there, the virtual environment of
# OpenJD's programs, and whether this runs in namespaces, in which programs can have host names of their own.
settings = types.SimpleNamespace(etalon="", folder="", long=False, minutes=10, environment="", has_namespaces=False)


class Failure(Exception):
    """Something that is not as it should be."""


class Skipped(Exception):
    """Something that cannot be looked at on this machine."""


def path(*names):
    """A path below the folder of the tests, whose own folder is made."""
    result = os.path.join(settings.folder, *names)
    os.makedirs(os.path.dirname(result), exist_ok=True)
    return result


def long_video():
    """A video of 144 frames with sound, which is encoded in three parts."""
    result = path("source", "aurora.mp4")
    if not os.path.exists(result):
        made = f"{result}.{os.getpid()}.{time.monotonic_ns()}.mp4"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-stream_loop", "2", "-i", SAMPLES + "/videos/aurora.mp4", "-c", "copy", made], check=True)
        os.replace(made, result)
    return result


def read(file):
    with open(file, "rb") as data:
        return data.read()


def write(file, text, executable=False):
    with open(file, "w") as data:
        data.write(text)
    if executable:
        os.chmod(file, 0o755)
    return file


def wait_until(what, holds, seconds, pause=0.1):
    """Waits until something holds, and returns what it gave."""
    limit = time.monotonic() + seconds
    while True:
        found = holds()
        if found:
            return found
        if time.monotonic() > limit:
            raise Failure(f"after {seconds} s it is still not so that {what}")
        time.sleep(pause)


def on_host(host, command):
    """A command that runs under a host name of its own, as on another machine."""
    if not host or not settings.has_namespaces:
        return command
    return ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', host, *command]


class Process:
    """A program whose messages are kept, and which is ended when the block ends."""

    started = 0

    def __init__(self, command, host=None, environment=None):
        Process.started += 1
        self.command = [str(word) for word in command]
        self.log = path("logs", f"{Process.started:04d}-{os.path.basename(self.command[0])}.log")
        self.began = time.monotonic()
        self.usage = None
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *on_host(host, self.command)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **(environment or {})})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.code is None:
            self.process.kill()
            self.collect(block=True)

    @property
    def code(self):
        """How it ended, negative for a signal; None while it runs."""
        self.collect()
        return self.process.returncode

    @property
    def cpu(self):
        """The seconds of CPU that it took, of a program that has ended."""
        return self.usage.ru_utime + self.usage.ru_stime

    @property
    def messages(self):
        return read(self.log).decode(errors="replace")

    def collect(self, block=False):
        if self.process.returncode is None:
            pid, status, usage = os.wait4(self.process.pid, 0 if block else os.WNOHANG)
            if pid:
                self.process.returncode = os.waitstatus_to_exitcode(status)
                self.usage, self.seconds = usage, time.monotonic() - self.began

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.collect(block=True)

    def wait(self, seconds=120, code=0):
        """Waits for the end, which has to come within so many seconds and with this code."""
        limit = time.monotonic() + seconds
        while self.code is None:
            if time.monotonic() > limit:
                raise Failure(f"'{self.text}' does not end within {seconds} s; its messages: {self.tail}")
            time.sleep(0.005)
        if self.code != code:
            raise Failure(f"'{self.text}' ends with {self.code}, not {code}: {self.tail}")
        return self

    @property
    def text(self):
        text = " ".join(self.command)
        return text if len(text) < 400 else text[:400] + " …"

    @property
    def tail(self):
        return self.messages.strip()[-1500:] or "none"

    def expect_told(self, *texts):
        for text in texts:
            if not re.search(text, self.messages):
                raise Failure(f"'{self.text}' does not tell '{text}', but: {self.tail}")
        return self


def run(*command, seconds=120, code=0, host=None, environment=None):
    """Runs a program to its end, which has to be with this code."""
    with Process(command, host, environment) as process:
        return process.wait(seconds, code)


def etalon(*words, **options):
    """Runs etalon to its end."""
    return run(settings.etalon, *words, **options)


def render(*words, **options):
    """Runs `etalon render` on the CPU, whose pictures are the same to the bit on every machine."""
    return etalon("render", *words, "--device", "cpu", **options)


def output_of(*command):
    """What a program prints on its standard output."""
    result = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if result.returncode:
        raise Failure(f"'{' '.join(map(str, command))}' ends with {result.returncode}: {result.stderr.strip()}")
    return result.stdout


# MARK: what was made

def files_in(folder):
    return set(os.listdir(folder)) if os.path.isdir(folder) else set()


def expect_same_files(found, whole, content=bytes):
    """That a folder has the files of another one, byte for byte or in what `content` takes of the bytes, and nothing else, hidden or not.

    Returns how many pictures there are.
    """
    names, expected = files_in(found), files_in(whole)
    if not expected:
        raise Failure(f"there is nothing in '{whole}'")
    if names != expected:
        raise Failure(f"'{found}' lacks {sorted(expected - names)[:5]}, and should not have {sorted(names - expected)[:5]}")
    for name in sorted(names):
        if content(read(f"{found}/{name}")) != content(read(f"{whole}/{name}")):
            raise Failure(f"'{found}/{name}' is not the same as in the whole")
    return sum(is_frame(name) for name in names)


def is_frame(name):
    """Whether this is the name of a frame, and not of the text that describes a sequence, or hidden."""
    return name.endswith(".png") and not name.startswith(".")


def expect_right_so_far(found, whole):
    """That what stands under the names of frames is whole and right, while others may be missing or be written. Returns how many there are."""
    count = 0
    for name in files_in(found):
        if is_frame(name):
            if read(f"{found}/{name}") != read(f"{whole}/{name}"):
                raise Failure(f"'{found}/{name}' is half-written, or not the same as in the whole")
            count += 1
    return count


def packets(video):
    """The streams of a video and all of their packets: times, sizes and hashes."""
    return output_of("ffmpeg", "-nostdin", "-v", "error", "-i", video, "-map", "0", "-c", "copy", "-f", "framemd5", "-")


def expect_same_packets(found, whole):
    one, other = packets(found), packets(whole)
    if one != other:
        pairs = zip(one.splitlines(), other.splitlines())
        first = next((f"'{a}' instead of '{b}'" for a, b in pairs if a != b), f"{one.count(chr(10))} lines instead of {other.count(chr(10))}")
        raise Failure(f"the packets of '{found}' are not those of '{whole}': {first}")
    lines = [line for line in one.splitlines() if not line.startswith("#")]
    return len(lines)


class Records:
    """The records of a folder, one file for each run, and what they say."""

    def __init__(self, folder):
        self.files = {}
        for name in sorted(files_in(folder)):
            if not re.fullmatch(r".+-\d+-.+\.jsonl", name):
                raise Failure(f"'{folder}/{name}' is not the name of a record")
            lines = read(f"{folder}/{name}").decode().splitlines()
            self.files[name] = [json.loads(line) for line in lines]
        self.lines = [line for lines in self.files.values() for line in lines]

    def expect_once(self, frames):
        """That each of these frames was written once, and is recorded as it is."""
        found = sorted(line["frame"] for line in self.lines)
        expected = sorted(frames)
        if found != expected:
            twice = sorted({frame for frame in found if found.count(frame) > 1})
            raise Failure(f"recorded twice: {twice[:8]}; never: {sorted(set(expected) - set(found))[:8]}; not asked for: {sorted(set(found) - set(expected))[:8]}")
        self.expect_hashes()

    def expect_hashes(self):
        for line in self.lines:
            if hashlib.sha256(read(line["path"])).hexdigest() != line["sha256"]:
                raise Failure(f"the recorded hash of '{line['path']}' is not that of the file")

    @property
    def hosts(self):
        """How many frames each machine has written."""
        hosts = {}
        for line in self.lines:
            hosts[line["host"]] = hosts.get(line["host"], 0) + 1
        return hosts

    def text(self):
        return ", ".join(f"{host} {count}" for host, count in sorted(self.hosts.items()))
