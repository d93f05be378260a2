"""Compares filters with independent computations of the same pictures, in double precision.

    python3 -m venv oracle && oracle/bin/pip install numpy scipy scikit-image opencv-python-headless pillow
    oracle/bin/python Tests/Oracle/pictures_and_shapes.py [--etalon PROGRAM] [NAME …]

It covers composites, geometry, resizing, distortions, stylize filters and generators. Each line names the filter, its values, the greatest difference
in levels of 8 bits (of premultiplied colors, from files of 16 bits), and what it may be. The command ends with 1 when one is greater.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy as np
import scipy.ndimage as nd
import scipy.spatial
import skimage.feature
import skimage.transform
from PIL import Image, ImageChops
from scipy.spatial.transform import Rotation

ROOT = pathlib.Path(__file__).resolve().parents[2]
HARD, PHOTO, MASK = (str(ROOT / "Plugins/tests" / name) for name in ("hard.png", "photo.png", "mask.png"))
CAT = str(ROOT / "samples/chelsea.png")
# A part of another photo, as large as the first one.
FOLDER = tempfile.TemporaryDirectory()
CUP = FOLDER.name + "/cup.png"
cv2.imwrite(CUP, cv2.imread(str(ROOT / "samples/coffee.png"))[50:350, 100:551])
LUMA = np.array([0.2126, 0.7152, 0.0722])
CHECKS = []


def check(name, limit, inputs=(), size=None, outliers=0.0, means=False, **values):
    """Registers a computation of what a filter shows: 'limit' levels, but for a share of 'outliers' of the pixels, or for the means alone."""

    def register(function):
        CHECKS.append((name, limit, outliers, means, inputs, size, values, function))
        return function

    return register


def load(path):
    """A picture as premultiplied numbers, from the bottom row to the top one."""
    picture = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    picture = picture / np.iinfo(picture.dtype).max
    if picture.ndim == 2:
        picture = picture[:, :, None].repeat(3, 2)
    rgb = picture[:, :, 2::-1]
    alpha = picture[:, :, 3:4] if picture.shape[2] == 4 else np.ones_like(rgb[:, :, :1])
    return np.flipud(np.concatenate([rgb * alpha, alpha], 2))


def render(etalon, name, inputs, size, values, folder):
    result = f"{folder}/result.png"
    if name == "resize":
        # An operation on pictures is a stage.
        stage = name + "".join(f" {key}={','.join(map(str, value)) if isinstance(value, tuple) else value}" for key, value in values.items())
        subject, inputs, values = [*inputs, stage], [], {}
    else:
        subject = [name]
    command = [etalon, "render", *subject, "--device", "cpu", "--overwrite", "--bits", "16", "--format", "rgba32f", "-o", result]
    for path in inputs:
        command += ["-i", path]
    if size:
        command += ["--size", f"{size[0]}x{size[1]}"]
    for key, value in values.items():
        text = ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value).lower() if isinstance(value, bool) else str(value)
        command += ["--set", f"{key}={text}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return load(result)


def positions(width, height):
    """The middles of the pixels."""
    y, x = np.mgrid[0:height, 0:width] + 0.5
    return x, y


def read(picture, x, y, mode="nearest"):
    """The picture at positions in pixels, interpolated."""
    return np.stack([nd.map_coordinates(picture[:, :, c], [y - 0.5, x - 0.5], order=1, mode=mode) for c in range(4)], 2)


def straight(picture):
    return np.divide(picture[:, :, :3], picture[:, :, 3:], out=np.zeros_like(picture[:, :, :3]), where=picture[:, :, 3:] > 0)


def gray(level):
    return np.concatenate([level[:, :, None].repeat(3, 2), np.ones(level.shape + (1,))], 2)


# Composites

PILLOW = dict(multiply=ImageChops.multiply, screen=ImageChops.screen, darken=ImageChops.darker, lighten=ImageChops.lighter,
              difference=ImageChops.difference, overlay=ImageChops.overlay, **{
    "hard-light": ImageChops.hard_light, "linear-dodge": ImageChops.add,
    "subtract": lambda below, above: ImageChops.subtract(below, above)})

for mode, operation in PILLOW.items():
    @check("blend", 1.5, (CAT, CUP), mode=mode)
    def _(above, below, mode, operation=operation):
        pictures = [Image.fromarray(np.uint8(np.round(p[:, :, :3] * 255))) for p in (below, above)]
        result = np.asarray(operation(*pictures)) / 255
        return np.concatenate([result, np.ones(result.shape[:2] + (1,))], 2)


def set_sat(color, saturation):
    """SetSat as the specification writes it, with sorted components."""
    order = np.argsort(color, -1, kind="stable")
    low, mid, high = (np.take_along_axis(color, order[..., i:i + 1], -1) for i in range(3))
    scale = np.divide(saturation, high - low, out=np.zeros_like(high), where=high > low)
    ordered = np.concatenate([np.zeros_like(low), (mid - low) * scale, np.where(high > low, saturation, 0)], -1)
    result = np.empty_like(color)
    np.put_along_axis(result, order, ordered, -1)
    return result


def lum(color):
    return (color @ np.array([0.3, 0.59, 0.11]))[..., None]


def set_lum(color, light):
    color = color + light - lum(color)
    light, low, high = lum(color), color.min(-1, keepdims=True), color.max(-1, keepdims=True)
    with np.errstate(all="ignore"):
        color = np.where(low < 0, light + (color - light) * light / (light - low), color)
        return np.where(high > 1, light + (color - light) * (1 - light) / (high - light), color)


def sat(color):
    return color.max(-1, keepdims=True) - color.min(-1, keepdims=True)


with np.errstate(all="ignore"):
    MODES = {
        "color-dodge": lambda b, s: np.where(b == 0, 0, np.where(s >= 1, 1, np.minimum(1, b / np.maximum(1 - s, 1e-30)))),
        "color-burn": lambda b, s: np.where(b >= 1, 1, np.where(s <= 0, 0, 1 - np.minimum(1, (1 - b) / np.maximum(s, 1e-30)))),
        "soft-light": lambda b, s: np.where(s <= 0.5, b - (1 - 2 * s) * b * (1 - b),
                                            b + (2 * s - 1) * (np.where(b <= 0.25, ((16 * b - 12) * b + 4) * b, np.sqrt(b)) - b)),
        "exclusion": lambda b, s: b + s - 2 * b * s,
        "hue": lambda b, s: set_lum(set_sat(s, sat(b)), lum(b)),
        "saturation": lambda b, s: set_lum(set_sat(b, sat(s)), lum(b)),
        "color": lambda b, s: set_lum(s, lum(b)),
        "luminosity": lambda b, s: set_lum(b, lum(s)),
        "linear-burn": lambda b, s: np.maximum(b + s - 1, 0),
        "linear-light": lambda b, s: np.clip(b + 2 * s - 1, 0, 1),
        "pin-light": lambda b, s: np.where(s <= 0.5, np.minimum(b, 2 * s), np.maximum(b, 2 * s - 1)),
        "multiply": lambda b, s: b * s,
    }

for mode, operation in MODES.items():
    for inputs in ((HARD, PHOTO), (PHOTO, HARD)):
        @check("blend", 0.1, inputs, mode=mode, opacity=0.7)
        def _(above, below, mode, opacity, operation=operation):
            s, b = above[:, :, 3:] * opacity, below[:, :, 3:]
            cs, cb = straight(above), straight(below)
            color = s * (1 - b) * cs + s * b * operation(cb, cs) + (1 - s) * b * cb
            return np.concatenate([color, s + b * (1 - s)], 2)

OTHER = str(ROOT / "Plugins/composite/porter-duff/tests/other.png")
FACTORS = {
    "source-over": lambda s, d: (1, 1 - s), "destination-over": lambda s, d: (1 - d, 1), "source-in": lambda s, d: (d, 0),
    "destination-in": lambda s, d: (0, s), "source-out": lambda s, d: (1 - d, 0), "destination-out": lambda s, d: (0, 1 - s),
    "source-atop": lambda s, d: (d, 1 - s), "destination-atop": lambda s, d: (1 - d, s), "xor": lambda s, d: (1 - d, 1 - s)}

for operator, factors in FACTORS.items():
    @check("porter-duff", 0.1, (HARD, OTHER), operator=operator)
    def _(source, destination, operator, factors=factors):
        a, b = factors(source[:, :, 3:], destination[:, :, 3:])
        return source * a + destination * b


# Geometry and distortions

CORNERS = dict(topLeft=(0.15, 0.9), topRight=(0.85, 0.75), bottomRight=(0.9, 0.2), bottomLeft=(0.1, 0.05))


def homography(picture, corners):
    """OpenCV's matrix from the picture to the four points."""
    height, width = picture.shape[:2]
    unit = np.float32([(0, 1), (1, 1), (1, 0), (0, 0)]) * (width, height)
    points = np.float32([corners[k] for k in ("topLeft", "topRight", "bottomRight", "bottomLeft")]) * (width, height)
    return cv2.getPerspectiveTransform(unit.astype(np.float32), points.astype(np.float32))


