// Gray and Scott's model: x is the food, y the substance that eats it.
#define FEED 0.037
#define KILL 0.060
const vec2 SPREAD = vec2(0.21, 0.105);

vec2 neighbor(sampler2D state, ivec2 cell, ivec2 size)
{
    return texelFetch(state, (cell + size) % size, 0).xy;
}

// One step; the plane is closed to a torus.
vec2 react(sampler2D state, ivec2 cell)
{
    ivec2 size = textureSize(state, 0);
    vec2 now = texelFetch(state, cell, 0).xy;
    vec2 beside = neighbor(state, cell + ivec2(1, 0), size) + neighbor(state, cell - ivec2(1, 0), size)
                + neighbor(state, cell + ivec2(0, 1), size) + neighbor(state, cell - ivec2(0, 1), size);
    vec2 across = neighbor(state, cell + ivec2(1, 1), size) + neighbor(state, cell + ivec2(1, -1), size)
                + neighbor(state, cell + ivec2(-1, 1), size) + neighbor(state, cell - ivec2(1, 1), size);
    vec2 flow = 0.2 * beside + 0.05 * across - now;
    float eaten = now.x * now.y * now.y;
    vec2 next = now + 4.0 * SPREAD * flow + vec2(FEED * (1.0 - now.x) - eaten, eaten - (FEED + KILL) * now.y);
    return clamp(next, 0.0, 1.0);
}
