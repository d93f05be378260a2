void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    switch (uv.x) {
        case 0: uv = vec2(0.0); break;
    }
    fragColor = vec4(uv, 0.0, 1.0);
}