def through(matrix, x, y):
    u, v, w = np.tensordot(matrix, np.stack([x, y, np.ones_like(x)]), 1)
    return u / w, v / w


@check("perspective-transform", 0.1, (CAT,), **CORNERS)
def _(picture, **corners):
    x, y = positions(*picture.shape[1::-1])
    return read(picture, *through(np.linalg.inv(homography(picture, corners)), x, y), "grid-constant")


@check("perspective-correction", 0.1, (CAT,), **CORNERS)
def _(picture, **corners):
    x, y = positions(*picture.shape[1::-1])
    return read(picture, *through(homography(picture, corners), x, y), "grid-constant")


@check("flip", 0, (HARD,), horizontal=True, vertical=True)
def _(picture, horizontal, vertical):
    return picture[::-1, ::-1]


@check("tile", 0.02, (HARD,), columns=4, rows=2)
def _(picture, columns, rows):
    small = picture.reshape(24, 2, 16, 4, 4).mean((1, 3))
    return np.tile(small, (rows, columns, 1))


@check("lens-distortion", 0.1, (CAT,), k1=0.3, k2=0.15, fringes=0)
@check("lens-distortion", 0.1, (CAT,), k1=-0.25, k2=0.05, fringes=0)
def _(picture, k1, k2, fringes):
    # OpenCV's map from a straight picture to the bent one, for a camera whose focal length is half of the diagonal.
    height, width = picture.shape[:2]
    focal = 0.5 * np.hypot(width, height)
    camera = np.array([[focal, 0, width / 2 - 0.5], [0, focal, height / 2 - 0.5], [0, 0, 1]])
    x, y = cv2.initUndistortRectifyMap(camera, np.array([k1, k2, 0, 0]), None, camera, (width, height), cv2.CV_32FC1)
    return read(picture, x + 0.5, y + 0.5, "grid-constant")


