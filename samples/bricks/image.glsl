// Everything as if it were made of lamps: a light is a distance, and how far it reaches.
float box(vec2 p, vec2 size, float round)
{
    vec2 d = abs(p) - size + round;
    return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - round;
}

float lamp(float distance, float edge) { return 1.0 - smoothstep(-edge, edge, distance); }

// A digit of seven strokes; bits say which of them are lit, from the top clockwise, the middle last.
float digit(vec2 p, int number, float edge)
{
    int bits = number == 0 ? 63 : number == 1 ? 6 : number == 2 ? 91 : number == 3 ? 79 : number == 4 ? 102
             : number == 5 ? 109 : number == 6 ? 125 : number == 7 ? 7 : number == 8 ? 127 : 111;
    float light = 0.0;
    for (int stroke = 0; stroke < 7; stroke++)
    {
        if (((bits >> stroke) & 1) == 0) continue;
        bool isLevel = stroke == 0 || stroke == 3 || stroke == 6;
        float x = isLevel ? 0.0 : stroke < 3 ? 0.14 : -0.14;
        float y = stroke == 0 ? 0.28 : stroke == 3 ? -0.28 : stroke == 6 ? 0.0 : stroke == 1 || stroke == 5 ? 0.14 : -0.14;
        light = max(light, lamp(box(p - vec2(x, y), isLevel ? vec2(0.12, 0.035) : vec2(0.035, 0.12), 0.03), edge));
    }
    return light;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = onBoard(fragCoord, iResolution.xy);
    float edge = 0.6 / min(iResolution.x / BOARD.x, iResolution.y / BOARD.y);
    vec4 ball = texelFetch(iChannel0, BALL, 0), game = texelFetch(iChannel0, GAME, 0);

    // The night behind: a faint grid that the ball lights up.
    vec2 grid = abs(p - floor(p) - 0.5);
    float near = exp(-0.25 * dot(p - ball.xy, p - ball.xy));
    vec3 color = mix(vec3(0.0020, 0.0016, 0.0075), vec3(0.0075, 0.0022, 0.0120), clamp(p.y / BOARD.y, 0.0, 1.0));
    color += (0.004 + 0.06 * near) * vec3(0.3, 0.5, 1.0) * smoothstep(0.5 - 2.0 * edge, 0.5, max(grid.x, grid.y));

    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
        {
            ivec2 brick = ivec2(x, y);
            vec4 state = texelFetch(iChannel0, WALL + brick, 0);
            vec2 d = p - brickAt(brick);
            vec3 own = colorOf(y);
            if (state.x > 0.5)
            {
                float distance = box(d, BRICK, 0.08);
                color += own * own * (0.85 + 0.5 * d.y / BRICK.y) * lamp(distance, edge);
                color += own * own * 0.07 * exp(-5.0 * max(distance, 0.0));
                continue;
            }
            // Splinters of a broken brick fall for a second.
            float age = STEP * state.y;
            if (age > 1.0 || length(d) > 5.0) continue;
            for (int splinter = 0; splinter < 9; splinter++)
            {
                int number = x + COLUMNS * y;
                vec2 way = vec2(hash(number, 2 * splinter), hash(number, 2 * splinter + 1)) - 0.5;
                vec2 place = 1.6 * BRICK * way + age * (state.zw * 0.5 + 4.0 * way) - vec2(0.0, 3.0 * age * age);
                float size = 0.09 * (1.0 - age);
                vec2 from = d - place;
                color += own * (1.0 - age) * (1.6 * lamp(box(from, vec2(size), 0.02), edge) + 0.15 * exp(-6.0 * length(from)));
            }
        }

    // The paddle flares up when it is hit.
    float flare = exp(-0.08 * max(float(iFrame) - game.w, 0.0));
    float paddle = box(p - vec2(game.x, PADDLE_Y - 0.12), vec2(WIDTH, 0.12), 0.12);
    color += mix(vec3(0.55, 0.75, 1.0), vec3(1.0, 0.95, 0.8), flare) * (lamp(paddle, edge) + (0.10 + 0.5 * flare) * exp(-4.0 * max(paddle, 0.0)));

    // The ball and its trail.
    float trail = texture(iChannel1, fragCoord / iResolution.xy).x;
    color += vec3(1.0, 0.55, 0.15) * 0.8 * trail * trail + vec3(0.6, 0.15, 0.5) * 0.35 * trail;
    if (game.y > 0.5)
    {
        float distance = length(p - ball.xy) - RADIUS;
        color += vec3(1.0, 0.93, 0.80) * (1.5 * lamp(distance, edge) + 0.45 * exp(-5.0 * max(distance, 0.0)));
    }

    // Balls that are left, and points.
    for (int i = 0; i < 3; i++)
        if (game.y > float(i) + 0.5) color += 0.8 * vec3(1.0, 0.8, 0.5) * lamp(length(p - vec2(0.5 + 0.45 * float(i), 8.55)) - 0.12, edge);
    int points = int(game.z);
    color += vec3(0.6, 0.8, 1.0) * (digit(p - vec2(15.0, 8.5), points / 10, edge) + digit(p - vec2(15.55, 8.5), points % 10, edge));

    if (game.y < 0.5) color *= 0.35;
    vec2 outside = max(abs(p - 0.5 * BOARD) - 0.5 * BOARD, 0.0);
    if (max(outside.x, outside.y) > 0.0) color *= 0.15;
    color = 1.0 - exp(-1.7 * color);
    fragColor = vec4(pow(color, vec3(1.0 / 2.2)), 1.0);
}
