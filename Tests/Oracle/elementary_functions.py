"""Checks the elementary functions of the lane kernels against exact values.

    python3 Tests/Oracle/elementary_functions.py            # builds and runs everything, about half a minute
    python3 Tests/Oracle/elementary_functions.py --time     # nanoseconds per 64 lanes instead
    python3 Tests/Oracle/elementary_functions.py --record   # after a wanted change of results: new digests, and a failure

Two oracles check each other. The program in sweep/ compares millions of points of the whole float range with the C library in
double precision, on every instruction set that this machine has, and compares the instruction sets bit for bit. This script
compares a few thousand points per function, and the worst points that the sweep printed, with mpmath at 200 bits. Finally the
hash of a quarter of a million results of each function must be the recorded one, on every machine. Needs a C
compiler that knows clang's vectors (CC, default: clang) and the PyPI package mpmath.
"""

import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from mpmath import mp, mpf

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / "Sources" / "CLaneKernels"
DIGESTS = Path(__file__).with_name("elementary_digests.txt")
POINTS = 1500
LIMIT = 2
CANONICAL_NAN = 0x7FC00000

mp.prec = 200

UNARY = {
    "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "sinh": mp.sinh,
    "cosh": mp.cosh, "tanh": mp.tanh, "asinh": mp.asinh, "acosh": mp.acosh, "atanh": mp.atanh, "exp": mp.exp,
    "exp2": lambda x: mpf(2) ** x, "log": mp.log, "log2": lambda x: mp.log(x) / mp.log(2), "sqrt": mp.sqrt,
    "inversesqrt": lambda x: 1 / mp.sqrt(x),
}  # fmt: skip
BINARY = {"pow": lambda x, y: x**y, "atan2": mp.atan2}

