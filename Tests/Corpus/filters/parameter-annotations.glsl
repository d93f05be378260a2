// What another host reads from the lines in front of declarations.
uniform float plain = 1.0;
//@uniform-group: color
//@uniform, min: 0.0, max: 1.0, step: 0.25, display-name: "How bright"
uniform float brightness = 0.5;
// @uniform, min: 0, max: 1000
uniform int count = 100;
//@uniform-group: shape, parent: color
uniform float radius = 0.25; // Radius, max=2.
//@uniform, type: linear-rgb
uniform vec4 tint = vec4(1.0);
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = tint * plain * brightness * float(count) * radius;
}
