"""Checks the witness against pictures that are known without a renderer.

    python -m unittest discover -s Tests/Witness
"""

import shutil
import tempfile
import unittest
from pathlib import Path

import numpy

import arithmetic
import corpus
import pictures
import tokens
import undefined
import variants
from browser import BrowserRenderer
from judge import Limits, judge
from renderer import Clock, CompileError, Job, Renderer, Sampler
from worker import RenderError

SIZE = 64


class PictureTests(unittest.TestCase):
    """What a pass computes from position, clock and channels, pixel by pixel."""

    @classmethod
    def setUpClass(cls):
        cls.renderer = Renderer()

    def render(self, body, **options):
        text = f"void mainImage(out vec4 color, in vec2 position) {{ {body} }}"
        return self.renderer.render(Job(text, SIZE, SIZE, **options))[0]

    def test_position_has_its_origin_bottom_left_and_centres_at_one_half(self):
        colors = self.render("color = vec4(position, iResolution.xy);")
        column, row = numpy.meshgrid(numpy.arange(SIZE) + 0.5, SIZE - 0.5 - numpy.arange(SIZE))
        numpy.testing.assert_array_equal(colors[:, :, 0], column)
        numpy.testing.assert_array_equal(colors[:, :, 1], row)
        self.assertTrue((colors[:, :, 2] == SIZE).all())

    def test_alpha_of_the_image_pass_is_one(self):
        self.assertTrue((self.render("color = vec4(0.25);")[:, :, 3] == 1.0).all())

    def test_clock_mouse_and_date_arrive(self):
        clock = Clock(time=2.5, frame=7, rate=24.0, time_delta=0.25, mouse=(1, 2, 3, 4), date=(2024, 5, 15, 3600))
        colors = self.render(
            "color = vec4(iTime + float(iFrame), iFrameRate + iTimeDelta, dot(iMouse, vec4(1, 10, 100, 1000)), 0);", clock=clock
        )
        self.assertEqual(colors[0, 0, :3].tolist(), [9.5, 24.25, 4321.0])
        date = self.render("color = vec4(iDate.xyz, 0); if (iDate.w != 3600.0) color.x = 0.0;", clock=clock)
        self.assertEqual(date[0, 0, :3].tolist(), [2024.0, 5.0, 15.0])

    def test_discarded_pixels_keep_the_frames_before(self):
        body = "if (int(position.x) > iFrame) discard; if (int(position.x) < iFrame) discard; color = vec4(iTime, 0, 0, 1);"
        colors = self.render(body, clock=Clock(time=1.0, frame=2, rate=2.0))
        self.assertEqual(colors[0, :4, 0].tolist(), [0.0, 0.5, 1.0, 0.0])
        self.assertTrue((colors[:, :, 3] == 1.0).all())

    def test_derivatives_of_a_linear_function_are_its_slopes(self):
        colors = self.render("float f = 3.0 * position.x - 2.0 * position.y; color = vec4(dFdx(f), dFdy(f), fwidth(f), 0);")
        self.assertTrue((colors[:, :, :3] == [3.0, -2.0, 5.0]).all())

    def test_variables_start_at_zero(self):
        self.assertTrue((self.render("vec3 unset; color = vec4(unset + 0.5, 1.0);")[:, :, :3] == 0.5).all())

    def test_words_that_newer_versions_reserve_are_names(self):
        colors = self.render("float buffer = 0.25, shared = 0.5; color = vec4(buffer + shared);")
        self.assertTrue((colors[:, :, 0] == 0.75).all())

    def test_a_channel_is_upright_unless_flipped(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "rows.png")
            rows = numpy.zeros((4, 4, 4), numpy.uint8)
            rows[0] = 255
            pictures.write_png(path, rows)
            read = "color = texelFetch(iChannel0, ivec2(0, 3), 0) + vec4(0, iChannelResolution[0].x, 0, 0);"
            upright = self.render(read, channels={0: (path, Sampler("nearest", "clamp", True))})
            flipped = self.render(read, channels={0: (path, Sampler("nearest", "clamp", False))})
        self.assertEqual(upright[0, 0, :2].tolist(), [1.0, 5.0])
        self.assertEqual(flipped[0, 0, :2].tolist(), [0.0, 4.0])

    def test_textures_are_filtered_in_floats_between_positions_and_mipmap_levels(self):
        levels = numpy.random.default_rng(1).integers(0, 256, (8, 8, 4)).astype(numpy.uint8)
        levels[:, :, 3] = 255
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "noise.png")
            pictures.write_png(path, levels)
            channels = {0: (path, Sampler("mipmap", "repeat", False))}
            half = self.render("color = texelFetch(iChannel0, ivec2(mod(position, 4.0)), 1);", channels=channels)[::-1][:4, :4]
            read = self.render("color = textureLod(iChannel0, position / 64.0, 0.3);", channels=channels)[::-1]
        full = levels.astype(numpy.float64) / 255
        boxes = full.reshape(4, 2, 4, 2, 4).mean(axis=(1, 3))
        numpy.testing.assert_allclose(half, boxes, atol=0.51 / 255)
        expected = 0.7 * _bilinear(full, SIZE) + 0.3 * _bilinear(half, SIZE)
        numpy.testing.assert_allclose(read[:, :, :3], expected[:, :, :3], atol=1e-5)

    def test_an_error_carries_the_line_of_the_author(self):
        with self.assertRaisesRegex(CompileError, r"0:2[(:]"):
            self.renderer.render(Job("void mainImage(out vec4 c, in vec2 p) {\n c = nothing;\n}", SIZE, SIZE))