@check("twirl-distortion", 0.1, (CAT,), angle=150, radius=0.6, center=(0.4, 0.6))
def _(picture, angle, radius, center):
    height, width = picture.shape[:2]
    x, y = positions(width, height)
    z = (x - center[0] * width) + 1j * (y - center[1] * height)
    rest = np.maximum(1 - np.abs(z) / (radius * min(width, height)), 0)
    z = z * np.exp(-1j * np.radians(angle) * rest ** 2)
    return read(picture, z.real + center[0] * width, z.imag + center[1] * height)


@check("pinch-distortion", 0.1, (CAT,), scale=0.8, radius=0.7)
@check("pinch-distortion", 0.1, (CAT,), scale=-0.6, radius=0.5)
def _(picture, scale, radius):
    height, width = picture.shape[:2]
    x, y = positions(width, height)
    z = (x - width / 2) + 1j * (y - height / 2)
    far = np.abs(z) / (radius * min(width, height))
    z = np.where(far < 1, z * far ** (2.0 ** -scale - 1), z)
    return read(picture, z.real + width / 2, z.imag + height / 2)


@check("bump-distortion", 0.1, (CAT,), scale=0.7, radius=0.45)
def _(picture, scale, radius):
    height, width = picture.shape[:2]
    x, y = positions(width, height)
    u, v = x - width / 2, y - height / 2
    q = np.minimum((u * u + v * v) / (radius * min(width, height)) ** 2, 1)
    factor = 1 - scale * (1 - q) ** 2
    return read(picture, width / 2 + u * factor, height / 2 + v * factor)


@check("ripple-distortion", 0.1, (CAT,), amplitude=7, wavelength=45, phase=70, fade=1.5)
def _(picture, amplitude, wavelength, phase, fade):
    height, width = picture.shape[:2]
    x, y = positions(width, height)
    u, v = x - width / 2, y - height / 2
    far = np.hypot(u, v)
    move = amplitude * np.exp(-fade * far / min(width, height)) * np.minimum(4 * far / wavelength, 1)
    move = move * np.sin(2 * np.pi * (far / wavelength - phase / 360)) / np.maximum(far, 1e-9)
    return read(picture, x + u * move, y + v * move, "reflect")


