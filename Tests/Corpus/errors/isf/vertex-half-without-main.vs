attribute vec3 position;
varying vec2 place;
void transform() { place = position.xy; }
