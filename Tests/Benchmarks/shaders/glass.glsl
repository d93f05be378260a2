// Glass: a rippled pane that bends every color differently; three channels from twelve reads.

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    vec2 slope = 0.012 * vec2(cos(40.0 * uv.x + 9.0 * uv.y + iTime), sin(35.0 * uv.y - 7.0 * uv.x + 0.7 * iTime));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        float bend = 0.6 + 0.2 * float(i);
        sum.r += texture(iChannel0, uv + bend * slope).r;
        sum.g += texture(iChannel0, uv + 1.15 * bend * slope).g;
        sum.b += texture(iChannel0, uv + 1.3 * bend * slope).b;
    }
    fragColor = vec4(0.25 * sum + 0.8 * slope.x, 1.0);
}
