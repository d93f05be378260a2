// A rule says which numbers of living neighbors let a cell be born, and which let it live on: bit n stands for n neighbors.
//
//                      BIRTH               SURVIVAL               WITHER
//   Life               8   (3)             12  (2, 3)             0
//   High life          72  (3, 6)          12  (2, 3)             0
//   Day and night      456 (3, 6, 7, 8)    472 (3, 4, 6, 7, 8)    0
//   Maze               8   (3)             62  (1 to 5)           0
//   Brian's brain      4   (2)             0                      1
//   Star wars          4   (2)             56  (3, 4, 5)          2
#define BIRTH 8
#define SURVIVAL 12
// For how many steps a dead cell takes up its place, before another can be born there.
#define WITHER 0
// The side of a cell in pixels.
#define CELL 3
// How many frames a step takes.
#define PACE 4

ivec2 field(vec2 resolution) { return max(ivec2(resolution) / CELL, ivec2(1)); }
