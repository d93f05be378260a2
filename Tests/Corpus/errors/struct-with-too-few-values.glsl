struct Ray
{
    vec3 origin;
    vec3 direction;
};

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    Ray r = Ray(vec3(uv, 1.0));
    fragColor = vec4(r.direction, 1.0);
}
