"""Compares filters with independent computations of the same pictures, in double precision.

    python3 -m venv oracle && oracle/bin/pip install numpy scipy scikit-image opencv-python-headless pillow colour-science
    oracle/bin/python Tests/Oracle/colors_and_blurs.py [--etalon PROGRAM] [NAME …]

It covers color, blur and sharpen, keying, morphology and analysis. Each line names the filter, its values, the greatest difference in levels
of 8 bits (of premultiplied colors, from files of 16 bits), and what it may be. The command ends with 1 when one is greater.
"""

import argparse
import sys
import tempfile
import warnings

import cv2
import numpy as np
import scipy.interpolate
import scipy.ndimage as nd
import skimage.color
import skimage.transform
from PIL import Image, ImageChops, ImageOps

from pictures_and_shapes import CAT, HARD, LUMA, MASK, PHOTO, ROOT, load, render, straight

warnings.simplefilter("ignore")
import colour  # noqa: E402

CHECKS = []


def check(name, limit, inputs=(CAT,), outliers=0.0, **values):
    """Registers a computation of what a filter shows: 'limit' levels, but for a share of 'outliers' of the pixels."""

    def register(function):
        CHECKS.append((name, limit, outliers, inputs, values, function))
        return function

    return register


def premultiplied(rgb, alpha):
    """What a file keeps of straight colors."""
    return np.concatenate([np.clip(rgb, 0, 1) * alpha, alpha], 2)


def point(name, limit, function, **values):
    """A computation on straight colors, on a photo and on a picture with alpha."""
    for path in (CAT, HARD):
        check(name, limit, (path,), **values)(lambda p: premultiplied(function(straight(p)), p[:, :, 3:]))


def alone(function, image):
    """Each channel for itself."""
    return np.stack([function(image[:, :, c]) for c in range(image.shape[2])], 2)


def luma(rgb):
    return (rgb @ LUMA)[:, :, None]


# Color

decode, encode = colour.models.eotf_sRGB, colour.models.eotf_inverse_sRGB


def light(function):
    return lambda c: encode(np.maximum(function(decode(c)), 0))


def pil(function):
    """A function of Pillow, on opaque pictures of 8 bits."""
    return lambda p: np.concatenate([np.asarray(function(Image.fromarray(np.round(p[:, :, :3] * 255).astype(np.uint8)))) / 255, p[:, :, 3:]], 2)


W3C_SEPIA = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
point("exposure", 0.1, light(lambda l: l * 4), stops=2)
point("exposure", 0.1, light(lambda l: l / 8), stops=-3)
point("sepia", 0.1, lambda c: 0.3 * c + 0.7 * np.minimum(c @ W3C_SEPIA.T, 1), amount=0.7)
check("invert", 0.1)(pil(ImageOps.invert))
check("solarize", 0.1, level=128 / 255)(pil(lambda i: ImageOps.solarize(i, 128)))
check("threshold", 0.1, channels="each", level=0.401)(lambda p: np.concatenate([cv2.threshold(p[:, :, :3], 0.401, 1, cv2.THRESH_BINARY)[1], p[:, :, 3:]], 2))
point("posterize", 0.1, lambda c: np.floor(c * 4 + 0.5) / 4, levels=5)
point("luma", 0.2, lambda c: cv2.cvtColor(c.astype(np.float32), cv2.COLOR_RGB2GRAY)[:, :, None].repeat(3, 2), definition="rec601")
point("luma", 0.2, lambda c: skimage.color.rgb2lab(c)[:, :, :1].repeat(3, 2) / 100, definition="lightness")
point("luma", 0.1, lambda c: c.max(2, keepdims=True).repeat(3, 2), definition="maximum")
point("vibrance", 0.1, lambda c: luma(c) + (c - luma(c)) * (1 + 0.6 * (1 - np.ptp(c, axis=2, keepdims=True))), amount=0.6)
point("levels", 0.1, lambda c: 0.1 + 0.7 * np.clip((c - 0.2) / 0.5, 0, 1) ** (1 / 1.7), black=0.2, white=0.7, gamma=1.7, outputBlack=0.1, outputWhite=0.8)
point("asc-cdl", 0.1, lambda c: (lambda g: luma(g) + (g - luma(g)) * 1.3)(np.clip(c * [1.2, 0.9, 1.1] + [-0.1, 0.05, 0], 0, 1) ** [0.8, 1.3, 1]),
      slope=(1.2, 0.9, 1.1), offset=(-0.1, 0.05, 0), power=(0.8, 1.3, 1), saturation=1.3)  # fmt: skip
