void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float3 color = float3(uv, 0.5);
    fragColor = float4(color, 1.0);
}
