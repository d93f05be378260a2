// The trail of the ball, which fades: what glowed before, and a stroke from where the ball was to where it is.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = onBoard(fragCoord, iResolution.xy);
    vec4 ball = texelFetch(iChannel0, BALL, 0);
    vec2 line = -STEP * PACE * ball.zw;
    float along = clamp(dot(p - ball.xy, line) / max(dot(line, line), 1e-6), 0.0, 1.0);
    float reach = length(p - ball.xy - along * line) / RADIUS;
    float trail = iFrame == 0 ? 0.0 : 0.93 * texture(iChannel1, fragCoord / iResolution.xy).x;
    fragColor = vec4(max(trail, exp(-1.5 * reach * reach)), 0.0, 0.0, 1.0);
}
