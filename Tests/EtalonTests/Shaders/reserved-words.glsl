// All of these are names in GLSL ES 3.00, and keywords or functions of a later GLSL.
struct buffer { float shared; };
float sample(float precise) { return precise * 0.5; }
float fma(float resource, float patch) { return resource + patch; }
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    buffer subroutine = buffer(1.0);
    float saturate = sample(subroutine.shared);
    float half4 = fma(0.25, saturate);
    fragColor = vec4(saturate, half4, 0.0, 1.0);
}