@check("wave-distortion", 0.1, (CAT,), amplitude=9, wavelength=70, direction=30, sway=60, phase=40)
def _(picture, amplitude, wavelength, direction, sway, phase):
    height, width = picture.shape[:2]
    x, y = positions(width, height)
    along = ((x - width / 2) + 1j * (y - height / 2)) * np.exp(-1j * np.radians(direction))
    move = -amplitude * np.sin(2 * np.pi * (along.real / wavelength - phase / 360)) * np.exp(1j * np.radians(direction + sway))
    return read(picture, x + move.real, y + move.imag, "reflect")


@check("circle-splash-distortion", 0.1, (CAT,), radius=0.3, center=(0.4, 0.6))
def _(picture, radius, center):
    height, width = picture.shape[:2]
    x, y = positions(width, height)
    z = (x - center[0] * width) + 1j * (y - center[1] * height)
    z = z * np.minimum(1, radius * min(width, height) / np.abs(z))
    return read(picture, z.real + center[0] * width, z.imag + center[1] * height)


@check("displacement-distortion", 0.1, (CAT, CUP), scale=37, xChannel="green", yChannel="blue")
def _(picture, other, scale, **channels):
    x, y = positions(*picture.shape[1::-1])
    return read(picture, x + scale * (other[:, :, 1] - 0.5), y + scale * (other[:, :, 2] - 0.5))


@check("polar-coordinates", 0.1, (CAT,), direction="unroll", angle=0, radius=0.5)
def _(picture, direction, angle, radius):
    # scikit-image has one row for each direction, clockwise in its picture whose y goes down, and measures from the middles of pixels.
    height, width = picture.shape[:2]
    reach = radius * min(width, height)
    down = picture[::-1]
    rays = np.stack([skimage.transform.warp_polar(down[:, :, c], center=(height / 2 - 0.5, width / 2 - 0.5), radius=reach,
                                                  output_shape=(2 * width, 2 * height), order=1, mode="edge") for c in range(4)], 2)
    # Every second one of twice as many lies in the middle of a pixel of the filter.
    return rays[1::2, 1::2].transpose(1, 0, 2)


@check("equirectangular-view", 0.1, (CAT,), yaw=130, pitch=25, roll=-15, fieldOfView=100)
def _(picture, yaw, pitch, roll, fieldOfView):
    height, width = picture.shape[:2]
    x, y = positions(width, height)
    scale = np.tan(np.radians(fieldOfView / 2)) * 2 / width
    rays = np.stack([(x - width / 2) * scale, (y - height / 2) * scale, np.ones_like(x)], -1).reshape(-1, 3)
    # The camera rolls clockwise, then looks up, then turns to the right.
    turn = Rotation.from_euler("y", yaw, degrees=True) * Rotation.from_euler("x", -pitch, degrees=True) * Rotation.from_euler("z", -roll, degrees=True)
    rays = turn.apply(rays).reshape(height, width, 3)
    longitude = np.arctan2(rays[..., 0], rays[..., 2])
    latitude = np.arcsin(rays[..., 1] / np.linalg.norm(rays, axis=-1))
    row = np.clip((0.5 + latitude / np.pi) * height, 0.5, height - 0.5)
    return read(picture, (0.5 + longitude / (2 * np.pi)) * width, row, "grid-wrap")


@check("fisheye", 0.1, (CAT,), fieldOfView=140, projection="equisolid")
def _(picture, fieldOfView, projection):
    height, width = picture.shape[:2]
    x, y = positions(width, height)
    u, v = x - width / 2, y - height / 2
    widest = np.radians(fieldOfView / 2)
    far = np.hypot(u, v) / np.hypot(width / 2, height / 2)
    factor = np.tan(2 * np.arcsin(far * np.sin(widest / 2))) / np.tan(widest) / far
    return read(picture, width / 2 + u * factor, height / 2 + v * factor, "grid-constant")


# Stylize


def slopes(operator):
    def computed(picture, intensity, **_):
        change = [[operator(picture[:, :, c], axis=axis, mode="nearest") for c in range(3)] for axis in (0, 1)]
        size = np.sqrt(np.square(change).sum(0)).transpose(1, 2, 0)
        return np.concatenate([np.minimum(intensity * size, 1) * picture[:, :, 3:], picture[:, :, 3:]], 2)
    return computed


