// The rules. Every pixel that keeps a part of the game works out the whole step, and keeps its own part of the outcome.
vec4 kept(ivec2 at) { return texelFetch(iChannel0, at, 0); }
bool isDown(int key) { return texelFetch(iChannel1, ivec2(key, 0), 0).x > 0.5; }

struct Game { vec2 ball, velocity; float paddle, balls, points, hit, isPlayed, served; ivec2 broken; };

void serve(inout Game g)
{
    g.served += 1.0;
    float aside = hash(int(g.served), 5) - 0.5;
    g.ball = vec2(g.paddle, PADDLE_Y + 0.5);
    g.velocity = 7.5 * normalize(vec2(0.4 + aside, 1.0));
}

Game fresh()
{
    Game g;
    g.ball = vec2(0.0); g.velocity = vec2(0.0);
    g.paddle = 0.5 * BOARD.x;
    g.balls = 3.0; g.points = 0.0; g.hit = -1000.0; g.isPlayed = 0.0; g.served = 0.0;
    g.broken = ivec2(-1);
    serve(g);
    return g;
}

Game play()
{
    vec4 ball = kept(BALL), game = kept(GAME), player = kept(PLAYER);
    Game g = Game(ball.xy, ball.zw, game.x, game.y, game.z, game.w, player.x, player.y, ivec2(-1));
    bool left = isDown(37) || isDown(65), right = isDown(39) || isDown(68);
    if (left || right || isDown(32)) g.isPlayed = 1.0;

    // The paddle: by the keys, or where the ball is going to come down.
    float wish = (right ? 1.0 : 0.0) - (left ? 1.0 : 0.0);
    if (g.isPlayed < 0.5) wish = clamp(2.0 * (g.ball.x + 0.8 * WIDTH * sin(2.7 * g.served + 0.9 * g.points) - g.paddle), -1.0, 1.0);
    g.paddle = clamp(g.paddle + 11.0 * wish * STEP, WIDTH, BOARD.x - WIDTH);
    if (g.balls < 0.5) return g;

    g.ball += PACE * STEP * g.velocity;
    if (g.ball.x < RADIUS) g.velocity.x = abs(g.velocity.x);
    if (g.ball.x > BOARD.x - RADIUS) g.velocity.x = -abs(g.velocity.x);
    if (g.ball.y > BOARD.y - RADIUS) g.velocity.y = -abs(g.velocity.y);

    // Where the paddle is hit says where the ball goes.
    vec2 from = g.ball - vec2(g.paddle, PADDLE_Y);
    if (g.velocity.y < 0.0 && abs(from.y) < 0.3 && abs(from.x) < WIDTH + RADIUS)
    {
        float speed = min(length(g.velocity) + 0.12, 13.0);
        g.velocity = speed * normalize(vec2(1.1 * from.x / WIDTH, 1.0));
        g.hit = float(iFrame);
    }

    // The brick that is nearest of those that are touched breaks.
    float nearest = RADIUS;
    vec2 push = vec2(0.0);
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
        {
            ivec2 brick = ivec2(x, y);
            vec2 d = g.ball - brickAt(brick), outside = d - clamp(d, -BRICK, BRICK);
            if (kept(WALL + brick).x < 0.5 || length(outside) >= nearest) continue;
            nearest = length(outside);
            g.broken = brick;
            push = abs(outside.x) > abs(outside.y) ? vec2(sign(outside.x), 0.0) : vec2(0.0, outside.y == 0.0 ? -1.0 : sign(outside.y));
        }
    if (g.broken.x >= 0)
    {
        // Away from the brick, never deeper into it.
        if (push.x != 0.0) g.velocity.x = push.x * abs(g.velocity.x); else g.velocity.y = push.y * abs(g.velocity.y);
        g.points += 1.0;
    }

    if (g.ball.y < -RADIUS)
    {
        g.balls -= 1.0;
        if (g.balls > 0.5) serve(g);
    }
    return g;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    ivec2 at = ivec2(fragCoord), brick = at - WALL;
    bool isBrick = brick.x >= 0 && brick.y >= 0 && brick.x < COLUMNS && brick.y < ROWS;
    fragColor = vec4(0.0);
    if (!isBrick && (at.y > 0 || at.x > 2)) return;

    bool isNew = iFrame == 0;
    if (!isNew)
    {
        vec4 game = kept(GAME);
        bool isOver = game.y < 0.5 || int(game.z) >= COLUMNS * ROWS;
        isNew = isOver && (isDown(32) || kept(PLAYER).x < 0.5);
    }
    Game g;
    if (isNew) g = fresh(); else g = play();
    if (at == BALL) fragColor = vec4(g.ball, g.velocity);
    else if (at == GAME) fragColor = vec4(g.paddle, g.balls, g.points, g.hit);
    else if (at == PLAYER) fragColor = vec4(g.isPlayed, g.served, 0.0, 0.0);
    else
    {
        // A brick: 1 while it stands, and then how many frames ago it broke, and which way the ball went.
        vec4 state = isNew ? vec4(1.0, 1000.0, 0.0, 0.0) : kept(at);
        state.y = min(state.y + 1.0, 1000.0);
        if (brick == g.broken) state = vec4(0.0, 0.0, 0.3 * g.velocity);
        fragColor = state;
    }
}
