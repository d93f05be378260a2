void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec4 a = vec4(fragCoord, fragCoord.yx) * 1e-3;
    for (int i = 0; i < 60000 + int(fragCoord.x); i++) {
        for (int j = 0; j < 64; j++) {
            a = fract(a * 1.37 + a.wxyz * 0.21);
            a = a * a.yzwx + 0.31;
        }
    }
    fragColor = a;
}
