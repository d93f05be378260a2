/// A commented filter to start from.
package enum FilterTemplate: String, Sendable, Hashable, CaseIterable {
  case color, warp, image, compute, generator, transition
  case shaderToy = "shadertoy"
  case isf

  /// The names of its image inputs.
  var inputs: [String] {
    switch self {
    case .color, .warp, .image, .compute, .isf: ["inputImage"]
    case .generator, .shaderToy: []
    case .transition: ["startImage", "endImage"]
    }
  }

  /// The extension of the file, which tells people the dialect.
  var fileExtension: String { self == .isf ? "fs" : "glsl" }

  /// The text of the filter file.
  var text: String {
    switch self {
    case .color: Self.colorText
    case .warp: Self.warpText
    case .image: Self.imageText
    case .compute: Self.computeText
    case .generator: Self.generatorText
    case .transition: Self.transitionText
    case .shaderToy: Self.shaderToyText
    case .isf: Self.isfText
    }
  }
}

// MARK: pixel by pixel

extension FilterTemplate {
  private static let colorText = """
    /*{
      "ETALON": 1,
      "DESCRIPTION": "Tints the picture.",
      "CATEGORIES": ["color"],
      "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image" },
        { "NAME": "tint", "TYPE": "color", "DEFAULT": "#ffb040", "HELP": "The color that white becomes." },
        { "NAME": "amount", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "IDENTITY": 0, "HELP": "How much of it is seen." }
      ]
    }*/

    // A color kernel turns the color of one pixel into another one. It sees no other pixels, so that it costs next to nothing in a chain.
    //
    // 'color' is premultiplied: color.rgb is already multiplied by color.a. Colors of parameters are straight.
    // In scope: TIME, FRAMEINDEX, PROGRESS, RENDERSIZE, and POSITION, the place of the pixel with the origin at the bottom left.

    vec4 colorKernel(vec4 color) {
      vec3 tinted = color.rgb * tint.rgb;
      return vec4(mix(color.rgb, tinted, amount * tint.a), color.a);
    }

    """

  private static let warpText = """
    /*{
      "ETALON": 1,
      "DESCRIPTION": "Bends the picture in waves.",
      "CATEGORIES": ["distortion"],
      "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "clamp" },
        { "NAME": "height", "TYPE": "float", "MIN": 0, "MAX": 100, "DEFAULT": 8, "IDENTITY": 0, "UNIT": "px", "HELP": "How far pixels move." },
        { "NAME": "wavelength", "TYPE": "float", "MIN": 4, "MAX": 1000, "DEFAULT": 32, "UNIT": "px", "HELP": "From wave to wave." }
      ],
      "REACH": "height"
    }*/

    // A warp kernel returns where to read the picture, in pixels with the origin at the bottom left.
    // "ADDRESS" says what lies beyond the edge: clamp, repeat, mirror, transparent, or a color.
    // "REACH" says how far from its place a kernel reads, so that no more than that has to be rendered.

    vec2 warpKernel(vec2 position) {
      float phase = 6.2831853 * (position.y / wavelength + TIME);
      return position + vec2(height * sin(phase), 0.0);
    }

    """

  private static let generatorText = """
    /*{
      "ETALON": 1,
      "DESCRIPTION": "Paints soft rings around a point.",
      "CATEGORIES": ["generator"],
      "INPUTS": [
        { "NAME": "center", "TYPE": "point2D", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized", "HELP": "Where they begin." },
        { "NAME": "spacing", "TYPE": "float", "MIN": 2, "MAX": 500, "DEFAULT": 16, "UNIT": "px", "HELP": "From ring to ring." },
        { "NAME": "color", "TYPE": "color", "DEFAULT": "#ffffff" }
      ]
    }*/

    // A generator reads no picture, so its kernel has no argument. POSITION is the place of the pixel, with the origin at the bottom left.
    // The result is premultiplied: multiply the color by its alpha.

    vec4 colorKernel() {
      float radius = distance(POSITION, center * RENDERSIZE);
      float alpha = color.a * (0.5 + 0.5 * cos(6.2831853 * (radius / spacing - TIME)));
      return vec4(color.rgb * alpha, alpha);
    }

    """

  private static let transitionText = """
    /*{
      "ETALON": 1,
      "DESCRIPTION": "Wipes from one picture to another.",
      "CATEGORIES": ["wipe"],
      "INPUTS": [
        { "NAME": "startImage", "TYPE": "image" },
        { "NAME": "endImage", "TYPE": "image" },
        { "NAME": "progress", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0 },
        { "NAME": "softness", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.1, "HELP": "The width of the edge, as a part of the picture." }
      ]
    }*/

    // A transition shows exactly the first picture at progress 0, and exactly the second one at 1.
    // Unless it is set, progress runs from 0 to 1 over the rendered frames.

    vec4 colorKernel(vec4 from, vec4 to) {
      float edge = progress * (1.0 + softness);
      float shown = clamp((edge - POSITION.x / RENDERSIZE.x) / max(softness, 0.0001), 0.0, 1.0);
      return mix(from, to, shown);
    }

    """
}

