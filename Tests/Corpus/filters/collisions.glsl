#define PI 3.14
#define PI 3.14159265
#define texture2D texture
#define PAIR(a, b) a b
#define ONE(a) a

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  PAIR(float v = PI;, ) ONE() v += 1.0;
  fragColor = texture2D(iChannel0, fragCoord * v);
}

void main() { vec4 color; mainImage(color, gl_FragCoord.xy); gl_FragColor = color; }
