#version 100
#extension GL_OES_standard_derivatives : enable
#ifdef GL_ES
precision highp float;
#endif
#if __VERSION__ >= 300
#define LEVEL 1.0
#else
#define LEVEL 0.0
#endif
#pragma optimize(off)

lowp float wave(const in highp vec2 p) { return sin(p.x + iGlobalTime) * LEVEL; }

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  mediump vec2 uv = fragCoord / iResolution.xy;
  fragColor = texture2D(iChannel0, uv + wave(uv)) + texture2DLodEXT(iChannel0, uv, 0.0);
}
