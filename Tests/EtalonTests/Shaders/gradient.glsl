// Positions of pixel centres: red to the right, green upwards.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    fragColor = vec4(fragCoord / 256.0, 0.0, 1.0);
}
