struct Ray { vec3 origin; float reach[4]; };
float global;
vec3 read() { Ray ray; return ray.origin + ray.reach[2] + global; }
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float sum;
    vec3 color;
    for (int i; i < 4; i++) sum += 0.25;
    fragColor.rgb += color + read() + vec3(sum, 0.0, 0.0);
}
