const float SPEED = 2.0;

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    SPEED = 3.0;
    fragColor = vec4(uv, SPEED, 1.0);
}
