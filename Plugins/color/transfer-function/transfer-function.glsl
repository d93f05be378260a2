/*{
  "ETALON": 1,
  "DESCRIPTION": "Changes how light is encoded as numbers: sRGB, Rec. 709, gamma, PQ, HLG, or not at all.",
  "CREDIT": "IEC 61966-2-1; ITU-R BT.709 and BT.1886; SMPTE ST 2084 and ITU-R BT.2100; SMPTE RP 431-2 (gamma 2.6).",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "from", "TYPE": "long", "LABEL": "From", "VALUES": [0, 1, 2, 3, 4, 5, 6, 7],
      "LABELS": ["linear", "srgb", "rec709", "gamma22", "gamma24", "gamma26", "pq", "hlg"], "DEFAULT": 1, "HELP": "How the picture is encoded." },
    { "NAME": "to", "TYPE": "long", "LABEL": "To", "VALUES": [0, 1, 2, 3, 4, 5, 6, 7],
      "LABELS": ["linear", "srgb", "rec709", "gamma22", "gamma24", "gamma26", "pq", "hlg"], "DEFAULT": 0, "HELP": "How the result is." },
    { "NAME": "white", "TYPE": "float", "LABEL": "White", "MIN": 1, "MAX": 10000, "DEFAULT": 203,
      "HELP": "What PQ takes for the light of 1, in candela per square meter." }
  ]
}*/

const float m1 = 2610.0 / 16384.0, m2 = 2523.0 / 32.0, c1 = 3424.0 / 4096.0, c2 = 2413.0 / 128.0, c3 = 2392.0 / 128.0;
const float a = 0.17883277, b = 0.28466892, c = 0.55991073;

/// The exponent of the functions that are a power alone.
float exponent(int kind) { return kind == 3 ? 2.2 : kind == 4 ? 2.4 : 2.6; }

vec3 decoded(vec3 x) {
  switch (from) {
    case 0: return x;
    case 1: return mix(pow((x + 0.055) / 1.055, vec3(2.4)), x / 12.92, lessThanEqual(x, vec3(0.04045)));
    case 2: return mix(pow((x + 0.099) / 1.099, vec3(1.0 / 0.45)), x / 4.5, lessThan(x, vec3(0.081)));
    case 6: {
      vec3 root = pow(min(x, 1.0), vec3(1.0 / m2));
      return pow(max(root - c1, 0.0) / (c2 - c3 * root), vec3(1.0 / m1)) * (10000.0 / white);
    }
    case 7: return mix((exp((min(x, 4.0) - c) / a) + b) / 12.0, x * x / 3.0, lessThanEqual(x, vec3(0.5)));
    default: return pow(x, vec3(exponent(from)));
  }
}

vec3 encoded(vec3 light) {
  switch (to) {
    case 0: return light;
    case 1: return mix(1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, light * 12.92, lessThanEqual(light, vec3(0.0031308)));
    case 2: return mix(1.099 * pow(light, vec3(0.45)) - 0.099, light * 4.5, lessThan(light, vec3(0.018)));
    case 6: {
      vec3 power = pow(light * (white / 10000.0), vec3(m1));
      return pow((c1 + c2 * power) / (1.0 + c3 * power), vec3(m2));
    }
    case 7: return mix(a * log(max(12.0 * light - b, 1e-6)) + c, sqrt(3.0 * light), lessThanEqual(light, vec3(1.0 / 12.0)));
    default: return pow(light, vec3(1.0 / exponent(to)));
  }
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  // Colors below 0 are treated as their mirror images.
  vec3 result = from == to ? straight : sign(straight) * encoded(decoded(abs(straight)));
  return vec4(result * color.a, color.a);
}
