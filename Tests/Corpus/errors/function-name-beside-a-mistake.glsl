#define APPLY(f, x) f(x)

vec3 tint(vec3 color)
{
    return color * vec3(1.0, 0.9, 0.8);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    fragColor = vec4(APPLY(tint, vec3(1.0)), 1.0) * mix(1.0, 2.0);
    for (float i = 0.0, step = light(fragCoord); i < 1.0; i += step)
    {
        fragColor += 0.1;
    }
}
