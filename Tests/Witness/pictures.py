"""Reads and writes 8-bit pictures and measures how two of them differ.

Arrays are `height × width × 4`, and row 0 is the **top** row, as in a file.
"""

from dataclasses import dataclass

import numpy
from PIL import Image


def read(path):
    """Returns the picture at `path` as straight 8-bit RGBA."""
    with Image.open(path) as image:
        return numpy.array(image.convert("RGBA"))


def write_png(path, pixels):
    """Writes 8-bit pixels as a PNG, without alpha when every pixel is opaque."""
    opaque = pixels.shape[2] == 4 and bool((pixels[:, :, 3] == 255).all())
    Image.fromarray(pixels[:, :, :3] if opaque else pixels).save(path, compress_level=1)


def to_8_bits(colors):
    """Converts float colours: clamp, NaN becomes 0, times 255, round half to even."""
    defined = numpy.nan_to_num(colors, nan=0.0, posinf=1.0, neginf=0.0)
    return numpy.rint(numpy.clip(defined, 0.0, 1.0) * 255.0).astype(numpy.uint8)


@dataclass(frozen=True)
class Difference:
    """How far two pictures of one size are apart, in levels of 255."""

    share_within: float
    maximum: int
    mean: float
    outside: numpy.ndarray

    @staticmethod
    def between(first, second, levels):
        """Compares colour and alpha; `outside` marks the pixels that differ by more than `levels`."""
        distance = numpy.abs(first.astype(numpy.int16) - second.astype(numpy.int16))
        outside = distance.max(axis=2) > levels
        return Difference(1.0 - float(outside.mean()), int(distance.max()), float(distance.mean()), outside)


def grown(mask, radius):
    """Returns `mask` with every marked pixel widened to a square of `2 * radius + 1` pixels."""
    padded = numpy.pad(mask, radius)
    height, width = mask.shape
    result = numpy.zeros_like(mask)
    for y in range(2 * radius + 1):
        for x in range(2 * radius + 1):
            result |= padded[y : y + height, x : x + width]
    return result


def side_by_side(first, second, levels):
    """Returns one picture: the first, the second, and their difference times eight with the outside pixels in red."""
    distance = numpy.abs(first[:, :, :3].astype(numpy.int16) - second[:, :, :3].astype(numpy.int16))
    amplified = numpy.clip(distance * 8, 0, 255).astype(numpy.uint8)
    outside = distance.max(axis=2) > levels
    amplified[outside] = numpy.maximum(amplified[outside], numpy.array([160, 0, 0], numpy.uint8))
    gap = numpy.full((first.shape[0], 4, 3), 128, numpy.uint8)
    return numpy.concatenate([first[:, :, :3], gap, second[:, :, :3], gap, amplified], axis=1)
