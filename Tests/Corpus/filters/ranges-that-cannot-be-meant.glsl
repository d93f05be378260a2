// What editors and comments declare about values, and what cannot be meant.
#iUniform float above = 5.0 in { 0.0, 1.0 }
#iUniform float half_given = 0.5 in { 0.0 }
#iUniform int backwards = 1 in { 3, 1 }
#iUniform float still = 0.5 in { 0.0, 1.0 } step 0
#iUniform float between = 0.55 in { 0.0, 1.0 } step 0.1
uniform float loud = 1.5; // Gain, max=1.
uniform float late; // min=2., max=3.
uniform float worded = 0.5; // Gain, min=none, max=1.
uniform vec3 tint = vec3(0.5); // Tint, max=vec2(1.0)
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = vec4(tint, 1.0) * above * half_given * float(backwards) * still * between * loud * late * worded;
}
