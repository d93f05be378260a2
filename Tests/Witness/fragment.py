"""Puts a ShaderToy image pass into a fragment shader, the way a WebGL player does."""

from dataclasses import dataclass

VERTEX_BODY = """
void main() {
  vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}
"""

# `precision` is legal in desktop GLSL too, so that one header serves both.
UNIFORMS = """
precision highp float;
precision highp int;
precision highp sampler2D;
#define HW_PERFORMANCE 1
uniform vec3 iResolution;
uniform float iTime;
uniform float iTimeDelta;
uniform float iFrameRate;
uniform int iFrame;
uniform vec4 iMouse;
uniform vec4 iDate;
uniform float iSampleRate;
uniform float iChannelTime[4];
uniform vec3 iChannelResolution[4];
uniform sampler2D iChannel0;
uniform sampler2D iChannel1;
uniform sampler2D iChannel2;
uniform sampler2D iChannel3;
"""

CHANNEL_STRUCTS = "".join(
    f"uniform struct {{ sampler2D sampler; vec3 size; float time; int loaded; }} iCh{n};\n" for n in range(4)
)

MAIN = """
layout(location = 0) out vec4 witness_color;
vec4 witness_failure = vec4(0.0);
void st_assert(bool holds, int channel) {
  if (holds) return;
  witness_failure = vec4(channel == 0 || channel == 3, channel == 1 || channel == 3, channel == 2, 1.0);
}
void st_assert(bool holds) { st_assert(holds, 0); }
void mainImage(out vec4 color, in vec2 position);
void main() {
  vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
  mainImage(color, WITNESS_POSITION);
  if (witness_failure.w > 0.0) color = witness_failure;
  witness_color = vec4(color.xyz, 1.0);
}
"""

OLD_NAMES = """
#define iGlobalTime iTime
#define texture2D texture
#define textureCube texture
#define texture2DLod textureLod
#define texture2DLodEXT textureLod
#define texture2DGradEXT textureGrad
#define texture2DProj textureProj
"""


@dataclass(frozen=True)
class Dialect:
    """A language version to try, and whether the names of the first WebGL are known in it."""

    version: str
    old_names: bool

    @property
    def name(self):
        return self.version + (" + old names" if self.old_names else "")


# What the site itself accepts comes first; the others accept files written for older or other players.
DIALECTS = (
    Dialect("300 es", False),
    Dialect("300 es", True),
    Dialect("450", False),
    Dialect("450", True),
)


def vertex_shader(dialect):
    """Returns the text of a vertex shader that covers the picture with one triangle."""
    return f"#version {dialect.version}\n{VERTEX_BODY}"


def fragment_shader(text, dialect, prologue="", position="gl_FragCoord.xy"):
    """Returns the fragment shader for the pass `text`.

    `prologue` comes between the uniforms and the pass, `position` is the expression handed to `mainImage`.
    Errors carry the author's line numbers, because the pass begins with a `#line` directive.
    """
    # In desktop GLSL `sampler` is reserved nowhere but an initialised output needs a version of its own.
    lines = [f"#version {dialect.version}", UNIFORMS]
    if "iCh" in text:
        lines.append(CHANNEL_STRUCTS)
    lines.append(MAIN.replace("WITNESS_POSITION", position))
    if dialect.old_names:
        lines.append(OLD_NAMES)
    lines.append(prologue)
    lines.append("#line 1")
    lines.append(without_version(text))
    return "\n".join(lines) + "\n"


def without_version(text):
    """Blanks out the `#version` line of `text`, whose place in the file is the host's."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join("" if line.lstrip().startswith("#version") else line for line in lines)
