// An argument of a call is no declaration, although a type and commas stand in front of it.
vec4 tint(vec2 u) { return vec4(iTime, iBlub, 1, 1); }
vec4 shade(vec2 u) { vec4 s = vec4(u, iBlab, 1); return s; }
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    fragColor = tint(fragCoord) + shade(fragCoord);
}
