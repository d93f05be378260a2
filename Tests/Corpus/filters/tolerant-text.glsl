// Grüße — a byte order mark, CRLF and characters outside ASCII
#define SUM(a, b) \
  ((a) + \
   (b))
#line 7
void mainImage( out vec4 fragColor, vec2 fragCoord) {
  /* → two
     lines */
  fragColor = vec4(SUM(fragCoord.x, 0.5)); 
#if 0
  it’s switched off
#endif
}