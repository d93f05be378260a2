"""Decides what a difference between the witness and Etalon means."""

import re
from dataclasses import dataclass, replace

import numpy

import pictures
from arithmetic import MACROS
from variants import allowed_variants, rounding_variants
from worker import RenderError


@dataclass(frozen=True)
class Verdict:
    """What became of one shader: a status word, the reason in words, and the difference where both pictures exist."""

    status: str
    reason: str = ""
    difference: pictures.Difference | None = None


@dataclass(frozen=True)
class Limits:
    """When two pictures agree: at least `share` of the pixels within `levels`."""

    levels: int = 2
    share: float = 0.98


def judge(worker, job, colors, actual, limits):
    """Compares `actual` (8 bits) with the witness's `colors`; where they disagree, looks for the reason.

    The status is *agrees*; *unstable* when the pixels agree that stay put under other roundings; *within the specification*
    when those agree that stay put under the errors that Vulkan allows; else *differs*.
    """
    expected = pictures.to_8_bits(colors)
    if expected.shape != actual.shape:
        return Verdict("differs", f"size {actual.shape[1]}x{actual.shape[0]}")
    difference = pictures.Difference.between(expected, actual, limits.levels)
    if difference.share_within >= limits.share:
        return Verdict("agrees", difference=difference)
    search = _Search(worker, job, expected, difference.outside, limits.levels)
    search.exclude(~numpy.isfinite(colors).all(axis=2), "no finite value")
    status = "differs"
    for name, variants in (("unstable", rounding_variants), ("within the specification", allowed_variants)):
        search.try_all(variants(job.text))
        if search.unexplained() <= 1.0 - limits.share:
            status = name
            break
    return Verdict(status, search.reason(), difference)


class _Search:
    """Collects the pixels of a disagreement that some variant of the shader moves."""

    def __init__(self, worker, job, expected, outside, levels):
        self.worker = worker
        self.job = job
        self.expected = expected
        self.outside = outside
        self.levels = levels
        self.explained = numpy.zeros(outside.shape, bool)
        self.notes = []

    def try_all(self, variants):
        """Renders the job in other forms; forms that do not compile explain nothing."""
        for variant in variants:
            moved = self.render(variant)
            if moved is not None:
                self.exclude(self.moved(pictures.to_8_bits(moved), variant.shift), variant.name)

    def render(self, variant):
        """Returns the colors of a form, without its changes in lines that the compiler refuses; nothing if it refuses others."""
        clock = replace(self.job.clock, time=self.job.clock.time * variant.time_scale)
        spared = set()
        while True:
            text = variant.changed(spared)
            try:
                return self.worker.render(replace(self.job, text=text, position=variant.position, clock=clock))[0]
            except RenderError as error:
                refused = {int(line) for line in re.findall(r"\b0:(\d+)\b", str(error))}
                # What is still refused uses a macro.
                more = refused - spared or refused and {MACROS} - spared
                if not variant.factor or not more:
                    return None
                spared |= more

    def moved(self, picture, shift):
        """Returns which pixels differ from the witness's, where `picture` is drawn `shift` pixels to the right and up.

        Pixels that were shifted out of the picture do not count.
        """
        right, up = shift
        back = numpy.roll(picture, (up, -right), axis=(0, 1))
        outside = pictures.Difference.between(self.expected, back, self.levels).outside
        height, width = outside.shape
        row, column = numpy.indices(outside.shape)
        return outside & (column < width - right) & (column >= -right) & (row < height + up) & (row >= up)

    def exclude(self, mask, name):
        """Takes the marked pixels and their neighbours as explained, and notes it when it matters."""
        reach = pictures.grown(mask, 1)
        covered = float((reach & self.outside).sum() / self.outside.sum())
        self.explained |= reach
        if covered > 0.05:
            self.notes.append(f"{name}: {mask.mean():.1%} of the witness, {covered:.0%} of the differing pixels")

    def unexplained(self):
        """Returns the share of all pixels that differ and that nothing moves."""
        return float((self.outside & ~self.explained).mean())

    def reason(self):
        """Returns the notes, and what is left without one."""
        return "; ".join([*self.notes, f"{self.unexplained():.2%} of the pixels differ without a reason"])
