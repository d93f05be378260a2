float tree(float x, int depth)
{
    if (depth == 0) return x;
    return tree(x * 0.5, depth - 1);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    fragColor = vec4(tree(uv.x, 4));
}
