"""Rewrites a pass so that it computes the same picture with slightly different arithmetic.

A pixel that moves when a sine is off by one unit in the last place has no portable value: no two drivers have to agree
on it. The witness renders these variants of a shader that disagrees, to see whether the disagreement is of that kind.
"""

from dataclasses import dataclass

from arithmetic import with_calls_changed, with_products_changed
from undefined import LAST_ELEMENT, NEAREST_ELEMENT, with_garbage, with_indices

ONE_UP = "1.00000012"  # the float after 1
ONE_DOWN = "0.99999994"  # the float before 1

ROUNDED = frozenset(
    "sin cos tan asin acos atan sinh cosh tanh exp exp2 log log2 pow sqrt inversesqrt "
    "length distance normalize dot cross mix smoothstep reflect".split()
)

# What the Vulkan specification allows: sine and cosine absolutely, the others relatively.
ALLOWED = {
    "sin": "+ 0.00048828",
    "cos": "- 0.00048828",
    "atan": "* 1.000488",
    "asin": "* 1.000488",
    "acos": "* 1.000488",
    "exp": "* 1.0000005",
    "exp2": "* 1.0000005",
    "pow": "* 1.000002",
    "log": "* 1.0000004",
    "log2": "* 1.0000004",
    "inversesqrt": "* 1.0000003",
    "sqrt": "* 1.0000005",
}


@dataclass(frozen=True)
class Variant:
    """One way to render a pass again: a name for reports, the text, and how position and time are scaled."""

    name: str
    text: str
    position: str = "gl_FragCoord.xy"
    time_scale: float = 1.0


def rounding_variants(text):
    """Returns the variants that any driver is free to be: other roundings, other values where the language defines none."""
    up = {name: f"* {ONE_UP}" for name in ROUNDED}
    down = {name: f"* {ONE_DOWN}" for name in ROUNDED}
    return [
        Variant("functions one ulp up", with_calls_changed(text, up)),
        Variant("functions one ulp down", with_calls_changed(text, down)),
        Variant("position and time one ulp up", text, f"gl_FragCoord.xy * {ONE_UP}", 1.00000012),
        Variant("position and time one ulp down", text, f"gl_FragCoord.xy * {ONE_DOWN}", 0.99999994),
        Variant("products and quotients one ulp up", with_products_changed(text, ONE_UP)),
        Variant("products and quotients one ulp down", with_products_changed(text, ONE_DOWN)),
        Variant("variables start at 0.37", with_garbage(text, 0.37)),
        Variant("variables start at -85000", with_garbage(text, -85000)),
        Variant("outside indices moved to the nearest element", with_indices(text, NEAREST_ELEMENT)),
        Variant("outside indices moved to the last element", with_indices(text, LAST_ELEMENT)),
    ]


def allowed_variants(text):
    """Returns the variant with functions as far off as the Vulkan specification allows, which is farther than drivers are."""
    return [Variant("functions as far off as Vulkan allows", with_calls_changed(text, ALLOWED))]
