// What hosts read from comments and directives behind declarations.
uniform float radius = 0.5; // Radius (Half the width of the ring.), min=0., max=2.
uniform vec2 speed = vec2(0.2, 0.4); // Speed (How fast it moves.)
uniform int samples = 10; /* Samples, min=2, max=64, step=2 */
uniform vec3 tint = vec3(1.0, 0.5, 0.0); // Tint, min=0., max=1.
uniform bool inverted = false; // Inverted
uniform float depth; //focal distance, in meters
uniform float wrong = 3.0; // Wrong, min=0., max=2.
#iUniform float roughness = 0.25 in { 0.01, 1.0 } step 0.01
#iUniform float size = 8.0 in { 0.5, 15.0 } step 0.5
uniform float a = 1.0, b = 2.0; // Two of a kind, max=4
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = vec4(radius, speed, 1.0) * float(samples) * roughness * size * depth * wrong * a * b;
  fragColor.rgb *= inverted ? 1.0 - tint : tint;
}