point("lift-gamma-gain", 0.1, lambda c: np.maximum((c + np.array([0.1, 0, 0.2]) * (1 - c)) * [1.1, 0.8, 1], 0) ** (1 / np.array([0.7, 1.4, 2])),
      lift=(0.1, 0, 0.2), gain=(1.1, 0.8, 1), gamma=(0.7, 1.4, 2))  # fmt: skip
point("color-polynomial", 0.1, lambda c: np.polyval([-0.8, 1.2, 0.6, 0], c))
point("channel-mixer", 0.1, lambda c: c @ np.array([[0.5, 0.4, -0.2], [0, 1.2, 0], [0.3, 0.3, 0.3]]).T, red=(0.5, 0.4, -0.2), green=(0, 1.2, 0), blue=(0.3, 0.3, 0.3))
point("gradient-map", 0.1, lambda c: alone(lambda k: k, np.stack([np.interp(luma(c)[:, :, 0], [0, 0.3, 1], v) for v in ((0, 1, 1), (0, 0, 1), (1, 0, 0))], 2)),
      shadows="#0000ff", midtones="#ff0000", highlights="#ffff00", midpoint=0.3)  # fmt: skip
point("false-color", 0.1, lambda c: luma(c) * [1, 0.5, 0] + (1 - luma(c)) * [0, 0, 0.5], darkColor=(0, 0, 0.5, 1), lightColor=(1, 0.5, 0, 1))


def bradford(white, wanted):
    """The adaptation of light from one white to another one, both with a luminance of 1."""
    matrix = colour.adaptation.matrix_chromatic_adaptation_VonKries(white / white[1], wanted / wanted[1], transform="Bradford")
    space = colour.RGB_COLOURSPACES["sRGB"]
    to_xyz = colour.normalised_primary_matrix(space.primaries, space.whitepoint)
    return lambda l: l @ (np.linalg.inv(to_xyz) @ matrix @ to_xyz).T, to_xyz


def white_point(c):
    _, to_xyz = bradford(np.ones(3), np.ones(3))
    whites = [to_xyz @ decode(np.array(v)) for v in ((1, 0.9, 0.7), (0.8, 0.9, 1))]
    return light(bradford(*whites)[0])(c)


point("white-point", 0.2, white_point, **{"from": (1, 0.9, 0.7, 1), "to": (0.8, 0.9, 1, 1)})


def krystek(kelvin, tint):
    uv = colour.temperature.CCT_to_uv_Krystek1985(kelvin)
    slope = colour.temperature.CCT_to_uv_Krystek1985(kelvin + 1) - colour.temperature.CCT_to_uv_Krystek1985(kelvin - 1)
    u, v = uv + tint / 3000 * np.array([slope[1], -slope[0]]) / np.linalg.norm(slope)
    x, y = 3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4)
    return np.array([x / y, 1, (1 - x - y) / y])


for kelvin, tint in ((3200, 0), (9000, 30), (4500, -50)):
    point("temperature-tint", 0.2, lambda c, k=kelvin, t=tint: light(bradford(krystek(k, t), krystek(6500, 0))[0])(c), temperature=kelvin, tint=tint)
for kind, name in (("protan", "Protanomaly"), ("deutan", "Deuteranomaly"), ("tritan", "Tritanomaly")):
    point("color-blindness", 0.2, light(lambda l, n=name: l @ colour.matrix_cvd_Machado2009(n, 1.0).T), kind=kind)

