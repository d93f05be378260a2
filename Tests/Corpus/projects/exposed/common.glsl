#define SPEED 2.0 // read everywhere
const float HALF_SPEED = SPEED * 0.5;
const int COUNT = 4, OTHER = 5;
