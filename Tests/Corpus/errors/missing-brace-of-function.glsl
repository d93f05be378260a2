float circle(vec2 p)
{
    return length(p) - 0.5;

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    fragColor = vec4(circle(fragCoord));
}