SPACES = {"rec709": "ITU-R BT.709", "rec2020": "ITU-R BT.2020", "p3": "Display P3", "adobe-rgb": "Adobe RGB (1998)"}
for source, target in (("rec709", "rec2020"), ("rec2020", "p3"), ("p3", "rec709"), ("adobe-rgb", "rec709"), ("rec709", "adobe-rgb")):
    matrix = colour.matrix_RGB_to_RGB(colour.RGB_COLOURSPACES[SPACES[source]], colour.RGB_COLOURSPACES[SPACES[target]], None)
    point("color-primaries", 0.5, light(lambda l, m=matrix: l @ m.T), **{"from": source, "to": target})

models = colour.models
DECODE = {"srgb": decode, "rec709": models.oetf_inverse_BT709, "gamma24": lambda x: x**2.4, "pq": lambda x: models.eotf_ST2084(x) / 203, "linear": lambda x: x,
          "hlg": models.oetf_inverse_BT2100_HLG}  # fmt: skip
ENCODE = {"srgb": encode, "rec709": models.oetf_BT709, "gamma22": lambda x: x ** (1 / 2.2), "pq": lambda x: models.eotf_inverse_ST2084(np.minimum(x * 203, 10000)),
          "hlg": models.oetf_BT2100_HLG, "linear": lambda x: x}  # fmt: skip
for source, target in (("srgb", "linear"), ("linear", "srgb"), ("srgb", "pq"), ("rec709", "hlg"), ("hlg", "rec709"), ("pq", "srgb"), ("gamma24", "gamma22")):
    point("transfer-function", 0.1, lambda c, s=source, t=target: ENCODE[t](DECODE[s](c)), **{"from": source, "to": target})

point("tone-map-reinhard", 0.1, light(lambda l: l * 4 / np.maximum(luma(l * 4), 1e-12) * (lambda y: y * (1 + y / 9) / (1 + y))(luma(l * 4))), exposure=2, white=3)
point("tone-map-aces", 0.1, light(lambda l: (lambda x: (2.51 * x * x + 0.03 * x) / (2.43 * x * x + 0.59 * x + 0.14))(l * 2)), exposure=1)


def hable(x):
    return (0.15 * x * x + 0.05 * x + 0.004) / (0.15 * x * x + 0.5 * x + 0.06) - 0.02 / 0.3


point("tone-map-hable", 0.1, light(lambda l: hable(l * 8) / hable(6.0)), exposure=3, white=6)


def turned(c):
    """Hues turned by half of a range, with HSV: what is the largest and the smallest channel stays."""
    hsv = skimage.color.rgb2hsv(c)
    hsv[:, :, 0] = (hsv[:, :, 0] + 1 / 12) % 1
    return skimage.color.hsv2rgb(hsv)


RANGES = ("reds", "yellows", "greens", "cyans", "blues", "magentas")
point("hue-ranges", 0.1, turned, **dict.fromkeys(RANGES, (0.5, 0, 0)))
point("hue-ranges", 0.1, lambda c: ((c.max(2) + c.min(2)) / 2)[:, :, None].repeat(3, 2), **dict.fromkeys(RANGES, (0, -1, 0)))

# Tables, of a file with a cube, of one with a curve, and of a picture.
TABLES = ROOT / "Plugins/color/color-table/tests"


def cube(path):
    """What colour-science reads in a file, for colors in its domain."""
    return colour.io.read_LUT_IridasCube(str(path))


def hald(path):
    """A picture of 8x8 pixels as a cube of 4 colors a side."""
    entries = cv2.imread(str(path), cv2.IMREAD_COLOR)[:, :, ::-1].reshape(4, 4, 4, 3) / 255
    return colour.LUT3D(entries.transpose(2, 1, 0, 3))


def looked_up(table):
    curves = isinstance(table, colour.LUT3x1D)
    how = {} if curves else {"interpolator": colour.algebra.table_interpolation_tetrahedral}
    return lambda rgb: table.apply(np.clip(rgb, table.domain[0], table.domain[1]), **how)


