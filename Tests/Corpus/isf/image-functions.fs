/*{ "ISFVSN": "2", "INPUTS": [ { "NAME": "inputImage", "TYPE": "image" }, { "NAME": "sample", "TYPE": "image" } ] }*/
#define READ(image, p) IMG_NORM_PIXEL(image, p)
vec4 blurred(sampler2D image, vec2 p) { return IMG_PIXEL(image, p) + IMG_PIXEL(image, p + 1.0, 2.0); }
void main() {
  vec2 p = isf_FragNormCoord;
  vec4 sum = READ(inputImage, p) + IMG_NORM_PIXEL(sample, p, 0.5) + IMG_THIS_PIXEL(sample) + IMG_THIS_NORM_PIXEL(inputImage);
  sum += IMG_NORM_THIS_PIXEL(inputImage) + blurred(sample, gl_FragCoord.xy) + texture2DRect(sample, p);
  sum.xy += IMG_SIZE(inputImage) + _inputImage_imgRect.zw + _sample_imgSize;
  gl_FragColor = _sample_flip ? sum : sum.bgra;
}
