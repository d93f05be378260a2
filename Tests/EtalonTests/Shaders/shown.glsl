#iChannel1 "file://counting.glsl"

void mainImage(out vec4 color, in vec2 position) { color = texture(iChannel1, position / iResolution.xy).grba; }
