uniform float iTime;
float iMouse = 1.0;

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    fragColor = vec4(uv, iTime, 1.0);
}
