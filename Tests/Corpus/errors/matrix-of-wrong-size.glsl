void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 uv = fragCoord / iResolution.xy;
    mat2 turn = mat2(0.0, 1.0, -1.0, 0.0);
    vec3 p = turn * vec3(uv, 1.0);
    fragColor = vec4(p, 1.0);
}
