extension FilterTemplate {
  static let imageText = """
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

  static let computeText = """
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

  static let shaderToyText = """
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

  static let isfText = """
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
