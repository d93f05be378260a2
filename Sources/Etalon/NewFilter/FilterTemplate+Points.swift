extension FilterTemplate {
  static let colorText = """
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

  static let warpText = """
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

  static let generatorText = """
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

  static let transitionText = """
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
