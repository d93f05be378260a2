// The hills: the row at the bottom hears the music now, and every few frames each row goes one up.
// In x is how loud a frequency was; low ones are in the middle and high ones at both sides.
// The bottom row also keeps the sound's wave (y) and how loud the bass is (z).
float bass()
{
    float sum = 0.0;
    for (int i = 0; i < 8; i++) sum += texelFetch(iChannel0, ivec2(4 + 3 * i, 0), 0).x;
    return sum / 8.0;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    ivec2 at = ivec2(fragCoord);
    fragColor = vec4(0.0);
    if (at.y >= LINES) return;
    bool goesOn = iFrame % PACE == 0;
    if (at.y == 0)
    {
        float across = abs(2.0 * fragCoord.x / iResolution.x - 1.0);
        float band = REACH * across * across * 0.9 + 0.01 + 0.06 * across;
        float loud = 0.0;
        for (int i = -3; i <= 3; i++) loud += texelFetch(iChannel0, ivec2(clamp(int(512.0 * band) + i, 0, 511), 0), 0).x;
        loud = max(loud / 7.0 - 0.25, 0.0) / 0.75;
        float now = loud * loud * (1.0 + 0.8 * across) * (1.0 - smoothstep(0.8, 1.0, across));
        // A row that stays takes the loudest that it has heard.
        float before = iFrame == 0 || goesOn ? 0.0 : texelFetch(iChannel1, at, 0).x;
        fragColor = vec4(max(now, before), texelFetch(iChannel0, ivec2(int(512.0 * fragCoord.x / iResolution.x), 1), 0).x - 0.5, bass(), 1.0);
        return;
    }
    if (iFrame > 0) fragColor = texelFetch(iChannel1, goesOn ? at - ivec2(0, 1) : at, 0);
}