@unittest.skipUnless(shutil.which("chromedriver"), "needs chromium and chromium-driver")
class BrowserTests(PictureTests):
    """The same pictures, drawn by a browser."""

    @classmethod
    def setUpClass(cls):
        cls.renderer = BrowserRenderer(30)

    @classmethod
    def tearDownClass(cls):
        cls.renderer.close()


class ConversionTests(unittest.TestCase):
    """The step from floats to 8 bits, and the measures of a difference."""

    def test_conversion_rounds_half_to_even_and_defines_every_value(self):
        values = numpy.array([[[0.5 / 255, 1.5 / 255, numpy.nan, numpy.inf]]], numpy.float64)
        self.assertEqual(pictures.to_8_bits(values)[0, 0].tolist(), [0, 2, 0, 255])

    def test_a_difference_counts_the_pixels_outside(self):
        first = numpy.zeros((2, 2, 4), numpy.uint8)
        second = first.copy()
        second[0, 0, 1] = 3
        difference = pictures.Difference.between(first, second, 2)
        self.assertEqual((difference.share_within, difference.maximum, difference.mean), (0.75, 3, 3 / 16))


class TextTests(unittest.TestCase):
    """What is read from, and written into, the text of a pass."""

    def test_every_variant_of_a_pass_still_compiles(self):
        text = (
            "#define TURN(a) mat2(cos(a), sin(a), -sin(a), cos(a))\nvec2 seen[3];\n"
            "void mainImage(out vec4 color, in vec2 position) {\n"
            "float unset; for (int i = 0; i < 3; i++) seen[i] = TURN(iTime) * position / iResolution.xy;\n"
            "color = vec4(seen[1] * length(position), unset, 1.0); }"
        )
        renderer = Renderer()
        for variant in [*variants.rounding_variants(text), *variants.allowed_variants(text)]:
            with self.subTest(variant.name):
                renderer.render(Job(variant.changed({}), 8, 8, position=variant.position))

    def test_channels_in_comments_do_not_count(self):
        text = "// iChannel0\n/* iChannel1 */\n#define T texture(iChannel3, p)\nvec4 c = texture(iChannel2, p);"
        self.assertEqual(tokens.channels_used(text), [2, 3])

    def test_tokens_join_to_the_text(self):
        text = "#define A(x) \\\n  x\nfloat a = .5e-3 /* b */ - 0x1F; // c\n"
        self.assertEqual("".join(token.text for token in tokens.tokenize(text)), text)

    def test_calls_are_wrapped_in_code_and_macros_but_not_where_they_are_declared(self):
        text = "#define W(a) sin(a)\nfloat cos(float x) { return sin(cos(x)); }"
        changed = arithmetic.with_calls_changed(text, {"sin": "* 2.0", "cos": "* 3.0"})
        self.assertEqual(changed, "#define W(a) (sin(a) * 2.0)\nfloat cos(float x) { return (sin(cos(x)) * 2.0); }")

    def test_products_keep_their_assignments(self):
        self.assertEqual(arithmetic.with_products_changed("a *= b / c;", "k"), "a *= k * b * k / c;")

    def test_products_of_integers_and_macros_can_be_spared(self):
        text = "#define A(x) x * 2.0\nint n = a * b;\nfloat f = g / h;"
        self.assertEqual(
            arithmetic.with_products_changed(text, "k", {2}), "#define A(x) x * k * 2.0\nint n = a * b;\nfloat f = g * k / h;"
        )
        self.assertEqual(arithmetic.with_products_changed(text, "k", {arithmetic.MACROS, 2, 3}), text)

    def test_a_product_of_integers_hides_no_other_product(self):
        text = (
            "#define TWICE(x) (x * 2)\nvoid mainImage(out vec4 color, in vec2 position) {\nint n = TWICE(int(position.x) + 40);\n"
            "int m = n * 3;\ncolor = vec4(fract(float(m) * 1.0e4 / 7.0)); }"
        )
        self.assertEqual(self._verdict(text, 0.3).status, "unstable")

    def test_what_hangs_on_the_place_of_quads_is_unstable(self):
        text = "void mainImage(out vec4 color, in vec2 p) { color = vec4(abs(dFdx(mod(floor(p.x), 4.0))) / 3.0); }"
        self.assertEqual(self._verdict(text, 0.5).status, "unstable")

    def test_what_nothing_moves_differs(self):
        text = "void mainImage(out vec4 color, in vec2 p) { color = vec4(dFdx(p.x) * 0.5); }"
        self.assertEqual(self._verdict(text, 0.25).status, "differs")

    def _verdict(self, text, level):
        """What is said of a picture of one level."""
        worker = _Worker()
        job = Job(text, SIZE, SIZE)
        colors, _ = worker.render(job)
        actual = pictures.to_8_bits(numpy.full((SIZE, SIZE, 4), level))
        actual[:, :, 3] = 255
        return judge(worker, job, colors, actual, Limits())

    def test_garbage_reaches_variables_arrays_and_outputs_but_no_members(self):
        text = "struct S { float m; };\nvoid f(out vec2 o) { float a, b = 1.0; int i[2]; }"
        expected = (
            "struct S { float m; };\nvoid f(out vec2 o) { o = vec2(0.5); float a = float(0.5), b = 1.0; int i[2]; "
            "for (int w = 0; w < (2); w++) i[w] = int(3); }"
        )
        self.assertEqual(_renamed(undefined.with_garbage(text, 0.5)), expected)

    def test_indices_are_replaced_where_arrays_are_read_but_not_where_they_are_declared(self):
        text = "float a[3]; const int b[2] = int[2](0, 1); vec3 v; float c = a[b[i]] + v[i];"
        expected = (
            "float a[3]; const int b[2] = int[2](0, 1); vec3 v; "
            "float c = a[clamp(int(b[clamp(int(i), 0, b.length() - 1)]), 0, a.length() - 1)] + v[i];"
        )
        self.assertEqual(undefined.with_indices(text, undefined.NEAREST_ELEMENT), expected)

    def test_a_list_names_channels_and_samplers(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.glsl").write_text("vec4 c = texture(iChannel0, p) + texture(iChannel1, p);")
            listing = Path(folder) / "list.tsv"
            listing.write_text("path\tchannels\tdialect\na.glsl\t0:texture[mipmap,repeat,novflip] 1:keyboard\tshadertoy\n")
            (entry,) = corpus.entries([listing], {})
        self.assertEqual(entry.channels[0], ("texture", Sampler("mipmap", "repeat", False)))
        self.assertEqual(entry.unsupported([]), ["keyboard"])
        self.assertEqual(entry.unsupported(["keyboard"]), [])


class _Worker:
    """Renders in this process what a worker renders in a child."""

    def __init__(self):
        self.renderer = Renderer()

    def render(self, job):
        try:
            return self.renderer.render(job)
        except CompileError as error:
            raise RenderError(str(error)) from None


def _bilinear(texels, size):
    """Reads repeating `texels` at the pixel centres of a picture of `size` pixels a side."""
    count = texels.shape[0]
    position = (numpy.arange(size) + 0.5) / size * count - 0.5
    low = numpy.floor(position).astype(int)
    part = position - low
    rows = texels[low % count] * (1 - part)[:, None, None] + texels[(low + 1) % count] * part[:, None, None]
    return rows[:, low % count] * (1 - part)[None, :, None] + rows[:, (low + 1) % count] * part[None, :, None]


def _renamed(text):
    words = sorted(word for word in tokens.words(text) if word.startswith("witness_index_"))
    for word in words:
        text = text.replace(word, "w")
    return text


if __name__ == "__main__":
    unittest.main()