point("color-table", 0.02, looked_up(cube(TABLES / "grade.cube")), lut=TABLES / "grade.cube")
point("color-table", 0.02, looked_up(cube(TABLES / "curve.cube")), lut=TABLES / "curve.cube")
point("color-table", 0.02, looked_up(hald(TABLES / "hald.png")), lut=TABLES / "hald.png")
point("color-table", 0.02, lambda c: c + 0.3 * (looked_up(cube(TABLES / "grade.cube"))(c) - c), lut=TABLES / "grade.cube", amount=0.3)


def monotone(*points):
    """A cubic of scipy's through points, with the slopes of Fritsch and Carlson, and lines beyond its ends."""
    x, y = np.array(points, float).T
    secants = np.diff(y) / np.diff(x)
    slopes = np.concatenate([secants[:1], (secants[:-1] + secants[1:]) / 2, secants[-1:]])
    slopes[1:-1][secants[:-1] * secants[1:] <= 0] = 0
    for i, secant in enumerate(secants):
        if secant == 0:
            slopes[i : i + 2] = 0
        elif np.hypot(*slopes[i : i + 2]) > 3 * abs(secant):
            slopes[i : i + 2] *= 3 * abs(secant) / np.hypot(*slopes[i : i + 2])
    inner = scipy.interpolate.CubicHermiteSpline(x, y, slopes)
    below, above = (lambda c: y[0] + (c - x[0]) * slopes[0]), (lambda c: y[-1] + (c - x[-1]) * slopes[-1])
    return lambda c: np.where(c < x[0], below(c), np.where(c > x[-1], above(c), inner(np.clip(c, x[0], x[-1]))))


def typed(points):
    return ",".join(f"{x}:{y}" for x, y in points)


ALL = ((0, 0.05), (0.25, 0.15), (0.75, 0.9), (1, 1))
RED, GREEN, BLUE = ((0, 0), (0.4, 0.7), (0.5, 0.72), (1, 1)), ((0, 1), (0.2, 0.9), (1, 0)), ((0.2, 0.2), (0.8, 0.7))
point("tone-curve", 0.05, monotone(*ALL), rgb=typed(ALL))
point("tone-curve", 0.05, lambda c: np.stack([monotone(*curve)(monotone(*ALL)(c[:, :, i])) for i, curve in enumerate((RED, GREEN, BLUE))], 2),
      rgb=typed(ALL), red=typed(RED), green=typed(GREEN), blue=typed(BLUE))

MATRIX = np.array([[0, 0, 1, 0, 0], [0.5, 0.5, 0, 0, -0.1], [1, 0, 0, 0, 0.05], [0, 0, 0, 1, 0]])
point("color-matrix", 0.05, lambda c: c @ MATRIX[:3, :3].T + MATRIX[:3, 4], matrix=";".join(",".join(map(str, row)) for row in MATRIX))

# Blur and sharpen


