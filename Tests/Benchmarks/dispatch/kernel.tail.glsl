
void main()
{
    ivec2 size = ivec2(iResolution.xy);
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (pixel.x >= size.x || pixel.y >= size.y) return;
    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
    mainImage(color, vec2(pixel.x, size.y - 1 - pixel.y) + 0.5);
    pixels[pixel.y * size.x + pixel.x] = packUnorm4x8(vec4(color.rgb, 1.0));
}
