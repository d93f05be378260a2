"""What goes wrong on a cluster: requeued elements, a node and a controller that disappear, a full disk, clocks that differ, an etalon that says 75."""
import os
import random
import time

import farming
from running import (
    SAMPLES, Failure, expect_right_so_far, expect_same_files, files_in, output_of, path, render, settings, wait_until, write)
from sharing import clock

# About eight seconds of one core for each chunk.
SLOW = [SAMPLES + "/aurora.glsl", "-r", "24", "--size", "320x180"]


class SlowJob(farming.Job):
    """A job of several seconds for each chunk, and the whole to compare with."""

    kept = None

    def __init__(self, name, count=480, chunk=40, **others):
        words = [*SLOW, "--duration", f"{count}f"]
        SlowJob.kept = SlowJob.kept or {}
        if count not in SlowJob.kept:
            whole = path("slow", str(count), "")[:-1]
            render(*words, "-o", whole + "/a.####.png", seconds=900)
            SlowJob.kept[count] = whole
        self.whole, self.count = SlowJob.kept[count], count
        super().__init__(name, *words, options=["--chunk", str(chunk), *others.pop("options", [])], **others)

    @property
    def running(self):
        return [one for one in self.elements if one.state == "RUNNING" and one.place]

    def wait_for_running(self, count=2):
        return wait_until(f"{count} elements run", lambda: len(self.running) >= count and self.running, 60)

    def wait_for_frames(self, count):
        wait_until(f"there are {count} frames", lambda: len(files_in(self.out)) >= count, 120)

    def expect_whole(self, seconds=600):
        steps = self.expect_completed(seconds)
        expect_same_files(self.out, self.whole)
        self.verify()
        return steps


def requeues():
    job = SlowJob("requeues")
    seed = random.randrange(1 << 32)
    dice = random.Random(seed)
    done = 0
    try:
        while done < 10:
            time.sleep(dice.uniform(0, 3))
            running = [one for one in job.wait_for_running(1) if not one.fields.get("Reason") == "BeginTime"]
            if running and run_quietly("scontrol", "requeue", dice.choice(running).id):
                done += 1
                expect_right_so_far(job.out, job.whole)
        steps = job.expect_whole()
    except Failure as failure:
        raise Failure(f"{failure} (the seed of the requeues is {seed})") from None
    restarts = sum(one.restarts for one in steps)
    if restarts < 10:
        raise Failure(f"{restarts} restarts instead of 10")
    return f"10 requeues of running elements: {job.count} frames byte for byte the whole, {restarts} restarts, the check completed"


def run_quietly(*command):
    try:
        output_of(*command)
        return True
    except Failure:
        return False


def lost_node():
    job = SlowJob("lost-node")
    job.wait_for_running()
    job.wait_for_frames(10)
    began = time.monotonic()
    farming.cluster.lose("n2")
    expect_right_so_far(job.out, job.whole)
    wait_until("the node counts as down", lambda: farming.cluster.states.get("n2", "").startswith("down"), 90)
    noticed = time.monotonic() - began
    job.status()
    try:
        steps = job.expect_whole()
    finally:
        farming.cluster.start_node("n2")
        farming.cluster.wait_for_nodes("n2")
    if not any(one.restarts for one in steps):
        raise Failure("no element was started again")
    return f"noticed after {noticed:.0f} s, its chunk started again on the other: {job.count} frames byte for byte the whole"


def restarted_controller():
    job = SlowJob("controller")
    submitted = time.time()
    # A controller writes down every few seconds which jobs there are.
    wait_until("the controller has saved its jobs", lambda: os.path.getmtime(farming.cluster.folder + "/state/job_state") > submitted, 60)
    job.wait_for_running()
    job.wait_for_frames(10)
    farming.cluster.end("slurmctld")
    try:
        job.status("of 480 frames, missing", "Slurm does not say what became of job", code=75)
        time.sleep(6)
    finally:
        farming.cluster.start_controller()
    job.expect_whole()
    return f"away for 6 s while elements ran: {job.count} frames byte for byte the whole; status told the frames meanwhile"


