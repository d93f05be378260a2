#!/usr/bin/env python3
"""Renders one single-pass ShaderToy file as a fragment shader to an 8-bit PNG."""

import argparse
import sys
from datetime import datetime
from math import floor
from pathlib import Path

import pictures
from renderer import Clock, CompileError, Job, Renderer, Sampler


def main():
    options = _parser().parse_args()
    job = Job(
        text=Path(options.file).read_text(encoding="utf-8", errors="replace"),
        width=options.size[0],
        height=options.size[1],
        clock=clock(options),
        channels=channels(options),
    )
    try:
        colors, dialect = Renderer().render(job)
    except CompileError as error:
        sys.exit(f"{options.file}: {error}")
    pictures.write_png(options.output, pictures.to_8_bits(colors))
    print(f"{options.output}: {options.size[0]}x{options.size[1]}, #version {dialect.name}")


def add_picture_options(parser):
    """Adds the options that say what to render, which `render.py` and `compare.py` share."""
    parser.add_argument("--size", type=_size, default=(320, 180), metavar="WxH")
    parser.add_argument("--time", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--frame", type=int, metavar="N", help="value of iFrame; default: the frame that shows at the time")
    parser.add_argument("--rate", type=float, default=60.0, metavar="FPS", help="value of iFrameRate")
    parser.add_argument("--time-delta", type=float, default=1 / 60, metavar="SECONDS", help="value of iTimeDelta")
    parser.add_argument("--mouse", type=_mouse, metavar="X,Y[,down]", help="a click in pixels from the bottom left")
    parser.add_argument("--date", type=datetime.fromisoformat, default=datetime(2024, 1, 1), metavar="ISO-DATE")
    parser.add_argument(
        "--input", action="append", default=[], metavar="iChannelN=FILE", help="a picture, in its own size, for a channel"
    )
    parser.add_argument(
        "--sampler", action="append", default=[], metavar="iChannelN=WORDS",
        help="nearest|linear|mipmap, clamp|repeat, vflip|novflip; default mipmap,repeat,vflip",
    )


def clock(options):
    """Returns the clock that the options of `add_picture_options` describe."""
    date = options.date
    seconds = date.hour * 3600.0 + date.minute * 60.0 + date.second + date.microsecond / 1e6
    frame = floor(options.time * options.rate) if options.frame is None else options.frame
    return Clock(
        time=options.time,
        frame=frame,
        rate=options.rate,
        time_delta=options.time_delta,
        mouse=_mouse_uniform(options.mouse, frame),
        date=(float(date.year), float(date.month - 1), float(date.day), seconds),
    )


def channels(options):
    """Returns number → (path, Sampler) for the options of `add_picture_options`."""
    samplers = {_channel(key): Sampler.parse(value) for key, value in map(_pair, options.sampler)}
    return {
        _channel(key): (value, samplers.get(_channel(key), Sampler())) for key, value in map(_pair, options.input)
    }


def _parser():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="a ShaderToy file with mainImage")
    parser.add_argument("-o", "--output", required=True, metavar="PNG")
    add_picture_options(parser)
    return parser


def _size(text):
    width, _, height = text.partition("x")
    return int(width), int(height)


def _mouse(text):
    parts = text.split(",")
    if len(parts) not in (2, 3) or parts[2:] not in ([], ["down"]):
        raise argparse.ArgumentTypeError(f"expected X,Y or X,Y,down, found '{text}'")
    return floor(float(parts[0])), floor(float(parts[1])), len(parts) == 3


def _mouse_uniform(mouse, frame):
    """Returns iMouse: the position, then the click, positive while held and, for the second number, on the first frame."""
    if mouse is None:
        return (0.0, 0.0, 0.0, 0.0)
    x, y, is_down = float(mouse[0]), float(mouse[1]), mouse[2]
    return (x, y, abs(x) if is_down else -abs(x), abs(y) if is_down and frame == 0 else -abs(y))


def _pair(text):
    key, equals, value = text.partition("=")
    if not equals:
        raise SystemExit(f"expected iChannelN=VALUE, found '{text}'")
    return key, value


def _channel(name):
    if name not in ("iChannel0", "iChannel1", "iChannel2", "iChannel3"):
        raise SystemExit(f"unknown channel '{name}': expected iChannel0, iChannel1, iChannel2 or iChannel3")
    return int(name[-1])


if __name__ == "__main__":
    main()
