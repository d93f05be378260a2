// One mipmap level below the other, from level 0 at the bottom.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    int level = int(fragCoord.y);
    fragColor = texelFetch(iChannel0, ivec2(int(fragCoord.x) >> level, 0), level);
}
