"""Jobs on a cluster of Slurm: `etalon farm slurm --submit`, what `etalon farm status` and `etalon farm verify` say of them, and what comes out."""
import hashlib
import json
import os

import slurm
from pictures import with_another_pixel
from running import (
    SAMPLES, Failure, Records, etalon, expect_same_files, expect_same_packets, files_in, long_video, path, read, render, run, wait_until, write)

AURORA = [SAMPLES + "/aurora.glsl", "-r", "24", "--size", "64x64"]
TRAIL = [SAMPLES + "/graphs/trail.yaml", "--size", "64x64"]
# The one of this run, once it has begun.
cluster = None


class Job:
    """A job folder that etalon has written, and its steps on the cluster."""

    def __init__(self, name, *words, output="a.####.png", options=(), environment=None, submits=True):
        self.folder = path(*name.split("/"), "job")
        self.out = path(*name.split("/"), "out", "")[:-1]
        self.output = f"{self.out}/{output}"
        # Its checkpoints are its own, so that it cannot find those of the plain render.
        self.environment = {"XDG_CACHE_HOME": path(*name.split("/"), "cache"), **(environment or {})}
        self.made = etalon("farm", "slurm", self.folder, *["--submit"] * submits, *options, *words, "--device", "cpu", "-o", self.output,
                           environment=self.environment)

    def submit(self):
        """Submits it once more, as a user does."""
        run(self.folder + "/submit", "--again", environment=self.environment)

    @property
    def steps(self):
        """The names of the steps, in the order in which they run, and Slurm's numbers for them."""
        return json.loads(read(self.folder + "/jobs.json"))

    @property
    def elements(self):
        return slurm.elements(self.steps.values())

    def expect_steps(self, *names):
        if list(self.steps) != list(names):
            raise Failure(f"the steps are {list(self.steps)}, not {list(names)}")
        return self

    @property
    def logs(self):
        names = sorted(files_in(self.folder + "/logs"))
        return {name: read(f"{self.folder}/logs/{name}").decode(errors="replace")[-500:] for name in names}

    def expect_ended(self, seconds):
        """Waits for all steps, and returns what became of them."""
        def ended():
            found = self.elements
            return found if found and all(one.has_ended for one in found) else None

        try:
            return wait_until("all steps have ended", ended, seconds, pause=0.3)
        except Failure as failure:
            raise Failure(f"{failure}: {self.elements}; nodes {cluster.states}; logs {self.logs}") from None

    def expect_completed(self, seconds=120):
        found = self.expect_ended(seconds)
        if any(one.state != "COMPLETED" for one in found):
            raise Failure(f"steps have not completed: {[one for one in found if one.state != 'COMPLETED']}; logs {self.logs}")
        return found

    def status(self, *texts, code=0):
        return etalon("farm", "status", self.folder, code=code).expect_told(*texts)

    def verify(self, *texts, code=0, options=()):
        return etalon("farm", "verify", "--job", self.folder, *options, code=code, environment=self.environment).expect_told(*texts)

    @property
    def records(self):
        kept = json.loads(read(self.folder + "/job.json"))
        return Records(kept["records"])


def sequence():
    count = 20
    words = [*AURORA, "--duration", f"{count}f"]
    whole = path("slurm-sequence", "whole", "")[:-1]
    render(*words, "-o", whole + "/a.####.png")
    job = Job("slurm-sequence", *words, options=["--workers", "2", "--chunk", "5"]).expect_steps("render", "check")
    steps = job.expect_completed()
    if len(steps) != 5:
        raise Failure(f"the steps are {steps}, not four chunks and a check")
    expect_same_files(job.out, whole)
    records = job.records
    records.expect_once(range(count))
    if set(records.hosts) != set(slurm.NODES):
        raise Failure(f"the frames were written by {records.text()}")
    job.status("20 of 20 frames")
    job.verify("20 frames in 20 files: nothing wrong", *slurm.NODES)

    # A frame that is another picture, one that says it is right and is not, and one that is not there.
    line = next(line for line in records.lines if line["frame"] == 13)
    right = read(line["path"])
    with open(line["path"], "wb") as file:
        file.write(read(job.out + "/a.0003.png"))
    told = rf"a\.0013\.png: .*written by {line['host']}"
    job.verify(told, code=1)
    with open(line["path"], "wb") as file:
        file.write(with_another_pixel(right))
    job.verify(told, code=1)
    rehash(job, line["path"])
    # All frames of that machine are rendered again.
    job.verify(told, r"1 of \d+ rendered here look different", code=1, options=["--sample", "20"])
    os.remove(line["path"])
    job.verify("1 missing", r"a\.0013\.png", code=66)
    job.status("19 of 20 frames, missing 13")
    # Submitted again it makes what is missing, and nothing else.
    before = len(job.records.lines)
    run(job.folder + "/submit", code=64).expect_told("--again")
    times = {name: os.stat(f"{job.out}/{name}").st_mtime_ns for name in files_in(job.out)}
    job.submit()
    job.expect_completed()
    expect_same_files(job.out, whole)
    changed = [name for name in files_in(job.out) if os.stat(f"{job.out}/{name}").st_mtime_ns != times.get(name)]
    if set(changed) - {"a.json"} != {"a.0013.png"} or len(job.records.lines) != before + 1:
        raise Failure(f"submitted again, it has written {changed}")
    return f"4 chunks ({records.text()}), {count} frames byte for byte the whole; wrong and missing frames found, with their machine; submitted again"


