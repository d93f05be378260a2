// The picture of the sound, pixel for pixel; the last rows show the clocks.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec4 clocks = vec4(iChannelTime[0], iSampleRate / 48000.0 / 2.0, iChannelResolution[0].y / 4.0, 1.0);
    fragColor = fragCoord.y < 2.0 ? texelFetch(iChannel0, ivec2(fragCoord), 0) : clocks;
}
