void mainImage(vec4 fragColor, vec2 fragCoord) { fragColor = vec4(1.0); }
