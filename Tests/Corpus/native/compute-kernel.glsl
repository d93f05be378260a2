/*{ "ETALON": 1,
  "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "gain", "TYPE": "float", "DEFAULT": 1 }],
  "BUFFERS": [{ "NAME": "bins", "TYPE": "uint", "COUNT": 256 }, { "NAME": "sums", "TYPE": "vec4", "COUNT": "ceil(width / 16.0)", "PERSISTENT": true }],
  "OUTPUTS": ["picture", { "NAME": "mask", "FORMAT": "r8", "SCALE": 0.5 }],
  "PASSES": [
    { "KERNEL": "count", "LOCAL_SIZE": [8, 8], "WRITES": [], "TARGET": "small", "SCALE": "1/4", "FORMAT": "rgba8" },
    { "KERNEL": "reduce", "LOCAL_SIZE": [64], "DISPATCH": ["ceil(width / 64)", 2], "WRITES": ["mask"], "ITERATIONS": 3 },
    { "KERNEL": "show" }
  ] }*/
shared uint local[64];
shared vec4 colors[64];

uint level(vec4 color) { return uint(clamp(dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)) * 255.0, 0.0, 255.0)); }

void count(ivec2 position) {
  local[LOCAL_INDEX] = level(IMG_LOAD(inputImage, position * 4));
  barrier();
  if (IMG_INSIDE(inputImage, position * 4)) atomicAdd(bins[local[63 - LOCAL_INDEX]], 1u);
  IMG_STORE(small, position, vec4(local[LOCAL_INDEX]) / 255.0);
}

void reduce(ivec2 position) {
  colors[LOCAL_INDEX] = IMG_THIS_PIXEL(small) * float(ITERATION);
  barrier();
  sums[position.x / 16] += colors[63 - LOCAL_INDEX];
  IMG_STORE(mask, position, vec4(PASSINDEX));
}

vec4 show(vec2 position) {
  float height = float(bins[int(position.x / RENDERSIZE.x * 255.0)]) * gain;
  return vec4(step(position.y, height)) + sums[0] + textureLod(mask, position / RENDERSIZE, 0.0);
}
