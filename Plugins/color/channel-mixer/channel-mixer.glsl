/*{
  "ETALON": 1,
  "DESCRIPTION": "Mixes each channel of a picture out of the three, and can keep white as it is.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "red", "TYPE": "vec3", "LABEL": "Red", "MIN": -2, "MAX": 2, "DEFAULT": [1, 0, 0], "IDENTITY": [1, 0, 0],
      "HELP": "How much of red, green and blue the new red has." },
    { "NAME": "green", "TYPE": "vec3", "LABEL": "Green", "MIN": -2, "MAX": 2, "DEFAULT": [0, 1, 0], "IDENTITY": [0, 1, 0],
      "HELP": "How much of red, green and blue the new green has." },
    { "NAME": "blue", "TYPE": "vec3", "LABEL": "Blue", "MIN": -2, "MAX": 2, "DEFAULT": [0, 0, 1], "IDENTITY": [0, 0, 1],
      "HELP": "How much of red, green and blue the new blue has." },
    { "NAME": "monochrome", "TYPE": "bool", "LABEL": "Monochrome", "DEFAULT": false,
      "HELP": "Whether all channels become what 'red' says, as a black and white picture." },
    { "NAME": "keepWhite", "TYPE": "bool", "LABEL": "Keep white", "DEFAULT": false,
      "HELP": "Whether the numbers of a channel are divided by their sum, so that grays stay as they are." }
  ]
}*/

/// The weights of a channel; those whose sum is about 0 or less cannot be divided by it.
vec3 weights(vec3 channel) {
  float sum = channel.r + channel.g + channel.b;
  return keepWhite && sum > 0.01 ? channel / sum : channel;
}

vec4 colorKernel(vec4 color) {
  float gray = dot(color.rgb, weights(red));
  if (monochrome) return vec4(vec3(gray), color.a);
  return vec4(gray, dot(color.rgb, weights(green)), dot(color.rgb, weights(blue)), color.a);
}
