void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  fragColor = iMouse + iDate + vec4(iResolution, iTime) + vec4(iTimeDelta, iFrameRate, iFrame, iSampleRate);
  fragColor += vec4(iChannelResolution[3], iChannelTime[2]) + float(HW_PERFORMANCE);
}
