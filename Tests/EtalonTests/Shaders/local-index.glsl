// Reads and writes far outside of a local array, at places that only the device knows.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float values[4];
    for (int i = 0; i < 4; i++) values[i] = 0.5;
    int far = int(fragCoord.x) * 1000003 + 4;
    values[far] = 0.5;
    values[-far] = 0.5;
    fragColor = vec4(values[far], values[-far], 0.5, 1.0);
}
