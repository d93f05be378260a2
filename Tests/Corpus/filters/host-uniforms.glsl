// --set iTimeCursorChange=1.5
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  fragColor = iCurrentCursor / iResolution.xyxy * (iTime - iTimeCursorChange);
}
