// A difference within a quad of x² is 2x + 2 with the even x of the quad.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 square = fragCoord * fragCoord;
    vec2 slope = vec2(dFdx(square.x), dFdy(square.y));
    fragColor = vec4(slope / 255.0, fwidth(square.x + square.y) / 510.0, 1.0);
}
