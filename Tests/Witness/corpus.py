"""Finds the shader files of a comparison and what each one needs on its channels."""

import csv
from dataclasses import dataclass
from pathlib import Path

from renderer import Sampler
from tokens import channels_used

PICTURES = frozenset({"texture", "video", "webcam"})


@dataclass(frozen=True)
class Entry:
    """One shader file: its path, its text, what lies on the channels it uses (number → (kind, Sampler)), its dialect."""

    path: Path
    text: str
    channels: dict
    dialect: str = "shadertoy"

    @property
    def name(self):
        return f"{self.path.parent.name}/{self.path.name}"

    def unsupported(self, accepted):
        """Returns the kinds of channel that are neither pictures nor `accepted` as such: a cube map, or a keyboard."""
        return sorted({kind for kind, _ in self.channels.values()} - PICTURES - set(accepted))


def entries(arguments, samplers):
    """Returns the entries of files, folders (searched for .glsl and .frag) and lists (.tsv), in order.

    `samplers` (number → Sampler) is for the channels of which a list says nothing.
    """
    found = []
    for argument in map(Path, arguments):
        if argument.suffix == ".tsv":
            found.extend(_listed(argument, samplers))
        elif argument.is_dir():
            found.extend(_entry(p, samplers) for p in sorted(argument.rglob("*")) if p.suffix in (".glsl", ".frag"))
        else:
            found.append(_entry(argument, samplers))
    return found


def _entry(path, samplers, stated=None, dialect="shadertoy"):
    text = path.read_text(encoding="utf-8", errors="replace")
    known = stated or {}
    channels = {n: known.get(n, ("texture", samplers.get(n, Sampler()))) for n in channels_used(text)}
    return Entry(path, text, channels, dialect)


def _listed(path, samplers):
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            stated = dict(_channel(word, samplers) for word in (row.get("channels") or "").split())
            yield _entry(path.parent / row["path"], samplers, stated, row.get("dialect") or "shadertoy")


def _channel(word, samplers):
    """Reads `0:texture[mipmap,repeat,vflip]`; the bracket may be missing."""
    number, _, rest = word.partition(":")
    kind, bracket, settings = rest.partition("[")
    sampler = Sampler.parse(settings.rstrip("]")) if bracket else samplers.get(int(number), Sampler())
    return int(number), (kind or "texture", sampler)
