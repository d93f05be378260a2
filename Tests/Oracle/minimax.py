"""Fits the polynomials of the lane kernels' elementary functions.

Every coefficient table in Sources/CLaneKernels/lane_*.inc was printed by this script:

    python3 Tests/Oracle/minimax.py            # all of them
    python3 Tests/Oracle/minimax.py sine       # one

A fit is a Remez exchange on a weighted error. Coefficients are rounded to the precision they are stored in one after the
other, lowest power first, and the remaining ones are fitted again, so that rounding costs almost no accuracy.
"""

import sys

import numpy as np
from mpmath import mp, mpf

mp.prec = 160

GRID_POINTS = 2000
TINY = mpf(2) ** -60


def solve_levelled(points, target, powers, weight):
    """Coefficients and levelled error that make the weighted error alternate on `points`."""
    size = len(powers) + 1
    system = mp.matrix(size, size)
    right = mp.matrix(size, 1)
    for row, x in enumerate(points):
        for column, power in enumerate(powers):
            system[row, column] = x**power
        system[row, size - 1] = (-1) ** row / max(weight(x), TINY)
        right[row] = target(x)
    solution = mp.lu_solve(system, right)
    return [solution[i] for i in range(size - 1)], abs(solution[size - 1])


def weighted_error(x, target, powers, coefficients, weight):
    return (target(x) - sum(c * x**p for c, p in zip(coefficients, powers))) * weight(x)