for picture in (HARD, CAT):
    check("edges", 0.05, (picture,), intensity=1.5)(slopes(lambda p, **k: nd.sobel(p, **k) / 4))
    check("edges", 0.05, (picture,), intensity=1.5, operator="prewitt")(slopes(lambda p, **k: nd.prewitt(p, **k) / 3))


@check("emboss", 0.1, (CAT,), angle=30, distance=1.5, height=3, color=0.4)
def _(picture, angle, distance, height, color):
    x, y = positions(*picture.shape[1::-1])
    toward = distance * np.exp(1j * np.radians(angle))
    luma = [read(picture, x + side * toward.real, y + side * toward.imag)[:, :, :3] @ LUMA for side in (-1, 1)]
    ground = (1 - color) * 0.5 + color * picture[:, :, :3]
    result = np.clip(ground + height * (luma[0] - luma[1])[:, :, None], 0, 1)
    return np.concatenate([result, picture[:, :, 3:]], 2)


@check("gloom", 0.1, (CAT,), intensity=0.8, sigma=5)
def _(picture, intensity, sigma):
    around = np.stack([nd.gaussian_filter(picture[:, :, c], sigma, mode="nearest", truncate=3) for c in range(3)], 2)
    result = picture[:, :, :3] + intensity * (np.minimum(picture[:, :, :3], around) - picture[:, :, :3])
    return np.concatenate([result, picture[:, :, 3:]], 2)


@check("canny-edges", 0, (CAT,), outliers=0.005, sigma=1.5, low=0.1, high=0.25)
def _(picture, sigma, low, high):
    lines = skimage.feature.canny(picture[:, :, :3] @ LUMA, sigma=sigma, low_threshold=low, high_threshold=high, mode="nearest")
    return gray(lines.astype(float))


@check("kuwahara", 0.1, (PHOTO,), radius=3)
@check("kuwahara", 0.1, (CAT,), radius=5)
def _(picture, radius):
    side = radius + 1
    padded = np.pad(picture, ((radius, radius), (radius, radius), (0, 0)), "edge")
    luma = padded[:, :, :3] @ LUMA
    windows = np.lib.stride_tricks.sliding_window_view(padded, (side, side), (0, 1)).mean((-1, -2))
    variances = np.lib.stride_tricks.sliding_window_view(luma, (side, side)).var((-1, -2))
    height, width = picture.shape[:2]
    corners = [(y, x) for y in (0, radius) for x in (0, radius)]
    parts = np.stack([windows[y:y + height, x:x + width] for y, x in corners])
    shares = (np.stack([variances[y:y + height, x:x + width] for y, x in corners]) + 1e-5) ** -4.0
    return (parts * shares[..., None]).sum(0) / shares.sum(0)[..., None]


def light(v):
    return np.where(v <= 0.04045, v / 12.92, ((np.maximum(v, 0) + 0.055) / 1.055) ** 2.4)


def encoded(v):
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * np.maximum(v, 0) ** (1 / 2.4) - 0.055)


@check("bloom", 0.1, (CAT,), sigma=4, intensity=0.7, threshold=0.3)
@check("bloom", 2, (CAT,), sigma=25, intensity=0.7, threshold=0.3)
def _(picture, sigma, intensity, threshold):
    # Wide bells are applied to a smaller picture, whose last pixel, which goes on beyond the edge, is a mean of several.
    color = light(picture[:, :, :3])
    brightest = color.max(2, keepdims=True)
    above = color * np.maximum(brightest - threshold, 0) / np.maximum(brightest, 1e-9)
    spread = np.stack([nd.gaussian_filter(above[:, :, c], sigma, mode="nearest", truncate=3) for c in range(3)], 2)
    result = np.clip(encoded(color + intensity * spread), 0, 1)
    return np.concatenate([result, picture[:, :, 3:]], 2)


def laid(picture, behind, color):
    """A picture over a color with a shape."""
    layer = np.concatenate([behind[:, :, None] * np.array(color[:3]), behind[:, :, None]], 2)
    return picture + layer * (1 - picture[:, :, 3:])


def grown(picture, x, y):
    """With nothing around it, by even numbers."""
    return np.pad(picture, ((y, y), (x, x), (0, 0)))


@check("drop-shadow", 0.1, (HARD,), offset=(3, -2), sigma=2)
def _(picture, offset, sigma):
    picture = grown(picture, 10, 10)
    shade = nd.gaussian_filter(picture[:, :, 3], sigma, mode="constant", truncate=3)
    return laid(picture, 0.6 * nd.shift(shade, (offset[1], offset[0]), order=1, mode="constant"), (0, 0, 0))


