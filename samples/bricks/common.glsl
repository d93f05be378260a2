// The board is 16 wide and 9 high, whatever the picture is; the state of the game lies in a few pixels of a buffer.
#define PACE 1.0
#define PADDLE 0.16
#define COLUMNS 12
#define ROWS 6
const vec2 BOARD = vec2(16.0, 9.0);
const float RADIUS = 0.16;
const float PADDLE_Y = 0.7;
const float WIDTH = 16.0 * 0.5 * PADDLE;
const float STEP = 1.0 / 60.0;

// Where things are kept. A brick is kept at its column and its row, above these.
const ivec2 BALL = ivec2(0, 0);      // place, velocity
const ivec2 GAME = ivec2(1, 0);      // place of the paddle, balls left, points, when it was last hit (in frames)
const ivec2 PLAYER = ivec2(2, 0);    // 1 once a key was pressed, how often the ball was served
const ivec2 WALL = ivec2(0, 1);

// The middle of a brick, and half of its size.
vec2 brickAt(ivec2 brick) { return vec2((float(brick.x) + 0.5) * BOARD.x / float(COLUMNS), 5.1 + 0.5 * float(brick.y)); }
const vec2 BRICK = vec2(0.62, 0.21);

vec3 colorOf(int row)
{
    float a = float(row) / float(ROWS - 1);
    return mix(mix(vec3(0.15, 0.75, 0.85), vec3(0.65, 0.30, 0.95), smoothstep(0.0, 0.5, a)), vec3(1.0, 0.35, 0.30), smoothstep(0.5, 1.0, a));
}

float hash(int a, int b)
{
    uint h = uint(a) * 2654435769u ^ uint(b) * 3332679571u;
    h = (h ^ (h >> 16)) * 2146121005u;
    h = (h ^ (h >> 15)) * 2221713035u;
    return float((h ^ (h >> 16)) >> 8) / 16777216.0;
}

// From the pixels of a picture to the board, which is as large as fits.
vec2 onBoard(vec2 at, vec2 resolution)
{
    float unit = min(resolution.x / BOARD.x, resolution.y / BOARD.y);
    return (at - 0.5 * resolution) / unit + 0.5 * BOARD;
}
