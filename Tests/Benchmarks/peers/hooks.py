"""Makes a libplacebo hook of a ShaderToy file, so that both renderers run the same text."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
SHADERS = HERE.parent / "shaders"

# A hook has no uniforms of its own: the frame number, from one, gives the time, and rows run downwards.
HEAD = """//!HOOK OUTPUT
//!BIND HOOKED
//!DESC ShaderToy pass '{name}' (written by make-hooks from shaders/{name}.glsl)

#define iTime (float(frame - 1) / 60.0)
#define iResolution vec3(HOOKED_size, 1.0)

"""

TAIL = """
vec4 hook()
{
    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
    vec2 position = HOOKED_pos * HOOKED_size;
    mainImage(color, vec2(position.x, HOOKED_size.y - position.y));
    return vec4(color.rgb, 1.0);
}
"""


def path(name):
    """Returns where the hook of the benchmark shader `name` lies."""
    return HERE / "libplacebo" / f"{name}.hook"


def text(name):
    """Returns what the hook of the benchmark shader `name` has to say."""
    return HEAD.format(name=name) + (SHADERS / f"{name}.glsl").read_text() + TAIL


def is_current(name):
    """Says whether the stored hook was written from the shader as it is."""
    return path(name).exists() and path(name).read_text() == text(name)
