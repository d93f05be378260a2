"""Renders one ShaderToy image pass with a fragment pipeline of OpenGL, off screen."""

import os
import re
from dataclasses import dataclass, field, replace

import moderngl
import numpy

import fragment
import pictures

# Settings of Mesa, which it reads when a context is made: variables start at zero, as in a player, and the software driver
# filters 8-bit textures in floats; by default it does so in 8 bits, which is up to 4 levels off between mipmap levels.
DRIVER_SETTINGS = {"glsl_zero_init": "true", "GALLIVM_PERF": "no_aos_sampling", "MESA_DEBUG": "silent"}

FILTERS = {
    "nearest": (moderngl.NEAREST, moderngl.NEAREST),
    "linear": (moderngl.LINEAR, moderngl.LINEAR),
    "mipmap": (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR),
}


@dataclass(frozen=True)
class Sampler:
    """How a channel is read: `filter` (nearest, linear, mipmap), `wrap` (clamp, repeat) and whether row 0 is the bottom."""

    filter: str = "mipmap"
    wrap: str = "repeat"
    vflip: bool = True

    @staticmethod
    def parse(text):
        """Reads `mipmap,repeat,vflip`: any of the words, in any order, over the defaults mipmap, repeat, vflip."""
        values = {"filter": "mipmap", "wrap": "repeat", "vflip": True}
        for word in filter(None, (part.strip() for part in text.split(","))):
            if word in FILTERS:
                values["filter"] = word
            elif word in ("clamp", "repeat"):
                values["wrap"] = word
            elif word in ("vflip", "novflip"):
                values["vflip"] = word == "vflip"
            else:
                raise ValueError(f"unknown sampler word '{word}': expected nearest, linear, mipmap, clamp, repeat, vflip, novflip")
        return Sampler(**values)

    def __str__(self):
        return f"{self.filter},{self.wrap},{'vflip' if self.vflip else 'novflip'}"


@dataclass(frozen=True)
class Clock:
    """The values of the clock, mouse and date uniforms of one frame."""

    time: float = 0.0
    frame: int = 0
    rate: float = 60.0
    time_delta: float = 1.0 / 60.0
    mouse: tuple = (0.0, 0.0, 0.0, 0.0)
    date: tuple = (2000.0, 0.0, 1.0, 0.0)


@dataclass(frozen=True)
class Job:
    """One picture to render: the pass, its size, its clock, and what is bound to its channels."""

    text: str
    width: int
    height: int
    clock: Clock = Clock()
    channels: dict = field(default_factory=dict)  # number → (path, Sampler)
    prologue: str = ""
    position: str = "gl_FragCoord.xy"
    dialect: fragment.Dialect | None = None  # None: the first one that compiles

    def clocks(self):
        """Returns the clocks of the frames to draw on one target, in their order.

        The site does not clear what it draws on, so that of a text with `discard` all frames count from the first on.
        """
        if not re.search(r"\bdiscard\b", self.text):
            return [self.clock]
        last = self.clock
        return [replace(last, frame=frame, time=last.time - (last.frame - frame) / last.rate) for frame in range(last.frame)] + [last]


class CompileError(Exception):
    """The pass compiles in none of the dialects that were tried; the message is the driver's."""


class Renderer:
    """Owns one off-screen OpenGL context and renders jobs with it, one after the other."""

    def __init__(self):
        for name, value in DRIVER_SETTINGS.items():
            os.environ.setdefault(name, value)
        self.context = moderngl.create_context(standalone=True, backend="egl", require=330)
        self.textures = {}

    def driver(self):
        """Returns the name and version of the driver, for reports."""
        info = self.context.info
        return f"{info['GL_RENDERER']}, {info['GL_VERSION']}"

    def render(self, job):
        """Returns the colours (`height × width × 4` floats, top row first) and the dialect that compiled."""
        program, dialect = self._program(job)
        target = self.context.texture((job.width, job.height), 4, dtype="f4")
        framebuffer = self.context.framebuffer([target])
        try:
            self._set_channels(program, job)
            framebuffer.use()
            framebuffer.clear(0.0, 0.0, 0.0, 1.0)
            array = self.context.vertex_array(program, [])
            for clock in job.clocks():
                _set_clock(program, clock)
                array.render(moderngl.TRIANGLES, vertices=3)
            array.release()
            pixels = numpy.frombuffer(framebuffer.read(components=4, dtype="f4"), numpy.float32)
            return pixels.reshape(job.height, job.width, 4)[::-1].copy(), dialect
        finally:
            framebuffer.release()
            target.release()
            program.release()

    def _program(self, job):
        failure = None
        for dialect in (job.dialect,) if job.dialect else fragment.DIALECTS:
            text = fragment.fragment_shader(job.text, dialect, job.prologue, job.position)
            try:
                return self.context.program(fragment.vertex_shader(dialect), text), dialect
            except moderngl.Error as error:
                failure = failure or error
        raise CompileError(_first_lines(str(failure)))

    def _set_channels(self, program, job):
        sizes = [(0.0, 0.0, 0.0)] * 4
        for number in range(4):
            path, sampler = job.channels.get(number, (None, None))
            if path is not None:
                texture = self._texture(path, sampler)
                texture.use(number)
                sizes[number] = (float(texture.width), float(texture.height), 1.0)
            else:
                self._black().use(number)
            _set(program, f"iChannel{number}", number)
            _set(program, f"iCh{number}.sampler", number)
            _set(program, f"iCh{number}.size", sizes[number])
            _set(program, f"iCh{number}.loaded", int(path is not None))
        _set(program, "iResolution", (float(job.width), float(job.height), 1.0))
        _set(program, "iSampleRate", 44100.0)
        _set_array(program, "iChannelResolution", sizes)

    def _texture(self, path, sampler):
        key = (path, sampler)
        if key not in self.textures:
            pixels = pictures.read(path)
            rows = pixels[::-1] if sampler.vflip else pixels
            texture = self.context.texture((pixels.shape[1], pixels.shape[0]), 4, numpy.ascontiguousarray(rows).tobytes())
            if sampler.filter == "mipmap":
                texture.build_mipmaps()
            texture.filter = FILTERS[sampler.filter]
            texture.repeat_x = texture.repeat_y = sampler.wrap == "repeat"
            self.textures[key] = texture
        return self.textures[key]

    def _black(self):
        if None not in self.textures:
            self.textures[None] = self.context.texture((1, 1), 4, bytes((0, 0, 0, 255)))
        return self.textures[None]


def _set_clock(program, clock):
    _set(program, "iTime", clock.time)
    _set(program, "iTimeDelta", clock.time_delta)
    _set(program, "iFrameRate", clock.rate)
    _set(program, "iFrame", clock.frame)
    _set(program, "iMouse", clock.mouse)
    _set(program, "iDate", clock.date)


def _set(program, name, value):
    member = program.get(name, None)
    if member is not None:
        member.value = value


def _set_array(program, name, values):
    # A driver shortens an array to the last element that the shader reads.
    member = program.get(name, None)
    if member is not None:
        used = values[: member.array_length]
        member.value = used[0] if member.array_length == 1 else used


def _first_lines(message):
    lines = [line.strip() for line in message.split("\n")]
    errors = [line for line in lines if "error" in line.lower() and not line.startswith("GLSL Compiler")]
    return " | ".join(errors[:3]) or " ".join(lines)[:200]