def rehash(job, file):
    """Lets the record say of a file what is in it now, as a machine that computes wrongly would."""
    folder = json.loads(read(job.folder + "/job.json"))["records"]
    for name in files_in(folder):
        lines = [json.loads(line) for line in read(f"{folder}/{name}").decode().splitlines()]
        for line in lines:
            if line["path"] == file:
                line["sha256"] = hashlib.sha256(read(file)).hexdigest()
        write(f"{folder}/{name}", "".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in lines))


def state():
    whole = path("slurm-state", "plain", "")[:-1]
    render(*TRAIL, "--no-checkpoints", "-o", whole + "/a.####.png")
    cuts = {cut: Job(f"slurm-state/{cut}", *TRAIL, options=["--workers", "2", "--cut", cut, *["--chunk", "12"] * (cut == "checkpoints")])
            for cut in ("checkpoints", "whole")}
    cuts["checkpoints"].expect_steps("checkpoints", "render", "check")
    cuts["whole"].expect_steps("render", "check")
    counts = []
    for cut, job in cuts.items():
        counts.append(len(job.expect_completed()))
        job.records.expect_once(range(48))
        count = expect_same_files(job.out, whole)
        job.status("48 of 48 frames")
    if counts != [6, 2]:
        raise Failure(f"the jobs have {counts} elements, not a pass for checkpoints, four chunks and a check, and a chunk and a check")
    refused = path("slurm-state", "refused")
    etalon("farm", "slurm", refused, "--cut", "frames", *TRAIL, "-o", path("slurm-state", "none", "a.####.png"), code=64)
    if files_in(refused):
        raise Failure("a job that was refused has been written")
    return f"{count} frames byte for byte the whole, in 4 chunks from checkpoints and in one; not cut at any frame"


def video():
    words = [long_video(), "hue-rotate angle=(20*time)", "--size", "64x64"]
    whole = path("slurm-video", "whole.mp4")
    render(*words, "--resume", "-o", whole)
    job = Job("slurm-video", *words, output="video.mp4", options=["--workers", "2", "--chunk", "60"])
    steps = job.expect_steps("render", "video", "check").expect_completed()
    count = expect_same_packets(job.output, whole)
    if files_in(job.out) != {"video.mp4"}:
        raise Failure(f"beside the video there are {files_in(job.out)}")
    job.status("the video is there")
    return f"{len(steps) - 2} chunks and a step that joins: the {count} packets of the whole, with sound"


def refusals():
    out = path("slurm-refused", "out", "a.####.png")
    refused = {
        "a pipe": [*AURORA, "-o", "-"],
        "watching": [*AURORA, "--watch", "-o", out],
        "a sweep": [*AURORA, "--sweep", "CURTAINS 1 3", "-o", path("slurm-refused", "sheet.png")],
        "a contact sheet": [*AURORA, "--frames", "0-3", "-o", out, "--contact-sheet", path("slurm-refused", "sheet.png")],
        "a camera": ["camera:test", "vignette", "--duration", "1s", "-o", out],
        "standard input": ["-", "-o", out],
        "sharing": [*AURORA, "--share", "-o", out],
        "a shard": [*AURORA, "--shard", "1/2", "-o", out],
        "HLS": [SAMPLES + "/videos/aurora.mp4", "vignette", "-o", path("slurm-refused", "stream.m3u8")],
        "no output": [*AURORA, "--frames", "0-3"],
    }
    for what, words in refused.items():
        for kind in ("slurm", "openjd"):
            folder = path("slurm-refused", f"{kind}-{what.replace(' ', '-')}")
            with_words = etalon("farm", kind, folder, *words, code=64)
            if "error:" not in with_words.messages or os.path.exists(folder):
                raise Failure(f"a farm takes {what}, or does not say why not: {with_words.tail}")
    # A folder with other files is left alone.
    folder = path("slurm-refused", "mine", "")[:-1]
    write(folder + "/notes.txt", "mine\n")
    made = etalon("farm", "slurm", folder, *AURORA, "--frames", "0-3", "-o", out, code=73)
    if files_in(folder) != {"notes.txt"} or "error:" not in made.messages:
        raise Failure(f"a folder that is not a job's has been written to: {files_in(folder)}")
    return f"{len(refused)} kinds of render that cannot be given away, and a folder with other things"


def cases():
    yield "Slurm, a sequence", sequence
    yield "Slurm, a graph with state", state
    yield "Slurm, a video", video
    yield "Slurm, what cannot be given away", refusals
