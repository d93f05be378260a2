void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = fragCoord / iCh1.size.xy;
  fragColor = iCh1.loaded == 1 ? texture(iCh1.sampler, uv) : vec4(iCh2.time);
  st_assert(uv.x < 1.0, 2);
}
