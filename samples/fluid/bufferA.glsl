// The velocity of the water in xy, before pressure has evened it out; zw keeps where the mouse was.

// The velocity after pressure has pushed the water from where there is too much of it (units: pixels a frame).
vec2 flow(vec2 at)
{
    vec2 pixel = 1.0 / iResolution.xy, uv = at * pixel;
    float right = texture(iChannel1, uv + vec2(pixel.x, 0.0)).x, left = texture(iChannel1, uv - vec2(pixel.x, 0.0)).x;
    float above = texture(iChannel1, uv + vec2(0.0, pixel.y)).x, below = texture(iChannel1, uv - vec2(0.0, pixel.y)).x;
    return texture(iChannel0, uv).xy - 0.5 * vec2(right - left, above - below);
}

// How fast the water turns.
float turning(vec2 at)
{
    vec2 pixel = 1.0 / iResolution.xy, uv = at * pixel;
    return 0.5 * (texture(iChannel0, uv + vec2(pixel.x, 0.0)).y - texture(iChannel0, uv - vec2(pixel.x, 0.0)).y
                - texture(iChannel0, uv + vec2(0.0, pixel.y)).x + texture(iChannel0, uv - vec2(0.0, pixel.y)).x);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    float height = iResolution.y, aspect = iResolution.x / height;
    vec2 p = fragCoord / height;
    vec2 wall = min(fragCoord - 0.5, iResolution.xy - fragCoord - 0.5);
    float fromWall = min(wall.x, wall.y);
    vec2 velocity = vec2(0.0);
    if (iFrame > 0)
    {
        // What is here now was upstream a frame ago.
        velocity = 0.9995 * flow(fragCoord - flow(fragCoord));
        // Small whirls die in a coarse grid; this gives them back what they lost.
        vec2 slope = vec2(abs(turning(fragCoord + vec2(1.0, 0.0))) - abs(turning(fragCoord - vec2(1.0, 0.0))),
                          abs(turning(fragCoord + vec2(0.0, 1.0))) - abs(turning(fragCoord - vec2(0.0, 1.0))));
        slope /= length(slope) + 1e-4;
        velocity += CURL * clamp(0.1 * fromWall - 0.2, 0.0, 1.0) * turning(fragCoord) * vec2(slope.y, -slope.x);
    }
    for (int number = 0; number < JETS; number++)
    {
        Jet j = jet(number, iTime, aspect);
        vec2 wanted = 0.85 * j.blow * STEP * height;
        velocity = mix(velocity, wanted, 0.5 * reach(p, j.place, 0.035));
    }
    // A drag of the mouse takes the water along.
    vec2 mouse = iMouse.xy, before = iFrame == 0 ? mouse : texelFetch(iChannel0, ivec2(0), 0).zw;
    if (iMouse.z > 0.0 && iMouse.w < 0.0) velocity += (mouse - before) * reach(p, mouse / height, 0.05);
    // Water stops at the walls.
    velocity *= clamp(0.5 * fromWall, 0.0, 1.0);
    fragColor = vec4(clamp(velocity, -0.1 * height, 0.1 * height), mouse);
}
