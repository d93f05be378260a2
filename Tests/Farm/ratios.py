"""What sharing work costs: CPU seconds and wall time against one run. Only in the long form, on a machine that does nothing else."""
import os
import time

import farming
import slurm
from running import SAMPLES, Failure, Skipped, expect_same_files, output_of, path, render, run, settings

AURORA = [SAMPLES + "/aurora.glsl", "-r", "24"]


def warm(*words):
    """Lets caches be filled and files be read before something is measured."""
    render(*words, "--frames", "0", "-o", path("warm", "a.png"))


def chunks():
    """CPU of all chunks together, against one run."""
    count, parts, bar = 2000, 16, 1.05
    words = [*AURORA, "--size", "320x180", "--duration", f"{count}f"]
    warm(*words)

    def measured():
        one = render(*words, "-o", path("chunks", "whole", "a.####.png"), seconds=1800).cpu
        many = sum(render(*words, "--shard", f"{part}/{parts}", "-o", path("chunks", "parts", "a.####.png"), seconds=900).cpu for part in range(1, parts + 1))
        expect_same_files(path("chunks", "parts"), path("chunks", "whole"))
        return many, one

    # What else happens on a machine only adds to either.
    many, one = map(min, zip(*(measured() for _ in range(3))))
    return judge(f"{count} frames in {parts} chunks take {many:.1f} s of CPU, in one run {one:.1f} s", many / one, bar, " of it")


def start_of_a_chunk():
    """CPU of a chunk beyond that of its frames."""
    parts, bar = 16, 150
    words = [*AURORA, "--size", "64x64", "--duration", f"{parts}f"]
    warm(*words)

    def measured():
        one = render(*words, "-o", path("start", "whole", "a.####.png")).cpu
        many = sum(render(*words, "--shard", f"{part}/{parts}", "-o", path("start", "parts", "a.####.png")).cpu for part in range(1, parts + 1))
        return (many - one) / (parts - 1)

    return judge(f"{parts} chunks of a frame", 1000 * min(measured() for _ in range(3)), bar, " ms of CPU for the start of a chunk")


def claims():
    """CPU of a frame with --share, against the same without it."""
    count, bar = 2000, 2
    words = ["constant-color", "-r", "24", "--size", "16x16", "--duration", f"{count}f"]
    warm(*words)
    place = iter(range(100))

    def cpu(*more):
        folder = path("claims", str(next(place)), "")
        return render(*words, *more, "-o", folder + "a.####.png", seconds=300).cpu

    plain = min(cpu() for _ in range(3))
    shared = min(cpu("--share") for _ in range(3))
    return judge(f"{count} trivial frames take {plain:.2f} s of CPU, with --share {shared:.2f} s", 1000 * (shared - plain) / count, bar, " ms of CPU for a claim")


def two_nodes():
    """Wall time of a job on two nodes of one core, against one of them."""
    if len(os.sched_getaffinity(0)) < 2:
        raise Skipped("two nodes need two cores")
    bar, sample = 0.56, 100
    words = [*AURORA, "--size", "640x360"]
    warm(*words)
    core = str(slurm.cores()[0])
    one = run("taskset", "-c", core, settings.etalon, "render", *words, "--device", "cpu", "--duration", f"{sample}f",
              "-o", path("nodes", "sample", "a.####.png"), seconds=600)
    count = round(60 * settings.minutes / (one.seconds / sample))
    times = {}
    for nodes in (1, 2):
        if nodes == 1:
            output_of("scontrol", "update", "NodeName=n2", "State=DRAIN", "Reason=one")
        began = time.monotonic()
        try:
            job = farming.Job(f"nodes/{nodes}", *words, "--duration", f"{count}f", options=["--workers", "2"])
            job.expect_completed(1800)
        finally:
            if nodes == 1:
                output_of("scontrol", "update", "NodeName=n2", "State=RESUME")
        times[nodes] = time.monotonic() - began
        if len(job.records.hosts) != nodes:
            raise Failure(f"the frames were written by {job.records.text()}")
    expect_same_files(path("nodes", "2", "out"), path("nodes", "1", "out"))
    return judge(f"{count} frames and the check: {times[1]:.0f} s on one node, {times[2]:.0f} s on two", times[2] / times[1], bar, " of it")


def judge(text, found, bar, unit):
    """Words for a figure, which may not be above its bar."""
    words = f"{text}: {found:.4g}{unit}, at most {bar:g}"
    if found > bar:
        raise Failure(words)
    return words


def cases():
    if settings.long:
        yield "CPU of chunks", chunks
        yield "the start of a chunk", start_of_a_chunk
        yield "claims", claims
        yield "Slurm, two nodes", two_nodes
