"""Compares filters that read other frames with numpy, on a sequence of small random pictures.

    pip install numpy pillow
    python3 Tests/Oracle/moments.py [--etalon PROGRAM] [NAME …]

Each line names the filter, its values, the greatest difference of all frames in levels of 8 bits, and what it may be. The command ends with 1 when one
is greater.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

COUNT, HEIGHT, WIDTH = 11, 9, 13
CHECKS = []

# What is read two frames before and three after, in the order of the formula below; 'ENDS' is filled in.
PROBE = """/*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image", "FRAMES": [-5, 4], "ENDS": "%s" }] }*/
vec4 colorKernel(vec4 color) { return 0.5 * IMG_THIS_PIXEL(inputImage[-5]) + 0.3 * color + 0.2 * IMG_THIS_PIXEL(inputImage[4]); }
"""


def check(name, limit, **values):
    """Registers a computation of frame 'n' of a filter: a function of 'at', which gives the picture of any frame, and 'n'."""

    def register(function):
        CHECKS.append((name, limit, values, function))
        return function

    return register


def hold(pictures):
    return lambda n: pictures[min(max(n, 0), COUNT - 1)]


def mirror(pictures):
    def at(n):
        n %= 2 * COUNT - 2
        return pictures[min(n, 2 * COUNT - 2 - n)]

    return at


def transparent(pictures):
    return lambda n: pictures[n] if 0 <= n < COUNT else np.zeros_like(pictures[0])


def blended(frames, weights, amount=1.0):
    def result(at, n):
        counts = {"box": lambda k: 1.0, "triangle": lambda k: frames + 1 - abs(k), "gaussian": lambda k: np.exp(-0.5 * (2 * k / max(frames, 1)) ** 2)}
        offsets = range(-frames, frames + 1)
        mean = sum(counts[weights](k) * at(n + k) for k in offsets) / sum(counts[weights](k) for k in offsets)
        return (1 - amount) * at(n) + amount * mean

    return result


for frames, weights, amount in [(1, "box", 1.0), (8, "box", 1.0), (3, "triangle", 1.0), (8, "triangle", 0.4), (5, "gaussian", 1.0), (8, "gaussian", 0.7)]:
    check("frame-blend", 0.02, frames=frames, weights=weights, amount=amount)(blended(frames, weights, amount))


def median(radius):
    return lambda at, n: np.median([at(n + k) for k in range(-radius, radius + 1)], axis=0)


for radius in (1, 2, 3):
    check("temporal-median", 0.02, radius=radius)(median(radius))

for ends in ("hold", "mirror", "transparent"):
    check(f"probe-{ends}", 0.02)(lambda at, n: 0.5 * at(n - 5) + 0.3 * at(n) + 0.2 * at(n + 4))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etalon", default=".build/release/etalon")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    random = np.random.default_rng(7)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        pictures = []
        for number in range(COUNT):
            pixels = random.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(folder / f"plate.{number:02}.png")
            pictures.append(pixels / 255.0)
        for name, limit, values, function in CHECKS:
            if arguments.names and name not in arguments.names:
                continue
            filter, at = name, hold(pictures)
            if name.startswith("probe-"):
                ends = name[6:]
                at = {"hold": hold, "mirror": mirror, "transparent": transparent}[ends](pictures)
                filter = str(folder / f"{name}.glsl")
                Path(filter).write_text(PROBE % ends)
            settings = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
            command = [arguments.etalon, "render", filter, "-i", str(folder / "plate.##.png"), "--bits", "16", "--alpha", "straight", "--device", arguments.device]
            subprocess.run(command + settings + ["--overwrite", "-o", str(folder / "out.##.png")], check=True, capture_output=True, text=True)
            worst = 0.0
            for n in range(COUNT):
                words = subprocess.run(
                    ["ffmpeg", "-v", "error", "-i", str(folder / f"out.{n:02}.png"), "-f", "rawvideo", "-pix_fmt", "rgba64le", "-"],
                    check=True, capture_output=True).stdout
                colors = np.frombuffer(words, "<u2").reshape(HEIGHT, WIDTH, 4) / 65535
                found = colors[:, :, :3] * colors[:, :, 3:]
                worst = max(worst, float(np.abs(found - function(at, n)).max() * 255))
            verdict = "" if worst <= limit else "  FAILED"
            failed = failed or bool(verdict)
            print(f"{name} {' '.join(f'{key}={value}' for key, value in values.items())}: {worst:.4f} of {limit}{verdict}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
