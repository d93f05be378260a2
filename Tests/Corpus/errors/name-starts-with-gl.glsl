void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    float gl_depth = uv.x;
    fragColor = vec4(gl_depth);
}
