// Arms that nothing but uniforms decide, each with values that the whole frame shares.
uniform int path = 0;
uniform float amount = 0.25;

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float a = 0.0, b = 0.0, d = 0.0;
    if (path == 0)
    {
        a = 0.25;
        b = 1.0 - a;
    }
    else
    {
        a = (path == 1 || path == 2) ? 0.0 : 1.0 - amount;
        d = (path == 1 || path == 3) ? 1.0 - amount : 0.0;
        b = (path == 1 || path == 2) ? amount : 1.0;
    }
    fragColor = vec4(a, b, d, 1.0);
}
