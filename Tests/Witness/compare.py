#!/usr/bin/env python3
"""Renders shader files with Etalon and as fragment shaders, and compares the pictures.

Without `--etalon` only the witness renders, which shows what it can be asked about.
"""

import argparse
import re
import signal
import sys
import time
from pathlib import Path

import corpus
import pictures
from etalon import Etalon
from judge import Limits, Verdict, judge
from render import add_picture_options, channels, clock
from renderer import Job
from report import Table
from worker import RenderError, Worker


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the child ends with us
    options = _parser().parse_args()
    bound = channels(options)
    if options.only:
        options.only = re.compile(options.only)
    wanted = corpus.entries(options.shaders, {number: sampler for number, (_, sampler) in bound.items()})
    wanted = [entry for entry in wanted if _chosen(entry, options)][:: options.every][: options.limit]
    options.output.mkdir(parents=True, exist_ok=True)
    table = Table(options.output / "results.tsv", options.resume)
    comparison = Comparison(options, {number: path for number, (path, _) in bound.items()})
    done = table.names()
    for index, entry in enumerate(wanted):
        if entry.name in done:
            continue
        started = time.monotonic()
        verdict, language = comparison.run(entry)
        seconds = time.monotonic() - started
        table.add(entry.name, verdict, language, seconds)
        print(f"{index + 1}/{len(wanted)} {verdict.status:16} {entry.name} {verdict.reason[:120]}", flush=True)
    comparison.worker.close()
    (options.output / "summary.md").write_text(table.summary(comparison.title()), encoding="utf-8")
    print(f"{options.output / 'summary.md'}: {len(table.rows)} shaders")
    sys.exit(0 if all(row["status"] in FINE for row in table.rows) else 1)


FINE = ("agrees", "unstable", "within the specification", "finding", "rendered")


class Comparison:
    """Renders entries with the witness and with Etalon and keeps the pictures of those that disagree."""

    def __init__(self, options, bound):
        self.options = options
        self.bound = bound
        self.worker = Worker(options.timeout, options.browser)
        self.etalon = Etalon(options.etalon, options, options.timeout) if options.etalon else None
        self.limits = Limits(options.levels, options.share)

    def title(self):
        """Returns what was compared, for the head of the summary."""
        size = "x".join(map(str, self.options.size))
        return f"{size} at {self.options.time} s, witness {self.worker.driver}"

    def run(self, entry):
        """Returns the verdict on one shader and the language version in which the witness compiled it."""
        if kinds := entry.unsupported(self.options.accept):
            return Verdict("not a picture", f"needs {', '.join(kinds)}"), ""
        sources = {number: self.bound.get(number, self.options.default_input) for number in entry.channels}
        if missing := [number for number, path in sources.items() if path is None]:
            return Verdict("no input", f"nothing given for iChannel{missing[0]}"), ""
        job = self._job(entry, sources)
        try:
            colors, dialect = self.worker.render(job)
        except RenderError as error:
            return self._without_witness(entry, sources, str(error)), ""
        if self.etalon is None:
            pictures.write_png(self._path("witness", entry), pictures.to_8_bits(colors))
            return Verdict("rendered"), dialect.name
        return self._compared(entry, sources, job, colors, dialect), dialect.name

    def _job(self, entry, sources):
        return Job(
            text=entry.text,
            width=self.options.size[0],
            height=self.options.size[1],
            clock=clock(self.options),
            channels={number: (sources[number], sampler) for number, (_, sampler) in entry.channels.items()},
        )

    def _without_witness(self, entry, sources, reason):
        if self.etalon is None:
            return Verdict("witness fails", reason)
        refusal = self.etalon.render(entry, sources, self._path("etalon", entry))
        if refusal:
            return Verdict("both fail", f"witness: {reason}; etalon: {refusal}")
        return Verdict("witness fails", reason)

    def _compared(self, entry, sources, job, colors, dialect):
        output = self._path("etalon", entry)
        if refusal := self.etalon.render(entry, sources, output):
            return Verdict("etalon fails", str(refusal))
        actual = pictures.read(output)
        same = Job(**{**job.__dict__, "dialect": dialect})
        verdict = judge(self.worker, same, colors, actual, self.limits)
        if verdict.status == "differs" and (findings := self.etalon.findings(entry)):
            verdict = Verdict("finding", f"{', '.join(findings)}; {verdict.reason}", verdict.difference)
        if verdict.status == "agrees":
            output.unlink()
        elif actual.shape == colors.shape:
            page = pictures.side_by_side(pictures.to_8_bits(colors), actual, self.limits.levels)
            pictures.write_png(self._path(verdict.status, entry), page)
        return verdict

    def _path(self, folder, entry):
        path = self.options.output / folder / entry.path.parent.name
        path.mkdir(parents=True, exist_ok=True)
        return path / (entry.path.name + ".png")


def _chosen(entry, options):
    if options.dialect and entry.dialect not in options.dialect:
        return False
    return options.only is None or options.only.search(entry.name)


def _parser():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shaders", nargs="+", help="files, folders, or a .tsv list with the columns path, channels, dialect")
    parser.add_argument("--etalon", metavar="BINARY", help="the command to compare with the witness")
    parser.add_argument("--etalon-option", action="append", default=[], metavar="WORD", help="a further word for etalon render")
    parser.add_argument("--browser", action="store_true", help="draw with WebGL 2 of headless Chromium instead of OpenGL")
    parser.add_argument("--plain-driver", action="store_true", help="let Etalon's driver filter textures as it does by default")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--default-input", metavar="FILE", help="the picture for channels without --input")
    parser.add_argument(
        "--accept", action="append", default=[], metavar="KIND", help="give channels of this kind, such as music, a picture too"
    )
    parser.add_argument("--dialect", action="append", default=[], help="only entries of a list with this dialect")
    parser.add_argument("--only", metavar="PATTERN", help="only shaders whose folder/name matches this regular expression")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth shader")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N shaders")
    parser.add_argument("--levels", type=int, default=2, help="how far apart two pixels may be")
    parser.add_argument("--share", type=float, default=0.98, help="how many of the pixels have to be that close")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="for each picture")
    parser.add_argument("--resume", action="store_true", help="keep the rows of an earlier run and go on")
    add_picture_options(parser)
    return parser


if __name__ == "__main__":
    main()
