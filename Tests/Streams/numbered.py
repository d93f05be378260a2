"""Pictures that show their number, and how it is read from what was made of them.

A picture has 20 blocks side by side: the bits of its number, the lowest one on the left. The lower half shows their opposite, so that a picture that was
damaged, blended with another one or not filtered is recognized. FILTER turns it upside down.
"""
import os
import subprocess

RATE = 25
BITS, BLOCK = 20, 16
WIDTH, HEIGHT = BITS * BLOCK, 32
FILTER = "flip horizontal=false vertical=true"


class Failure(Exception):
    """Something that is not as it should be."""


def source(seconds):
    """What gives the ffmpeg command numbered pictures."""
    level = f"16+219*mod(floor(N/pow(2,floor(X/{BLOCK})))+gte(Y,{HEIGHT // 2}),2)"
    return ["-f", "lavfi", "-i", f"nullsrc=s={WIDTH}x{HEIGHT}:r={RATE}:d={seconds},format=gray,geq=lum='{level}'"]


# H.264 with pictures that come in another order than they show, and one each second that needs none before.
ENCODER = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "veryfast", "-threads", "1", "-g", str(RATE), "-sc_threshold", "0",
           "-x264-params", "rc-lookahead=0:bframes=2", "-color_range", "tv", "-colorspace", "bt709"]


def ffmpeg(*arguments):
    """The arguments of the ffmpeg command."""
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)]


def output_of(command):
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    if result.returncode:
        raise Failure(f"{' '.join(command)} ends with {result.returncode}: {result.stderr.decode(errors='replace').strip()}")
    return result.stdout


def number_of(picture, name):
    bits = []
    for top in (0, HEIGHT // 2):
        row = (top + HEIGHT // 4) * WIDTH
        levels = [picture[row + block * BLOCK + BLOCK // 2] for block in range(BITS)]
        if any(64 < level < 192 for level in levels):
            raise Failure(f"{name}: the pattern is neither black nor white: {levels}")
        bits.append([level > 128 for level in levels])
    if any(top == bottom for top, bottom in zip(*bits)):
        raise Failure(f"{name}: the halves do not match")
    return sum(bit << place for place, bit in enumerate(bits[1]))


def numbers(path):
    """The numbers of the filtered pictures of a video, or of a sequence such as 'out/%06d.png', in their order."""
    pixels = output_of(ffmpeg("-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray", "-"))
    size = WIDTH * HEIGHT
    if len(pixels) % size:
        raise Failure(f"{path}: the pictures are not of {WIDTH}x{HEIGHT} pixels")
    return [number_of(pixels[at:at + size], f"{os.path.basename(path)}, picture {at // size}") for at in range(0, len(pixels), size)]


def times(path):
    """When the pictures of a video show, in seconds."""
    text = output_of(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path]).decode()
    return [float(line.split(",")[0]) for line in text.split()]


def expect_same(what, found, expected, tolerance=0):
    """That two lists are the same; says where they begin to differ."""
    for place, (one, other) in enumerate(zip(found, expected)):
        if abs(one - other) > tolerance:
            raise Failure(f"{what} {place} is {one}, not {other}; the ones before: {found[max(0, place - 3):place]}")
    if len(found) != len(expected):
        raise Failure(f"{len(found)} of {what}s instead of {len(expected)}; the last ones: {found[-3:]}, expected: {expected[-3:]}")


def expect_numbers(path, expected):
    found, expected = numbers(path), list(expected)
    expect_same("the number of picture", found, expected)


def expect_times(path, expected):
    """Times are those since the first picture. Containers round them to a millisecond."""
    found, expected = times(path), list(expected)
    if found and abs(found[0]) > 0.0006:
        found = [time - found[0] for time in found] if path.endswith((".ts", ".m3u8")) else found
    expect_same("the time of picture", found, expected, tolerance=0.0006)
