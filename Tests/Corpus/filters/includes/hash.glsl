#pragma once
#define HASH_SCALE 43758.5453
float hash(float n) { return fract(sin(n) * HASH_SCALE); }
