// What has no place between 0 and 1; the zero is not known to a compiler.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float zero = iTime;
    float n[6];
    n[0] = zero / zero;
    n[1] = 1.0 / zero;
    n[2] = -1.0 / zero;
    n[3] = 1.5;
    n[4] = -0.5;
    n[5] = 1e30;
    fragColor = vec4(vec3(n[int(fragCoord.x)]), 1.0);
}
