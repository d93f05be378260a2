uniform samplerCube u_cubeMap;
uniform int u_time;
uniform float u_spectrum[64];
uniform Light { vec4 color; } light;
void main() { gl_FragColor = textureCube(u_cubeMap, vec3(float(u_time), u_spectrum[0], 1.0)); }