def alternation(grid, errors, count):
    """The `count` neighbouring extrema of alternating sign with the largest errors."""
    extrema = []
    for index, error in enumerate(errors):
        if extrema and (errors[extrema[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[extrema[-1]]):
                extrema[-1] = index
        else:
            extrema.append(index)
    while len(extrema) > count:
        extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
    return [grid[i] for i in extrema] if len(extrema) == count else None


def remez(target, powers, low, high, weight):
    count = len(powers) + 1
    middle, half = (high + low) / 2, (high - low) / 2
    grid = [middle - half * mp.cos(mp.pi * i / GRID_POINTS) for i in range(GRID_POINTS + 1)]
    points = [middle - half * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    values = {x: target(x) for x in grid}
    cached = lambda x: values[x] if x in values else target(x)
    best = None
    for _ in range(12):
        try:
            coefficients, level = solve_levelled(points, cached, powers, weight)
        except ZeroDivisionError:
            break
        errors = [weighted_error(x, cached, powers, coefficients, weight) for x in grid]
        worst = max(abs(e) for e in errors)
        if best is None or worst < best[1]:
            best = (coefficients, worst)
        if worst < level * mpf("1.001"):
            break
        points = alternation(grid, errors, count)
        if points is None:
            break
    return best


def round_to(precision, value):
    return mpf(float(np.float32(float(value)))) if precision == "float" else mpf(float(value))


def fit(target, degree_powers, low, high, weight, precision):
    """Minimax coefficients representable in `precision`, and the weighted error of exactly these."""
    fixed = []
    powers = list(degree_powers)
    while powers:
        rest = lambda x: target(x) - sum(c * x**p for c, p in fixed)
        coefficients, worst = remez(rest, powers, low, high, weight)
        fixed.append((round_to(precision, coefficients[0]), powers.pop(0)))
    grid = [low + (high - low) * i / GRID_POINTS for i in range(GRID_POINTS + 1)]
    error = max(abs((target(x) - sum(c * x**p for c, p in fixed)) * weight(x)) for x in grid)
    return fixed, error


def series_below(limit, series, closed):
    """`closed(x)`, but the limit value `series` where the closed form loses all digits."""
    return lambda x: series(x) if abs(x) < limit else closed(x)


QUARTER = mp.pi / 4


def atanh_series(z):
    s = mp.sqrt(z)
    return mp.atanh(s) / s


# name: (target, powers, low, high, weight, precision)
# The weight turns the error of the polynomial into the relative error of the function.
FITS = {
    # sin(r) = r + r z P(z), z = r r; near pi/2, where rounding errors are largest, less of the error is the polynomial's
    "sine": (
        series_below(TINY, lambda z: mpf(-1) / 6, lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
        range(4), mpf(0), (mp.pi / 2 * mpf("1.016")) ** 2,
        lambda z: z * (1 + 2 * z) / (mp.sin(mp.sqrt(z)) / mp.sqrt(z)) if z > TINY else z, "float",
    ),
    # exp(r) = 1 + r + r r P(r)
    "exponential": (
        series_below(TINY, lambda r: mpf(1) / 2, lambda r: (mp.expm1(r) - r) / (r * r)),
        range(5), -mp.log(2) / 2 * mpf("1.001"), mp.log(2) / 2 * mpf("1.001"), lambda r: r * r / mp.exp(r), "float",
    ),
    # exp2(r) = 1 + r P(r)
    "exponential2": (
        series_below(TINY, lambda r: mp.log(2), lambda r: mp.expm1(r * mp.log(2)) / r),
        range(6), mpf(-1) / 2, mpf(1) / 2, lambda r: r / mpf(2) ** r, "float",
    ),
    # log(1 + f) = f - f f / 2 + f f f P(f)
    "logarithm": (
        series_below(mpf(2) ** -40, lambda f: mpf(1) / 3 - f / 4, lambda f: (mp.log1p(f) - f + f * f / 2) / f**3),
        range(8), mp.sqrt(mpf(1) / 2) - 1, mp.sqrt(2) - 1,
        lambda f: f**3 / mp.log1p(f) if abs(f) > TINY else f * f, "float",
    ),
    # log2(m) = s (P(z)), s = (m - 1) / (m + 1), z = s s
    "logarithm2_double": (
        series_below(TINY, lambda z: 2 / mp.log(2), lambda z: 2 / mp.log(2) * atanh_series(z)),
        range(5), mpf(0), mpf("0.02945"), lambda z: 1 / (2 / mp.log(2) * atanh_series(z)) if z > TINY else mpf(1), "double",
    ),
    # atan(t) = t + t z P(z), 0 <= t <= 1
    "arctangent": (
        series_below(TINY, lambda z: mpf(-1) / 3, lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
        range(8), mpf(0), mpf(1), lambda z: z / (mp.atan(mp.sqrt(z)) / mp.sqrt(z)) if z > TINY else z, "float",
    ),
    # asin(t) = t + t z P(z), 0 <= t <= 1/2
    "arcsine": (
        series_below(TINY, lambda z: mpf(1) / 6, lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
        range(5), mpf(0), mpf("0.25"), lambda z: z / (mp.asin(mp.sqrt(z)) / mp.sqrt(z)) if z > TINY else z, "float",
    ),
    # tanh(x) = x + x z P(z), |x| <= 0.625
    "hyperbolic_tangent": (
        series_below(TINY, lambda z: mpf(-1) / 3, lambda z: (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
        range(5), mpf(0), mpf("0.625") ** 2, lambda z: z / (mp.tanh(mp.sqrt(z)) / mp.sqrt(z)) if z > TINY else z, "float",
    ),
    # sinh(x) = x + x z P(z), |x| <= 1
    "hyperbolic_sine": (
        series_below(TINY, lambda z: mpf(1) / 6, lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
        range(4), mpf(0), mpf(1), lambda z: z / (mp.sinh(mp.sqrt(z)) / mp.sqrt(z)) if z > TINY else z, "float",
    ),
    # sin(r) = r + r z P(z), |r| <= pi / 4
    "sine_double": (
        series_below(TINY, lambda z: mpf(-1) / 6, lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
        range(4), mpf(0), QUARTER**2, lambda z: z / (mp.sin(mp.sqrt(z)) / mp.sqrt(z)) if z > TINY else z, "double",
    ),
    # cos(r) = 1 + z P(z), |r| <= pi / 4
    "cosine_double": (
        series_below(TINY, lambda z: mpf(-1) / 2, lambda z: (mp.cos(mp.sqrt(z)) - 1) / z),
        range(4), mpf(0), QUARTER**2, lambda z: z / mp.cos(mp.sqrt(z)), "double",
    ),
    # exp(r) = 1 + r P(r)
    "exponential_double": (
        series_below(TINY, lambda r: mpf(1), lambda r: mp.expm1(r) / r),
        range(8), -mp.log(2) / 2, mp.log(2) / 2, lambda r: r / mp.exp(r), "double",
    ),
}


def main(names):
    for name in names or FITS:
        coefficients, error = fit(*FITS[name])
        print(f"{name}: error 2^{float(mp.log(error, 2)):.2f}")
        for value, power in coefficients:
            suffix = "f" if FITS[name][5] == "float" else ""
            print(f"  [{power}] {float(value).hex()}{suffix}  // {mp.nstr(value, 17)}")


if __name__ == "__main__":
    main(sys.argv[1:])
