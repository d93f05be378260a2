float hash(float n)
{
    return fract(sin(n) * 43758.5453);
}

float hash(float p)
{
    return fract(p * 17.0);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    fragColor = vec4(hash(1.0));
}
