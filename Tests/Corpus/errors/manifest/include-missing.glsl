#include "nowhere.glsl"