// MARK: areas

extension FilterTemplate {
  private static let imageText = """
    /*{
      "ETALON": 1,
      "DESCRIPTION": "Blurs the picture with a small box.",
      "CATEGORIES": ["blur"],
      "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "clamp" },
        { "NAME": "radius", "TYPE": "int", "MIN": 0, "MAX": 16, "DEFAULT": 2, "IDENTITY": 0, "UNIT": "px", "HELP": "Half the side of the box." }
      ],
      "REACH": "radius"
    }*/

    // An image kernel computes a pixel from any pixels of its inputs. Positions are in pixels, with the origin at the bottom left.
    //
    //   IMG_PIXEL(image, position)       a color, interpolated between pixels
    //   IMG_NORM_PIXEL(image, uv)        the same with 0 to 1 over the picture
    //   IMG_THIS_PIXEL(image)            the color at this place
    //   IMG_LOAD(image, ivec2)           one pixel as it is
    //   IMG_SIZE(image)                  its size in pixels
    //   IMG_INSIDE(image, position)      whether a position lies inside of it
    //
    // "REACH" says how far from its place a kernel reads, so that no more than that has to be rendered.

    vec4 imageKernel(vec2 position) {
      vec4 sum = vec4(0.0);
      for (int y = -radius; y <= radius; y++) {
        for (int x = -radius; x <= radius; x++) sum += IMG_PIXEL(inputImage, position + vec2(x, y));
      }
      float side = float(2 * radius + 1);
      return sum / (side * side);
    }

    """

  private static let computeText = """
    /*{
      "ETALON": 1,
      "DESCRIPTION": "Paints tiles of 16 by 16 pixels in their average color.",
      "CATEGORIES": ["stylize"],
      "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "clamp" },
        { "NAME": "amount", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0, "HELP": "How much of the tiles is seen." }
      ],
      "PASSES": [{ "KERNEL": "average", "LOCAL_SIZE": [16, 16] }]
    }*/

    // A compute kernel runs for whole workgroups, also where they reach beyond the picture: there, reads obey "ADDRESS", and stores do nothing.
    // That is why barrier() may stand anywhere outside of conditions. LOCAL_INDEX counts the invocations of a workgroup.

    shared vec4 colors[256];

    void average(ivec2 position) {
      vec4 own = IMG_LOAD(inputImage, position);
      colors[LOCAL_INDEX] = own;
      barrier();
      for (int count = 128; count > 0; count /= 2) {
        if (LOCAL_INDEX < count) colors[LOCAL_INDEX] += colors[LOCAL_INDEX + count];
        barrier();
      }
      IMG_STORE(outputImage, position, mix(own, colors[0] / 256.0, amount));
    }

    """

  private static let shaderToyText = """
    // A ShaderToy shader. Constants at the top can be set from outside: etalon render … --set SPEED=4
    #define SPEED 2.0
    #define RINGS 24.0

    // fragCoord is the place of the pixel, with the origin at the bottom left; the first pixel is at 0.5, 0.5.
    // In scope: iTime, iFrame, iResolution, iMouse, iDate, and pictures as iChannel0 to iChannel3.

    void mainImage(out vec4 fragColor, in vec2 fragCoord) {
      vec2 p = (fragCoord - 0.5 * iResolution.xy) / iResolution.y;
      vec3 color = 0.5 + 0.5 * cos(RINGS * length(p) - SPEED * iTime + vec3(0.0, 2.0, 4.0));
      fragColor = vec4(color, 1.0);
    }

    """

  private static let isfText = """
    /*{
      "ISFVSN": "2",
      "DESCRIPTION": "Moves the color channels apart.",
      "CREDIT": "",
      "CATEGORIES": ["Glitch"],
      "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image" },
        { "NAME": "shift", "LABEL": "Shift", "TYPE": "float", "MIN": 0.0, "MAX": 0.1, "DEFAULT": 0.01 }
      ]
    }*/

    // An ISF filter, which many hosts understand. isf_FragNormCoord runs from 0 to 1 over the picture, with the origin at the bottom left.
    // In scope: TIME, TIMEDELTA, FRAMEINDEX, DATE, RENDERSIZE, PASSINDEX.

    void main() {
      vec2 uv = isf_FragNormCoord;
      vec4 here = IMG_NORM_PIXEL(inputImage, uv);
      float red = IMG_NORM_PIXEL(inputImage, uv - vec2(shift, 0.0)).r;
      float blue = IMG_NORM_PIXEL(inputImage, uv + vec2(shift, 0.0)).b;
      gl_FragColor = vec4(red, here.g, blue, here.a);
    }

    """
}
