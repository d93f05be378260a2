#define HEIGHT 0.42
// How many rows of hills there are, and how many frames it takes until the next one comes.
#define LINES 36
#define PACE 3
const float REACH = 0.7;
