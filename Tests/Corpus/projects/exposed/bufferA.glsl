const vec3 TINT = vec3(1.0, 0.5, 0.25);
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = vec4(TINT * sin(iTime * SPEED), HALF_SPEED);
}
