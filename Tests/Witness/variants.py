"""Rewrites a pass so that it computes the same picture with slightly different arithmetic.

A pixel that moves when a sine is off by one unit in the last place has no portable value: no two drivers have to agree
on it. The witness renders these variants of a shader that disagrees, to see whether the disagreement is of that kind.
"""

from dataclasses import dataclass

from arithmetic import with_calls_changed, with_products_changed
from tokens import words
from undefined import LAST_ELEMENT, NEAREST_ELEMENT, with_garbage, with_indices

ONE_UP = "1.00000012"  # the float after 1
ONE_DOWN = "0.99999994"  # the float before 1

ROUNDED = frozenset(
    "sin cos tan asin acos atan sinh cosh tanh exp exp2 log log2 pow sqrt inversesqrt "
    "length distance normalize dot cross mix smoothstep reflect".split()
)

# How far off the Vulkan specification lets functions be: sine and cosine absolutely, the others relatively.
ALLOWED_ERRORS = {
    "atan": 4.88e-4,
    "asin": 4.88e-4,
    "acos": 4.88e-4,
    "exp": 5e-7,
    "exp2": 5e-7,
    "pow": 2e-6,
    "log": 4e-7,
    "log2": 4e-7,
    "inversesqrt": 3e-7,
    "sqrt": 5e-7,
}
ALLOWED_SINE_ERROR = 0.00048828

# What is read of the neighbours in a quad, which no shader can choose.
QUAD_READERS = frozenset("dFdx dFdy fwidth texture textureProj texture2D texture2DProj textureCube".split())


@dataclass(frozen=True)
class Variant:
    """One way to render a pass again.

    A name for reports, the text, how much position and time are scaled, how many pixels to the right and up the picture is drawn, and
    the factor that goes into products, which may be left out of the lines that do not compile with it.
    """

    name: str
    text: str
    scale: str = ""
    time_scale: float = 1.0
    shift: tuple = (0, 0)
    factor: str = ""

    @property
    def position(self):
        """The expression for the place of a pixel."""
        place = f"(gl_FragCoord.xy - vec2({self.shift[0]}, {self.shift[1]}))" if any(self.shift) else "gl_FragCoord.xy"
        return f"{place} * {self.scale}" if self.scale else place

    def changed(self, spared):
        """Returns the text, with the products of the lines `spared` as they were."""
        return with_products_changed(self.text, self.factor, frozenset(spared)) if self.factor else self.text


def rounding_variants(text):
    """Returns the variants that any driver is free to be: other roundings, quads and values where the language defines none."""
    up = {name: f"* {ONE_UP}" for name in ROUNDED}
    down = {name: f"* {ONE_DOWN}" for name in ROUNDED}
    variants = [
        Variant("functions one ulp up", with_calls_changed(text, up)),
        Variant("functions one ulp down", with_calls_changed(text, down)),
        Variant("position and time one ulp up", text, ONE_UP, 1.00000012),
        Variant("position and time one ulp down", text, ONE_DOWN, 0.99999994),
        Variant("products and quotients one ulp up", text, factor=ONE_UP),
        Variant("products and quotients one ulp down", text, factor=ONE_DOWN),
        Variant("variables start at 0.37", with_garbage(text, 0.37)),
        Variant("variables start at -85000", with_garbage(text, -85000)),
        Variant("outside indices moved to the nearest element", with_indices(text, NEAREST_ELEMENT)),
        Variant("outside indices moved to the last element", with_indices(text, LAST_ELEMENT)),
    ]
    if QUAD_READERS & words(text):
        variants += [
            Variant(f"quads begin one pixel {way}", text, shift=shift)
            for way, shift in (("right", (1, 0)), ("left", (-1, 0)), ("up", (0, 1)), ("down", (0, -1)))
        ]
    return variants


def allowed_variants(text):
    """Returns the variants with functions as far off as the Vulkan specification allows, which is farther than drivers are."""
    return [
        Variant(f"sines {_word(sine)}, cosines {_word(cosine)}, others {_word(others)} as far as Vulkan allows", changed)
        for sine, cosine, others in ((1, -1, 1), (-1, 1, -1), (1, 1, -1), (-1, -1, 1))
        for changed in [with_calls_changed(text, _allowed(sine, cosine, others))]
    ]


def _allowed(sine, cosine, others):
    """Returns what is appended to calls, by their names, for errors in these directions."""
    relative = {name: f"* {1 + others * error:.8f}" for name, error in ALLOWED_ERRORS.items()}
    return {**relative, "sin": f"+ {sine * ALLOWED_SINE_ERROR:.8f}", "cos": f"+ {cosine * ALLOWED_SINE_ERROR:.8f}"}


def _word(direction):
    return "up" if direction > 0 else "down"