@check("glow", 0.1, (HARD,), sigma=2, intensity=2)
def _(picture, sigma, intensity):
    picture = grown(picture, 6, 6)
    shade = nd.gaussian_filter(picture[:, :, 3], sigma, mode="constant", truncate=3)
    return laid(picture, np.minimum(intensity * shade, 1), (1, 0.8, 0.3))


@check("outline", 0.1, (str(ROOT / "Plugins/stylize/outline/tests/sticker.png"),), width=4.5)
def _(picture, width):
    picture = grown(picture, 6, 6)
    far = nd.distance_transform_edt(picture[:, :, 3] < 0.5)
    return laid(picture, np.clip(width - np.maximum(far - 0.5, 0) + 0.5, 0, 1), (1, 1, 1))


@check("dither", 0.02, (CAT,), outliers=0.001, levels=4, pattern="bayer-8")
def _(picture, levels, pattern):
    matrix = np.array([[0]])
    for _ in range(3):
        # Bayer's rule, from the bottom left.
        matrix = np.block([[4 * matrix, 4 * matrix + 2], [4 * matrix + 3, 4 * matrix + 1]])
    height, width = picture.shape[:2]
    threshold = np.tile((matrix + 0.5) / 64, (height // 8 + 1, width // 8 + 1))[:height, :width, None]
    result = np.floor(picture[:, :, :3] * (levels - 1) + threshold) / (levels - 1)
    return np.concatenate([np.minimum(result, 1), picture[:, :, 3:]], 2)


# Patterns that stand for grays keep their mean.

for level in (13, 64, 128, 191, 245):
    EVEN = f"{FOLDER.name}/{level}.png"
    cv2.imwrite(EVEN, np.full((320, 320, 3), level, np.uint8))
    for name, values in (("dot-halftone", {}), ("dot-halftone", dict(form="diamond", width=5)), ("line-halftone", {}),
                         ("cmyk-halftone", dict(black=0.8)), ("dither", dict(levels=2, pattern="blue")),
                         ("dither", dict(levels=3, pattern="interleaved"))):
        # Where dots of several inks meet is left to the angles of their grids.
        check(name, 2.5 if name == "cmyk-halftone" else 1, (EVEN,), means=True, **values)(lambda picture, **_: picture)


@check("crystallize", 0, (CAT,), outliers=0.001, radius=9, seed=5)
def _(picture, radius, seed):
    height, width = picture.shape[:2]
    cells, points = lattice(width, height, 2 * radius, (seed,))
    x, y = positions(width, height)
    nearest = points[scipy.spatial.cKDTree(points).query(np.stack([x, y], -1))[1]]
    column = np.clip(np.floor(nearest[..., 0]), 0, width - 1).astype(int)
    row = np.clip(np.floor(nearest[..., 1]), 0, height - 1).astype(int)
    return picture[row, column]


# Generators


def mixed(bits):
    """The filters' hash."""
    bits = np.asarray(bits).astype(np.uint64) & 0xFFFFFFFF
    bits = ((bits ^ (bits >> np.uint64(16))) * np.uint64(0x7FEB352D)) & np.uint64(0xFFFFFFFF)
    bits = ((bits ^ (bits >> np.uint64(15))) * np.uint64(0x846CA68B)) & np.uint64(0xFFFFFFFF)
    return bits ^ (bits >> np.uint64(16))


def word(number):
    return (np.asarray(number).astype(np.int64) & 0xFFFFFFFF).astype(np.uint64)


def hashed(*numbers):
    """Numbers mixed from the last one to the first."""
    result = mixed(word(numbers[-1]))
    for number in numbers[-2::-1]:
        result = mixed(word(number) ^ result)
    return result


def lattice(width, height, side, more):
    """A random point in each square, and the squares."""
    y, x = np.mgrid[-3:height // side + 4, -3:width // side + 4].astype(np.int64)
    bits = hashed(x, y, *more)
    points = np.stack([x + (bits >> np.uint64(8)) / 2.0 ** 24, y + (mixed(bits ^ np.uint64(1)) >> np.uint64(8)) / 2.0 ** 24], -1)
    return np.stack([x, y], -1).reshape(-1, 2), (points * side).reshape(-1, 2)


@check("worley-noise", 0.05, size=(160, 120), scale=20, seed=7)
@check("worley-noise", 0.05, size=(160, 120), scale=20, seed=7, measure="edges", metric="steps")
@check("worley-noise", 0.05, size=(160, 120), scale=20, seed=7, measure="second", metric="square")
def _(scale, seed, measure="nearest", metric="straight"):
    _, points = lattice(160, 120, scale, (0, seed))
    x, y = positions(160, 120)
    power = dict(straight=2, steps=1, square=np.inf)[metric]
    far = scipy.spatial.cKDTree(points).query(np.stack([x, y], -1), k=2, p=power)[0] / scale
    level = dict(nearest=far[..., 0], second=far[..., 1], edges=far[..., 1] - far[..., 0])[measure]
    return gray(np.minimum(level, 1))


EDGES = np.array([(1, 1, 0), (-1, 1, 0), (1, -1, 0), (-1, -1, 0), (1, 0, 1), (-1, 0, 1), (1, 0, -1), (-1, 0, -1),
                  (0, 1, 1), (0, -1, 1), (0, 1, -1), (0, -1, -1), (1, 1, 0), (0, -1, 1), (-1, 1, 0), (0, -1, -1)])


def fade(t):
    return t ** 3 * (t * (t * 6 - 15) + 10)


@check("gradient-noise", 0.05, size=(120, 90), scale=13, evolution=-2.3, seed=3)
def _(scale, evolution, seed):
    # Perlin's reference has sixteen gradients in this order: twelve edges of a cube, and four of them again.
    x, y = positions(120, 90)
    place = np.stack([x / scale, y / scale, np.full_like(x, evolution)], -1)
    corner = np.floor(place)
    t = place - corner
    total = 0
    for step in np.ndindex(2, 2, 2):
        point = (corner + step).astype(np.int64)
        slope = EDGES[(hashed(point[..., 0], point[..., 1], point[..., 2], seed) >> np.uint64(28)).astype(int)]
        share = np.where(np.array(step) == 1, fade(t), 1 - fade(t)).prod(-1)
        total = total + share * (slope * (t - step)).sum(-1)
    return gray(np.clip(0.5 + 0.5 * total, 0, 1))


@check("simplex-noise", 0.05, size=(120, 90), scale=13, evolution=-2.3, seed=3)
def _(scale, evolution, seed):
    # Every point of the grid within reach, instead of the corners of the right tetrahedron.
    x, y = positions(120, 90)
    place = np.stack([x / scale, y / scale, np.full_like(x, evolution)], -1)
    base = np.floor(place + place.sum(-1, keepdims=True) / 3)
    total = 0
    for step in np.ndindex(4, 4, 4):
        point = (base + np.array(step) - 1).astype(np.int64)
        offset = place - (point - point.sum(-1, keepdims=True) / 6)
        slope = EDGES[(hashed(point[..., 0], point[..., 1], point[..., 2], seed) >> np.uint64(28)).astype(int)]
        total = total + np.maximum(0.5 - (offset ** 2).sum(-1), 0) ** 4 * (slope * offset).sum(-1)
    return gray(np.clip(0.5 + 38 * total, 0, 1))


def supersampled(width, height, count, level):
    """The mean over each pixel, of count by count samples."""
    y, x = (np.mgrid[0:height * count, 0:width * count] + 0.5) / count
    return gray(level(x, y).reshape(height, count, width, count).mean((1, 3)))


@check("checkerboard", 4, size=(64, 48), width=5.3, center=(0.4, 0.7))
def _(width, center):
    return supersampled(64, 48, 64, lambda x, y: ((np.floor((x - 25.6) / width) + np.floor((y - 33.6) / width)) % 2 == 0).astype(float))


@check("stripes", 0.1, size=(64, 48), width=7, gap=4.5, angle=90)
def _(width, gap, angle):
    return supersampled(64, 48, 64, lambda x, y: (y % (width + gap) < width).astype(float))


@check("zone-plate", 0.2, size=(64, 48), frequency=0.3)
def _(frequency):
    x, y = positions(64, 48)
    return gray(0.5 + 0.5 * np.cos(2 * np.pi * frequency * ((x - 32) ** 2 + (y - 24) ** 2) / 48))


@check("conic-gradient", 0.05, size=(64, 48), angle=25, turns=3, mirrored=True)
def _(angle, turns, mirrored):
    x, y = positions(64, 48)
    share = (np.radians(angle) - np.angle((x - 32) + 1j * (y - 24))) / (2 * np.pi) * turns % 1
    return gray(1 - np.abs(2 * share - 1))


@check("gaussian-gradient", 0.02, size=(64, 48), sigma=0.2)
def _(sigma):
    x, y = positions(64, 48)
    return gray(np.exp(-((x - 32) ** 2 + (y - 24) ** 2) / (2 * (sigma * 48) ** 2)))


# Resizing. Pillow leaves out what lies beyond the edges, Etalon goes on with the last pixel there: Pillow gets a picture that goes on. Its boxes take
# whole pixels, so that they are areas only where a pixel of the result covers a whole number of them. A side that stays as long is left alone.

PILLOW = {"area": (Image.BOX, 1), "catmull-rom": (Image.BICUBIC, 2), "lanczos": (Image.LANCZOS, 3)}


def resized(picture, size, filter):
    kind, lobes = PILLOW[filter]
    height, width = picture.shape[:2]
    # Areas end at the edges.
    more = 0 if filter == "area" else int(np.ceil((lobes + 1) * max(width / size[0], height / size[1], 1)))
    larger = np.pad(picture, ((more, more), (more, more), (0, 0)), mode="edge").astype(np.float32)
    box = (more, more, more + width, more + height)
    channels = [np.asarray(Image.fromarray(larger[:, :, c]).resize(size, kind, box)) for c in range(4)]
    alpha = np.clip(channels[3], 0, 1)
    return np.stack([np.clip(c, 0, alpha) for c in channels[:3]] + [alpha], 2)


def computed(picture, size, filter):
    def weights(given, wanted):
        if given == wanted:
            return np.eye(given)
        span = given / wanted
        if filter == "area":
            edges = np.arange(wanted + 1) * span
            places = np.arange(given)
            cover = np.minimum(edges[1:, None], places + 1) - np.maximum(edges[:-1, None], places)
            return np.clip(cover, 0, 1) / span
        center = (np.arange(wanted) + 0.5) * span
        places = np.arange(-given, 2 * given)
        x = np.abs(places[None] + 0.5 - center[:, None]) / max(span, 1)
        near = (7 * x ** 3 - 12 * x ** 2 + 16 / 3) / 6
        far = (-7 / 3 * x ** 3 + 12 * x ** 2 - 20 * x + 32 / 3) / 6
        table = np.where(x < 1, near, np.where(x < 2, far, 0))
        matrix = np.zeros((wanted, given))
        np.add.at(matrix.T, np.clip(places, 0, given - 1), table.T)
        return matrix / matrix.sum(1, keepdims=True)

    height, width = picture.shape[:2]
    result = np.einsum("yj,jic,xi->yxc", weights(height, size[1]), picture, weights(width, size[0]), optimize=True)
    alpha = np.clip(result[:, :, 3:], 0, 1)
    return np.concatenate([np.clip(result[:, :, :3], 0, alpha), alpha], 2)


for SIZE in ((150, 100), (61, 300), (700, 450), (13, 7), (41, 30)):
    for FILTER in ("area", "mitchell", "catmull-rom", "lanczos"):
        isPillow = FILTER in PILLOW and (FILTER != "area" or SIZE == (41, 30))
        CHECKS.append(("resize", 0.05, 0.0, False, (CAT,), None, {"size": SIZE, "filter": FILTER}, resized if isPillow else computed))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etalon", default=os.environ.get("ETALON", "etalon"))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    failed = 0
    for name, limit, outliers, means, inputs, size, values, function in CHECKS:
        if options.names and name not in options.names:
            continue
        actual = render(options.etalon, name, inputs, size, values, FOLDER.name)
        expected = np.clip(function(*(load(path) for path in inputs), **values), 0, 1)
        words = " ".join(f"{key}={value}" for key, value in values.items())
        if actual.shape != expected.shape:
            print(f"WRONG  {name} {words}: {actual.shape} instead of {expected.shape}")
            failed += 1
            continue
        if means:
            actual, expected = (picture.mean((0, 1), keepdims=True) for picture in (actual, expected))
        difference = 255 * np.abs(actual - expected).max(2)
        beyond = float((difference > limit + 0.01).mean())
        failed += beyond > outliers
        share = f", {100 * beyond:.3f} % above (may be {100 * outliers:g} %)" if outliers else ""
        print(f"{'WRONG' if beyond > outliers else 'right'}  {name} {words}: {difference.max():.3f} of {limit} levels{share}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