def convolved(weights, keeps_alpha, normalizes, bias=0.0):
    """What OpenCV's filter2D gives; its first row is on top, and the pictures here begin with the bottom row."""
    weights = np.flipud(np.array(weights, float))
    weights = weights / weights.sum() if normalizes else weights
    # The middle of an even number of rows is the lower of the two: here the upper one.
    anchor = (weights.shape[1] // 2, (weights.shape[0] - 1) // 2)

    def summed(image):
        return cv2.filter2D(np.ascontiguousarray(image), -1, weights, anchor=anchor, borderType=cv2.BORDER_REPLICATE)

    def function(p):
        if keeps_alpha:
            return premultiplied(summed(straight(p)) + bias, p[:, :, 3:])
        q = summed(p)
        alpha = np.clip(q[:, :, 3:], 0, 1)
        return np.concatenate([np.clip(q[:, :, :3] + bias * alpha, 0, alpha), alpha], 2)

    return function


SHARP, UNEVEN = ((0, -1, 0), (-1, 5, -1), (0, -1, 0)), ((1, 2, 3, 4), (0, 0, 1, 0), (2, 1, 0, 0), (0, 0, 0, 5))
WIDE = np.add.outer(np.arange(15), 2 * np.arange(15) % 7).tolist()
for path in (CAT, HARD):
    for weights, keeps, normalizes in ((SHARP, True, False), (UNEVEN, True, True), (UNEVEN, False, True), (WIDE, True, True), (((-1, 0, 1),), True, False)):
        check("convolution", 0.1, (path,), weights=";".join(",".join(map(str, row)) for row in weights), keepAlpha=keeps, normalize=normalizes)(
            convolved(weights, keeps, normalizes))



def gaussian(image, sigma, truncate=8.0):
    return alone(lambda k: nd.gaussian_filter(k, sigma, mode="nearest", truncate=truncate), image)


def places(image, y, x):
    return alone(lambda k: nd.map_coordinates(k, [y, x], order=1, mode="nearest"), image)


for path in (CAT, HARD):
    check("box-blur", 0.1, (path,), radius=(12, 3))(lambda p: alone(lambda k: nd.uniform_filter(k, (7, 25), mode="nearest"), p))
    check("motion-blur", 0.1, (path,), radius=12, angle=90)(lambda p: alone(lambda k: nd.uniform_filter1d(k, 25, axis=0, mode="nearest"), p))
    for radius, steps in ((1, 1e9), (2, 1e9), (5, 255)):
        check("median", 0.1, (path,), radius=radius)(
            lambda p, s=2 * radius + 1, n=steps: alone(lambda k: nd.median_filter(np.floor(k * n + 0.5), s, mode="nearest") / n, p))  # fmt: skip


@check("motion-blur", 3, radius=40, angle=30)
def slanted(p):
    """One read for each place; the filter reads between pixels twice."""
    y, x = np.mgrid[0 : p.shape[0], 0 : p.shape[1]].astype(float)
    steps = np.linspace(-40, 40, 81)
    return sum(places(p, y + s * np.sin(np.radians(30)), x + s * np.cos(np.radians(30))) for s in steps) / 81


@check("zoom-blur", 6, amount=0.3)
def zoomed(p):
    y, x = np.mgrid[0 : p.shape[0], 0 : p.shape[1]] + 0.5
    middle = np.array(p.shape[:2]) / 2
    scales = 0.7 ** ((np.arange(400) + 0.5) / 400)
    return sum(places(p, middle[0] + (y - middle[0]) * s - 0.5, middle[1] + (x - middle[1]) * s - 0.5) for s in scales) / 400


@check("disc-blur", 1, radius=9)
def disc(p):
    """A disc with its edge at sixteenths of pixels, in light."""
    y, x = (np.mgrid[0 : 21 * 16, 0 : 21 * 16] + 0.5) / 16 - 10.5
    kernel = (np.hypot(y, x) <= 9.5).reshape(21, 16, 21, 16).mean((1, 3))
    blurred = cv2.filter2D(decode(p[:, :, :3]), -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    return premultiplied(encode(blurred), p[:, :, 3:])


def shifted(p, y, x):
    h, w = p.shape[:2]
    return np.pad(p, ((16, 16), (16, 16), (0, 0)), "edge")[16 + y : 16 + y + h, 16 + x : 16 + x + w]


@check("bilateral", 0.1, (HARD,), sigma=2.5, range=0.2)
@check("bilateral", 0.1, (PHOTO,), sigma=2.5, range=0.2)
def bilateral(p):
    total, weights = 0, 0
    for y in range(-5, 6):
        for x in range(-5, 6):
            other = shifted(p, y, x)
            weight = np.exp(-(x * x + y * y) / 2 / 6.25 - ((other - p) ** 2).sum(2, keepdims=True) / 2 / 0.04)
            total, weights = total + weight * other, weights + weight
    return total / weights


@check("denoise", 0.1, (HARD,), strength=0.15, patch=1, search=3)
@check("denoise", 0.1, (PHOTO,), strength=0.15, patch=1, search=3)
def means(p):
    # Beyond the edges the last pixels go on, for the surroundings of the places beyond them, too.
    q = np.pad(p, ((8, 8), (8, 8), (0, 0)), "edge")
    total, weights = 0, 0
    for y in range(-3, 4):
        for x in range(-3, 4):
            other = shifted(q, y, x)
            apart = nd.uniform_filter(((other - q) ** 2).sum(2), 3) / 3
            weight = np.exp(-apart / 0.15**2)[:, :, None]
            total, weights = total + weight * other, weights + weight
    return (total / weights)[8:-8, 8:-8]


def guided(image, radius, epsilon):
    def mean(k):
        return nd.uniform_filter(k, 2 * radius + 1, mode="nearest")

    def channel(k):
        middle = mean(k)
        variance = mean(k * k) - middle * middle
        gain = variance / (variance + epsilon)
        return mean(gain) * k + mean(middle * (1 - gain))

    return alone(channel, image)


check("guided-filter", 0.1, radius=5, detail=0.1)(lambda p: guided(p, 5, 0.01))
# A picture of a tenth of the size stands for the picture.
check("guided-filter", 4, outliers=0.01, radius=40, detail=0.2)(lambda p: guided(p, 40, 0.04))

for sigma, limit in ((3, 1), (25, 0.6)):
    for path in (CAT, HARD):
        check("tilt-shift", limit, (path,), radius=sigma, center=(0.5, 0), focus=0, falloff=0.001)(lambda p, s=sigma: gaussian(p, s))


def unsharp(p, sigma, intensity, threshold):
    soft = gaussian(p, sigma)
    detail = p[:, :, :3] - straight(soft) * p[:, :, 3:]
    strong = np.sign(detail) * np.maximum(np.abs(detail) - threshold * p[:, :, 3:], 0)
    return np.concatenate([np.clip(p[:, :, :3] + intensity * strong, 0, p[:, :, 3:]), p[:, :, 3:]], 2)


for path in (CAT, HARD):
    check("unsharp-mask", 0.8, (path,), sigma=6, intensity=1, threshold=0.02)(lambda p: unsharp(p, 6, 1, 0.02))
    check("unsharp-mask", 0.1, (path,), sigma=1.2, intensity=2)(lambda p: unsharp(p, 1.2, 2, 0))


@check("sharpen-luminance", 0.1, (CAT,), sharpness=1.2, sigma=2)
@check("sharpen-luminance", 0.1, (HARD,), sharpness=1.2, sigma=2)
def sharpened(p):
    tones = gaussian(np.concatenate([luma(p[:, :, :3]), p[:, :, 3:]], 2), 2, 3)
    soft = p[:, :, 3:] * np.divide(tones[:, :, :1], tones[:, :, 1:], out=np.zeros_like(tones[:, :, :1]), where=tones[:, :, 1:] > 0)
    return np.concatenate([np.clip(p[:, :, :3] + 1.2 * (luma(p[:, :, :3]) - soft), 0, p[:, :, 3:]), p[:, :, 3:]], 2)


# Keying


def keyed(p, matte):
    return p * matte


point("despill", 0.1, lambda c: np.stack([c[:, :, 0], np.minimum(c[:, :, 1], (c[:, :, 0] + c[:, :, 2]) / 2), c[:, :, 2]], 2))
for path in (CAT, HARD):
    check("luma-key", 0.1, (path,), low=0.4, high=0.7, softness=0.2)(
        lambda p: keyed(p, np.clip(1 - np.maximum(0.4 - luma(straight(p)), luma(straight(p)) - 0.7) / 0.2, 0, 1)))  # fmt: skip


@check("chroma-key", 0.1, (HARD,), color=(0.9, 0.5, 0.2, 1), tolerance=0.2, softness=0.2, spill=0)
@check("chroma-key", 0.1, (CAT,), color=(0.9, 0.5, 0.2, 1), tolerance=0.2, softness=0.2, spill=0)
def chroma(p):
    to_ycbcr = colour.matrix_YCbCr(colour.WEIGHTS_YCBCR["ITU-R BT.709"], is_int=False, is_legal=False, bits=8)
    plane = np.linalg.inv(to_ycbcr)[1:]
    apart = np.linalg.norm((straight(p) - [0.9, 0.5, 0.2]) @ plane.T, axis=2, keepdims=True)
    return keyed(p, np.clip((apart - 0.2) / 0.2, 0, 1))


check("difference-key", 0.1, (PHOTO, MASK), tolerance=0.1, softness=0.3)(
    lambda p, q: keyed(p, np.clip((np.abs(p[:, :, :3] - straight(q)).max(2, keepdims=True) - 0.1) / 0.3, 0, 1)))  # fmt: skip


def alpha_of(function, at_most=False):
    """Only the alpha of what a filter shows is compared."""
    return lambda p: np.concatenate([np.full_like(p[:, :, :3], np.nan), function(p[:, :, 3])[:, :, None]], 2)


check("matte-grow", 0.1, (HARD,), distance=3)(alpha_of(lambda a: nd.grey_dilation(a, 7, mode="nearest")))
check("matte-grow", 0.1, (HARD,), distance=-2)(alpha_of(lambda a: nd.grey_erosion(a, 5, mode="nearest")))
check("matte-feather", 0.1, (HARD,), sigma=2)(alpha_of(lambda a: nd.gaussian_filter(a, 2, mode="nearest", truncate=3)))

# Morphology

for path in (CAT, HARD):
    for radius in (2, 9):
        side = 2 * radius + 1
        check("open", 0.1, (path,), radius=radius)(lambda p, s=side: alone(lambda k: nd.grey_opening(k, s, mode="nearest"), p))
        check("close", 0.1, (path,), radius=radius)(lambda p, s=side: alone(lambda k: nd.grey_closing(k, s, mode="nearest"), p))
for kind, function in (("light", nd.white_tophat), ("dark", nd.black_tophat)):
    check("top-hat", 0.1, radius=4, kind=kind)(lambda p, f=function: premultiplied(alone(lambda k: f(k, 9, mode="nearest"), p[:, :, :3]), p[:, :, 3:]))
check("morphological-gradient", 0.1, radius=2)(
    lambda p: premultiplied(alone(lambda k: nd.morphological_gradient(k, 5, mode="nearest"), p[:, :, :3]), p[:, :, 3:]))  # fmt: skip


@check("distance-transform", 0.1, (CAT,), outliers=0.001, range=30, level=0.5)
@check("distance-transform", 0.1, (HARD,), outliers=0.001, range=30, level=0.5)
def distances(p):
    far = nd.distance_transform_edt(luma(straight(p))[:, :, 0] < 0.5) / 30
    return premultiplied(far[:, :, None].repeat(3, 2), np.ones_like(p[:, :, 3:]))


# Analysis

for path in (CAT, HARD):
    check("average", 0.1, (path,))(lambda p: np.broadcast_to(p.mean((0, 1)), p.shape))
check("min-max", 0.1, level="minimum")(lambda p: np.broadcast_to(p.min((0, 1)), p.shape))
check("picture-difference", 0.1, (PHOTO, MASK), gain=1)(
    lambda p, q: premultiplied(np.asarray(ImageChops.difference(*(Image.fromarray(np.round(i[:, :, :3] * 255).astype(np.uint8)) for i in (p, q)))) / 255, p[:, :, 3:]))  # fmt: skip


@check("summed-area-table", 0.1)
def summed(p):
    y, x = np.mgrid[1 : p.shape[0] + 1, 1 : p.shape[1] + 1]
    return alone(lambda k: skimage.transform.integral_image(k) / (y * x), p)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--etalon", default="etalon")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, limit, outliers, inputs, values, function in CHECKS:
            if arguments.names and name not in arguments.names:
                continue
            expected = function(*map(load, inputs))
            actual = render(arguments.etalon, name, inputs, None, values, folder)
            apart = np.nan_to_num(np.abs(actual - expected) * 255)
            worst = apart.max()
            beyond = (apart.max(2) > limit).mean()
            failed += beyond > outliers
            share = f", {beyond:.3%} beyond (may be {outliers:.3%})" if outliers else ""
            told = " ".join(f"{key}={value}" for key, value in values.items())
            print(f"{'FAIL' if beyond > outliers else 'ok  '} {worst:7.3f} (may be {limit}{share})  {name} {inputs[0].rsplit('/')[-1]} {told}", flush=True)
    sys.exit(1 if failed > 0 else 0)


if __name__ == "__main__":
    main()
