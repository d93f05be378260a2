// Halves between the steps of 8 or 16 bits, times numbers that no device rounds differently.
#define STEPS 255.0
const float STEP = 1.0 / STEPS;
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    fragColor = vec4((floor(fragCoord.x) + 0.5) * STEP, 0.0, 0.0, 1.0);
}
