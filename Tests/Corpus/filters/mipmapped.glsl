// --sampler iChannel0=mipmap,repeat iChannel1=nearest,clamp,novflip
#define READ(p) texture(iChannel0, p)

vec4 blurred(sampler2D image, vec2 p) { return texture(image, p, 2.0); }

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = fragCoord / iResolution.xy;
  fragColor = READ(uv) + blurred(iChannel1, uv) + texture(iChannel1, uv);
  fragColor += textureOffset(iChannel0, uv, ivec2(1, 0)) + textureOffset(iChannel0, uv, ivec2(-1, 0), 1.0);
  fragColor += textureProj(iChannel0, vec3(uv, 1.0)) + textureLod(iChannel0, uv, 3.0) + texelFetch(iChannel1, ivec2(0), 0);
}