# Where the function is real; elsewhere the sweep expects NaN.
DOMAINS = {
    "asin": lambda x: abs(x) <= 1, "acos": lambda x: abs(x) <= 1, "atanh": lambda x: abs(x) < 1, "acosh": lambda x: x >= 1,
    "log": lambda x: x > 0, "log2": lambda x: x > 0, "sqrt": lambda x: x > 0, "inversesqrt": lambda x: x > 0,
}  # fmt: skip


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def bits_of(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def ulp_error(result_bits, exact):
    """Error in units in the last place of the exact value."""
    result = float_of(result_bits)
    if abs(exact) >= mpf(2) ** 128:
        return mpf(0) if result == float("inf") * float(mp.sign(exact)) else mpf("inf")
    if result != result:
        return mpf("inf")
    value = mp.sign(result) * mpf(2) ** 128 if abs(result) == float("inf") else mpf(result)
    exponent = -149 if exact == 0 else max(int(mp.floor(mp.log(abs(exact), 2))) - 23, -149)
    return abs(value - exact) / mpf(2) ** exponent


def unary_points(name, generator):
    """All exponents, more around one, and the arguments near multiples of pi/2 that are hard to reduce."""
    domain = DOMAINS.get(name, lambda x: True)
    points = [float_of(generator.getrandbits(31)) for _ in range(POINTS // 3)]
    points += [2.0 ** generator.uniform(-8, 8) for _ in range(POINTS // 3)]
    points += [float(mp.pi / 2 * generator.getrandbits(generator.randint(1, 60))) for _ in range(POINTS // 3)]
    points += [-x for x in points]
    rounded = [float_of(bits_of(x)) for x in points if abs(x) < 3e38]
    return [x for x in rounded if x == x and domain(x)]


def binary_points(name, generator):
    points = []
    for _ in range(POINTS):
        x = float_of(generator.getrandbits(31)) if generator.random() < 0.5 else generator.uniform(0, 3)
        if not (0 < x < 3e38):
            continue
        if name == "pow":
            y = generator.uniform(-151, 129) / float(mp.log(mpf(x), 2) or 1)
        else:
            x, y = x * generator.choice([-1, 1]), x * generator.uniform(-3, 3)
            if generator.random() < 0.1:
                x, y = -x, round(y)
        if abs(y) < 3e38:
            points.append((float_of(bits_of(x)), float_of(bits_of(y))))
    return points


def exact_value(name, x, y):
    if name in UNARY:
        # exp of a large number overflows any format quickly, and mpmath slowly.
        if name in ("exp", "exp2", "sinh", "cosh"):
            x = max(min(x, 2000.0), -2000.0)
        return UNARY[name](mpf(x))
    return BINARY[name](mpf(x), mpf(y))


def results_of(program, points):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        for name, x, y in points:
            file.write(f"{name} {bits_of(x):08x} {bits_of(y):08x}\n")
        file.flush()
        output = subprocess.run([program, "points", file.name], capture_output=True, text=True, check=True).stdout
    return [int(line, 16) for line in output.split()]


def compare_with_mpmath(program, extra):
    generator = random.Random(1)
    points = [(name, x, 0.0) for name in UNARY for x in unary_points(name, generator)]
    points += [(name, x, y) for name in BINARY for x, y in binary_points(name, generator)]
    points += extra
    worst = {}
    for (name, x, y), bits in zip(points, results_of(program, points)):
        error = ulp_error(bits, exact_value(name, x, y))
        if error >= worst.get(name, (-1,))[0]:
            worst[name] = (error, x, y, bits)
    for name, (error, x, y, bits) in worst.items():
        operands = f"{x.hex()}, {y.hex()}" if name in BINARY else x.hex()
        print(f"{name:12} {float(error):8.4f} ulp  {name}({operands}) = {float_of(bits).hex()}  (mpmath)")
    return all(error <= LIMIT for error, *_ in worst.values())


def worst_points(report):
    """The worst points of the sweep's report, for the functions that mpmath knows."""
    points = []
    for name, x, y in re.findall(r"^(\w+) +[\d.]+ ulp  at (\w{8})(?:, (\w{8}))?", report, re.M):
        if name in UNARY or name in BINARY:
            points.append((name, float_of(int(x, 16)), float_of(int(y or "0", 16))))
    return [p for p in points if p[1] == p[1] and abs(p[1]) != float("inf") and DOMAINS.get(p[0], lambda x: True)(p[1])]


def digests_agree(program):
    actual = subprocess.run([program, "digest"], capture_output=True, text=True, check=True).stdout.splitlines()
    recorded = DIGESTS.read_text().splitlines()
    different = [line.split()[0] for line in sorted(set(actual) ^ set(recorded))]
    if different:
        print("FAILED: other bits than recorded:", ", ".join(sorted(set(different))))
    return not different


def record(program):
    DIGESTS.write_text(subprocess.run([program, "digest"], capture_output=True, text=True, check=True).stdout)
    print(f"recorded {DIGESTS}: run again without --record")
    return 1


def build(folder):
    compiler = os.environ.get("CC", "clang")
    program = str(Path(folder) / "sweep")
    kernels = [*KERNELS.glob("lane_probe*.c"), KERNELS / "lane_constants.c"]
    sources = sorted(str(path) for path in [*kernels, *Path(__file__).with_name("sweep").glob("*.c")])
    subprocess.run([compiler, "-O2", "-I", str(KERNELS / "include"), *sources, "-lm", "-o", program], check=True)
    return program


def main(arguments):
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        if arguments == ["--time"]:
            return subprocess.run([program, "time"]).returncode
        if arguments == ["--record"]:
            return record(program)
        sweep = subprocess.run([program, "all"], capture_output=True, text=True)
        print(sweep.stdout, end="")
        agrees = compare_with_mpmath(program, worst_points(sweep.stdout))
        print("within 2 ulp of mpmath" if agrees else "FAILED against mpmath")
        same = digests_agree(program)
        return 0 if agrees and same and sweep.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