def full_disk():
    disk = path("full", "out", "")[:-1]
    output_of("mount", "-t", "tmpfs", "-o", "size=4m", "none", disk)
    try:
        job = SlowJob("full")
        steps = job.expect_ended(600)
        failed = [one for one in steps if one.state == "FAILED"]
        if not failed or any(one.fields["ExitCode"] != "73:0" for one in failed):
            raise Failure(f"on a full disk the steps are {steps}")
        kept = expect_right_so_far(job.out, job.whole)
        hidden = [name for name in files_in(job.out) if name.startswith(".")]
        if hidden:
            raise Failure(f"on a full disk there are left {hidden}")
        told = job.status("failed, code 73, see .*/logs/render-").messages
        output_of("mount", "-o", "remount,size=400m", disk)
        job.submit()
        job.expect_whole()
    finally:
        output_of("umount", "-l", disk)
    return f"{kept} frames fit, all whole; {len(failed)} elements failed with 73, which status tells; with room made and submitted again the whole"


def other_clock():
    wrapper = write(path("clock", "etalon"), "#!/bin/sh\n"
                    f'if [ "$(hostname)" = n2 ]; then export {" ".join(f"{name}={value}" for name, value in clock("+60").items())}; fi\n'
                    f'exec "{settings.etalon}" "$@"\n', executable=True)
    job = SlowJob("clock", count=160, chunk=20, options=["--command", wrapper])
    job.expect_whole()
    return f"a node whose clock is a minute early: {job.count} frames byte for byte the whole ({job.records.text()})"


def try_again():
    # The first two tries of each element end with 75, as when the memory of a graphics unit is taken.
    wrapper = write(path("again", "etalon"), "#!/bin/sh\n"
                    'if [ "$1" = render ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 2 ]; then echo "error: no memory" >&2; exit 75; fi\n'
                    f'exec "{settings.etalon}" "$@"\n', executable=True)
    job = SlowJob("again", count=40, chunk=20, options=["--command", wrapper])
    steps = job.expect_whole()
    if sorted(one.restarts for one in steps if one.place) != [2, 2]:
        raise Failure(f"the steps are {steps}")
    # One that always ends with 75 fails in the end.
    wrapper = write(path("again", "never", "etalon"), '#!/bin/sh\necho "error: no memory" >&2\nexit 75\n', executable=True)
    job = SlowJob("again/never", count=40, chunk=40, options=["--command", wrapper])
    steps = job.expect_ended(120)
    failed = [one for one in steps if one.state == "FAILED"]
    if len(failed) != 1 or failed[0].restarts != 3 or failed[0].fields["ExitCode"] != "75:0":
        raise Failure(f"an element that always ends with 75: {steps}")
    job.status("failed, code 75, see .*/logs/render")
    return "code 75 twice, then the whole; always: failed after 3 restarts, which status tells"


def cancelled():
    job = SlowJob("cancelled")
    job.wait_for_frames(20)
    output_of("scancel", *sorted({one.array for one in job.elements}))
    job.expect_ended(60)
    kept = expect_right_so_far(job.out, job.whole)
    hidden = [name for name in files_in(job.out) if name.startswith(".")]
    if hidden or not 0 < kept < job.count:
        raise Failure(f"a job that was cancelled leaves {kept} frames and {hidden}")
    job.status()
    job.submit()
    job.expect_whole()
    return f"cancelled with {kept} of {job.count} frames, all whole, nothing else left; submitted again, the whole"


def cases():
    if settings.long:
        yield "Slurm, ten requeues", requeues
        yield "Slurm, a node that disappears", lost_node
        yield "Slurm, a controller that starts again", restarted_controller
        yield "Slurm, a full disk", full_disk
        yield "Slurm, clocks that differ", other_clock
        yield "Slurm, an etalon that says 75", try_again
        yield "Slurm, a job that is cancelled", cancelled
