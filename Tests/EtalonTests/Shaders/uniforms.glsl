// One number in each column of pixels: red is its magnitude, green its sign.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float n[24];
    n[0] = iResolution.x;
    n[1] = iResolution.y;
    n[2] = iResolution.z;
    n[3] = iTime * 24.0;
    n[4] = iTimeDelta * 240.0;
    n[5] = iFrameRate;
    n[6] = float(iFrame);
    n[7] = iMouse.x;
    n[8] = iMouse.y;
    n[9] = iMouse.z;
    n[10] = iMouse.w;
    n[11] = iDate.x - 2000.0;
    n[12] = iDate.y;
    n[13] = iDate.z;
    n[14] = floor(iDate.w / 3600.0);
    n[15] = mod(floor(iDate.w / 60.0), 60.0);
    n[16] = floor(mod(iDate.w, 60.0));
    n[17] = iSampleRate / 441.0;
    n[18] = iChannelResolution[0].x;
    n[19] = iChannelResolution[0].y;
    n[20] = iChannelResolution[0].z;
    n[21] = iChannelResolution[1].x;
    n[22] = iChannelTime[0];
    n[23] = texelFetch(iChannel0, ivec2(0), 0).r * 255.0;
    float value = n[int(fragCoord.x)];
    fragColor = vec4(abs(value) / 255.0, value < 0.0 ? 1.0 : 0.0, 0.0, 1.0);
}
