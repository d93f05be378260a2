#!/usr/bin/env python3
"""Renders shader files with both executors of Etalon and compares the pictures.

Where they disagree, the CPU executor renders again with errors in its elementary functions, to see whether the pixels have
a right value at all, and with the number of loop rounds after which Mesa's software driver ends every loop.
"""

import argparse
import random
import re
import signal
import sys
import time
from pathlib import Path

import numpy

import corpus
import pictures
from etalon import Etalon
from judge import Limits, Verdict
from render import add_picture_options, channels
from report import Table

FINE = ("agrees", "unstable", "within the specification", "loop limit")
# What to render again with, and what it means when that moves the picture as much as the executors differ.
PERTURBATIONS = (
    ("unstable", [f"last-place={seed}" for seed in range(1, 7)]),
    ("within the specification", [f"specification={seed}" for seed in range(1, 5)]),
)
DRIVER_ROUNDS = 65535


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = _parser().parse_args()
    bound = channels(options)
    wanted = corpus.entries(options.shaders, {number: sampler for number, (_, sampler) in bound.items()})
    wanted = [entry for entry in wanted if options.only is None or re.search(options.only, entry.name)]
    if options.sample and options.sample < len(wanted):
        wanted = random.Random(options.seed).sample(wanted, options.sample)
    options.output.mkdir(parents=True, exist_ok=True)
    table = Table(options.output / "results.tsv", options.resume)
    comparison = Executors(options, {number: path for number, (path, _) in bound.items()})
    done = table.names()
    for index, entry in enumerate(wanted):
        if entry.name in done:
            continue
        started = time.monotonic()
        verdict = comparison.run(entry)
        table.add(entry.name, verdict, "", time.monotonic() - started)
        print(f"{index + 1}/{len(wanted)} {verdict.status:16} {entry.name} {verdict.reason[:120]}", flush=True)
    title = f"{'x'.join(map(str, options.size))} at {options.time} s, the CPU executor and '{options.device}'"
    (options.output / "summary.md").write_text(table.summary(title), encoding="utf-8")
    print(f"{options.output / 'summary.md'}: {len(table.rows)} shaders")
    passes = (*FINE, "not a picture", "no input", "both fail")
    sys.exit(0 if all(row["status"] in passes for row in table.rows) else 1)


class Executors:
    """Renders entries on the CPU executor and on a Vulkan device, and looks for the reason of every difference."""

    def __init__(self, options, bound):
        self.options = options
        self.bound = bound
        self.etalon = Etalon(options.etalon, options, options.timeout)
        self.limits = Limits(options.levels, options.share)

    def run(self, entry):
        """Returns the verdict on one shader."""
        if kinds := entry.unsupported(self.options.accept):
            return Verdict("not a picture", f"needs {', '.join(kinds)}")
        sources = {number: self.bound.get(number, self.options.default_input) for number in entry.channels}
        if missing := [number for number, path in sources.items() if path is None]:
            return Verdict("no input", f"nothing given for iChannel{missing[0]}")
        cpu, cpu_refusal = self._render(entry, sources, "cpu")
        vulkan, vulkan_refusal = self._render(entry, sources, self.options.device)
        if cpu_refusal and vulkan_refusal:
            return Verdict("both fail", f"cpu: {cpu_refusal}; vulkan: {vulkan_refusal}")
        if cpu_refusal or vulkan_refusal:
            return Verdict("cpu fails" if cpu_refusal else "vulkan fails", str(cpu_refusal or vulkan_refusal))
        verdict = self._judged(entry, sources, cpu, vulkan)
        if verdict.status != "agrees":
            page = pictures.side_by_side(cpu, vulkan, self.limits.levels)
            pictures.write_png(self._path(verdict.status, entry), page)
        return verdict

    def _judged(self, entry, sources, cpu, vulkan):
        difference = pictures.Difference.between(cpu, vulkan, self.limits.levels)
        if difference.share_within >= self.limits.share:
            return Verdict("agrees", difference=difference)
        _, refusal = self._render(entry, sources, f"cpu:steps={DRIVER_ROUNDS}")
        if refusal and "rounds of loops" in refusal.message:
            return Verdict("loop limit", f"some pixels need more than {DRIVER_ROUNDS} rounds of loops", difference)
        explained = numpy.zeros_like(difference.outside)
        differing, notes = float(difference.outside.mean()), []
        for status, perturbations in PERTURBATIONS:
            largest = 0.0
            for perturbation in perturbations:
                moved, refusal = self._render(entry, sources, f"cpu:{perturbation}")
                if refusal:
                    notes.append(f"{perturbation}: {refusal}")
                    continue
                outside = pictures.Difference.between(cpu, moved, self.limits.levels).outside
                explained |= pictures.grown(outside, 1)
                largest = max(largest, float(outside.mean()))
                unexplained = float((difference.outside & ~explained).mean())
                if unexplained <= 1.0 - self.limits.share or largest >= differing:
                    reason = f"{differing:.1%} of the pixels differ, {perturbation} moves {largest:.1%}, {unexplained:.1%} differ unmoved"
                    return Verdict(status, reason, difference)
            notes.append(f"{status}: at most {largest:.1%} moved")
        return Verdict("differs", "; ".join([f"{differing:.1%} of the pixels differ", *notes]), difference)

    def _render(self, entry, sources, device):
        """Returns a picture and nothing, or nothing and why there is none."""
        output = self._path("last", entry)
        refusal = self.etalon.on(device).render(entry, sources, output)
        if refusal:
            return None, refusal
        picture = pictures.read(output)
        output.unlink()
        return picture, None

    def _path(self, folder, entry):
        path = self.options.output / folder / entry.path.parent.name
        path.mkdir(parents=True, exist_ok=True)
        return path / (entry.path.name + ".png")


def _parser():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shaders", nargs="+", help="files, folders, or a .tsv list with the columns path, channels, dialect")
    parser.add_argument("--etalon", metavar="BINARY", required=True, help="the command under test")
    parser.add_argument("--device", default="0", help="the Vulkan device to compare with")
    parser.add_argument("--etalon-option", action="append", default=[], metavar="WORD", help="a further word for etalon render")
    parser.add_argument("--plain-driver", action="store_true", help="let the driver filter textures as it does by default")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--default-input", metavar="FILE", help="the picture for channels without --input")
    parser.add_argument(
        "--accept", action="append", default=[], metavar="KIND", help="give channels of this kind, such as music, a picture too"
    )
    parser.add_argument("--only", metavar="PATTERN", help="only shaders whose folder/name matches this regular expression")
    parser.add_argument("--sample", type=int, metavar="N", help="only N shaders, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="which N")
    parser.add_argument("--levels", type=int, default=2, help="how far apart two pixels may be")
    parser.add_argument("--share", type=float, default=0.98, help="how many of the pixels have to be that close")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="for each picture")
    parser.add_argument("--resume", action="store_true", help="keep the rows of an earlier run and go on")
    add_picture_options(parser)
    return parser


if __name__ == "__main__":
    main()
