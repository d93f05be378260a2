"""Parts of a shot that are rendered by themselves: `--shard`, and `--share` of several workers on one folder."""
import glob
import os
import random
import time

from running import (
    SAMPLES, Failure, Process, Records, expect_right_so_far, expect_same_files, expect_same_packets, files_in, is_frame, long_video, path, render, run, settings)

AURORA = [SAMPLES + "/aurora.glsl", "-r", "24", "--size", "64x64"]
# Longer than any pause of a worker on a machine that does other work; a dead one is replaced after that.
LAPSE = ["--lapse", "3s"]


def block(part, parts, count):
    """The places of the frames of one shard."""
    return range((part - 1) * count // parts, part * count // parts)


# MARK: shards

def shards():
    count = 24
    render(*AURORA, "--duration", f"{count}f", "-o", path("shards", "whole", "a.####.png"))
    for parts in (3, 5):
        for part in range(1, parts + 1):
            records = path("shards", f"records-{parts}", str(part))
            render(*AURORA, "--duration", f"{count}f", "-o", path("shards", f"of-{parts}", "a.####.png"), "--shard", f"{part}/{parts}", "--records", records)
            Records(records).expect_once(block(part, parts, count))
        expect_same_files(path("shards", f"of-{parts}"), path("shards", "whole"))
    # Frames that are not neighbors, in an order of their own.
    frames = [*range(40, 50), *range(1, 20, 2)]
    words = [*AURORA, "--duration", "50f", "--frames", "40-49,1-20x2"]
    render(*words, "-o", path("shards", "stepped-whole", "a.####.png"))
    for part in range(1, 4):
        records = path("shards", "records-stepped", str(part))
        render(*words, "-o", path("shards", "stepped", "a.####.png"), "--shard", f"{part}/3", "--records", records)
        Records(records).expect_once(frames[place] for place in block(part, 3, len(frames)))
    expect_same_files(path("shards", "stepped"), path("shards", "stepped-whole"))
    # More shards than frames: some have nothing to do.
    for part in range(1, 5):
        render(*AURORA, "--duration", "3f", "-o", path("shards", "few", "a.####.png"), "--shard", f"{part}/4")
    if sum(map(is_frame, files_in(path("shards", "few")))) != 3:
        raise Failure("four shards of three frames have not given three frames")
    return f"3 and 5 of {count} frames, 3 of {len(frames)} that are not neighbors, 4 of 3: byte for byte the whole, each frame by its own shard"


def hue():
    return [long_video(), "hue-rotate angle=(20*time)", "--size", "64x64"]


def shards_of_a_video():
    counts = []
    for ending in ("mp4", "mkv"):
        whole, video = path("shard-video", ending, "whole." + ending), path("shard-video", ending, "parts." + ending)
        render(*hue(), "--resume", "-o", whole)
        records = path("shard-video", ending + "-records")
        with Process([settings.etalon, "render", *hue(), "--device", "cpu", "--shard", "2/3", "--records", records, "-o", video], "n2") as second:
            render(*hue(), "--shard", "1/3", "--records", records, "-o", video, host="n1")
            second.wait()
        render(*hue(), "--shard", "3/3", "--records", records, "-o", video, host="n3")
        if os.path.exists(video):
            raise Failure("a shard has joined the video")
        joined = path("shard-video", ending + "-join")
        render(*hue(), "--resume", "--records", joined, "-o", video)
        if parts(Records(joined)):
            raise Failure(f"the joining run has encoded {len(parts(Records(joined)))} parts again")
        expect_parts(Records(records), 144)
        counts.append(expect_same_packets(video, whole))
        if files_in(path("shard-video", ending, "")) != {"whole." + ending, "parts." + ending}:
            raise Failure(f"beside the video there are {files_in(path('shard-video', ending, ''))}")
    # What is missing is encoded by the run that joins.
    hole, whole = path("shard-video", "hole.mp4"), path("shard-video", "mp4", "whole.mp4")
    for part in (1, 3):
        render(*hue(), "--shard", f"{part}/3", "-o", hole)
    render(*hue(), "--resume", "-o", hole)
    expect_same_packets(hole, whole)
    return f"3 shards, the last alone; joined without encoding, with sound: the {' and '.join(map(str, counts))} packets of the whole; a missing shard is made up for"


def parts(records):
    """The records of parts, without those of the videos that are joined of them."""
    return [line for line in records.lines if line["path"].endswith(".packets")]


def expect_parts(records, count):
    """That the recorded parts of a video are each frame once."""
    frames = []
    for line in parts(records):
        first, _, last = line["frames"].partition("-")
        frames += range(int(first), int(last or first) + 1)
    if sorted(frames) != list(range(count)):
        raise Failure(f"the recorded parts are {sorted(line['frames'] for line in parts(records))}")


# MARK: workers on one folder

class Worker(Process):
    def __init__(self, words, folder, records, number, environment=None, name="a.####.png"):
        super().__init__([settings.etalon, "render", *words, "--device", "cpu", "--share", *LAPSE, "--records", records, "-o", f"{folder}/{name}"],
                         f"n{number}", environment)


def share():
    count = 120
    words = [*AURORA, "--duration", f"{count}f"]
    whole, folder, records = path("share", "whole", ""), path("share", "shared", "")[:-1], path("share", "records")
    render(*words, "-o", whole + "a.####.png")
    with Worker(words, folder, records, 1) as one, Worker(words, folder, records, 2) as two, Worker(words, folder, records, 3) as three:
        for worker in (one, two, three):
            worker.wait()
    expect_same_files(folder, whole)
    found = Records(records)
    found.expect_once(range(count))
    if len(found.hosts) < 2 and settings.has_namespaces:
        raise Failure(f"all frames were written by one worker: {found.text()}")
    # One who comes late has nothing to do, and ends as well.
    with Worker(words, folder, path("share", "late"), 4) as late:
        late.wait()
    if Records(path("share", "late")).lines:
        raise Failure("a worker that came late has rendered frames again")
    expect_same_files(folder, whole)
    return f"{count} frames, each once ({found.text()}), byte for byte the whole, nothing left over"


def share_with_kills():
    kills, workers, count, size = (100, 3, 3000, "160x90") if settings.long else (5, 3, 240, "160x90")
    words = [SAMPLES + "/aurora.glsl", "-r", "24", "--size", size, "--duration", f"{count}f"]
    whole, folder, records = path("kills", "whole", ""), path("kills", "shared", "")[:-1], path("kills", "records")
    one_run = render(*words, "-o", whole + "a.####.png", seconds=600)
    seed = random.randrange(1 << 32)
    dice = random.Random(seed)
    # So often that all of them come before the end.
    pause = min(1, one_run.cpu / 2 / kills * 0.8)
    try:
        team = [Worker(words, folder, records, number) for number in range(1, workers + 1)]
        done, ended = 0, 0
        while done < kills:
            time.sleep(dice.uniform(0.2, 1.8) * pause)
            place = dice.randrange(workers)
            # A worker ends by itself when everything is there.
            if team[place].code is not None:
                ended += 1
                if ended > 5 * workers:
                    raise Failure(f"the frames were all there after {done} of {kills} kills")
                continue
            team[place].kill()
            done += 1
            expect_right_so_far(folder, whole)
            team[place] = Worker(words, folder, records, place + 1)
        for worker in team:
            worker.wait(300)
    except Failure as failure:
        raise Failure(f"{failure} (the seed of the kills is {seed})") from None
    finally:
        for worker in team:
            worker.__exit__()
    expect_same_files(folder, whole)
    # A worker that is killed between the file and its line has recorded less than it wrote; a file never changes afterwards.
    found = Records(records)
    found.expect_hashes()
    return f"{kills} workers killed: {count} frames byte for byte the whole, nothing left over; {len(found.lines)} records"


def share_with_clocks():
    """Workers whose clocks are a minute early and late."""
    count = 400
    words = [SAMPLES + "/aurora.glsl", "-r", "24", "--size", "160x90", "--duration", f"{count}f"]
    whole, folder, records = path("clocks", "whole", ""), path("clocks", "shared", "")[:-1], path("clocks", "records")
    render(*words, "-o", whole + "a.####.png", seconds=600)
    with Worker(words, folder, records, 1, clock("+60")) as early, Worker(words, folder, records, 2, clock("-60")) as late, \
            Worker(words, folder, records, 3) as right:
        time.sleep(1)
        late.kill()
        early.wait(300)
        right.wait(300)
    expect_same_files(folder, whole)
    found = Records(records)
    twice = len(found.lines) - len({line["frame"] for line in found.lines})
    if twice:
        raise Failure(f"{twice} frames were written twice")
    return f"clocks a minute early and late, the late one killed: {count} frames, none twice ({found.text()}), byte for byte the whole"


def clock(shift):
    """The environment of programs whose clock is so many seconds early. Files keep the times of the server that has them, and intervals their lengths."""
    library = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    if not library:
        raise Failure("libfaketime is not installed")
    environment = {"LD_PRELOAD": library[0], "FAKETIME": shift, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}
    told = run("date", "+%s", environment=environment).messages.strip()
    if abs(int(told) - time.time() - int(shift)) > 5:
        raise Failure(f"libfaketime does not change the clock: {told}")
    return environment


def share_a_video():
    whole, folder, records = path("share-video", "whole.mp4"), path("share-video", "shared", "")[:-1], path("share-video", "records")
    render(*hue(), "--resume", "-o", whole)
    with Worker(hue(), folder, records, 1, name="video.mp4") as one, Worker(hue(), folder, records, 2, name="video.mp4") as two, \
            Worker(hue(), folder, records, 3, name="video.mp4") as three:
        for worker in (one, two, three):
            worker.wait()
    expect_parts(Records(records), 144)
    count = expect_same_packets(folder + "/video.mp4", whole)
    if files_in(folder) != {"video.mp4"}:
        raise Failure(f"beside the video there are {files_in(folder)}")
    return f"3 workers: the {count} packets of the whole, with sound, nothing left over"


def share_with_state():
    words = [SAMPLES + "/graphs/trail.yaml", "--size", "64x64", "--no-checkpoints"]
    whole, folder, records = path("share-state", "whole", ""), path("share-state", "shared", "")[:-1], path("share-state", "records")
    render(*words, "-o", whole + "a.####.png")
    with Worker(words, folder, records, 1) as one, Worker(words, folder, records, 2) as two:
        time.sleep(0.1)
        one.kill()
        two.wait()
    # What the machine that is gone was writing stays for an hour, because it might only be slow.
    for name in files_in(folder):
        if name.startswith(".") and name.endswith(".tmp"):
            os.remove(f"{folder}/{name}")
    return f"frames that remember, the first worker killed: {expect_same_files(folder, whole)} frames byte for byte the whole"


def cases():
    yield "shards", shards
    yield "shards of a video", shards_of_a_video
    yield "sharing", share
    yield "sharing of a video", share_a_video
    yield "sharing of a graph with state", share_with_state
    yield "sharing, with workers that are killed", share_with_kills
    if settings.long:
        yield "sharing, with clocks that differ", share_with_clocks
