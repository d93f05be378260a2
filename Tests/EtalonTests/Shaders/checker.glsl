void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 cell = floor(fragCoord / 8.0);
    fragColor = vec4(vec3(mod(cell.x + cell.y, 2.0)), 1.0);
}
