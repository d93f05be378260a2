vec4 transition(vec2 uv) { return mix(getFromColor(uv), getToColor(uv), progress); }

void mainImage(out vec4 fragColor, in vec2 fragCoord) { fragColor = vec4(1.0); }
