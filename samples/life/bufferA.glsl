// One pixel for each cell, at the lower left: x is 1 where it lives, y for how many steps it has lived or been dead, z how old it became.
float hash(ivec2 cell)
{
    uint h = uint(cell.x) * 2654435769u ^ uint(cell.y) * 3332679571u;
    h = (h ^ (h >> 16)) * 2146121005u;
    h = (h ^ (h >> 15)) * 2221713035u;
    return float((h ^ (h >> 16)) >> 8) / 16777216.0;
}

// Seeds are the same in all four quarters, so whatever grows has two axes of symmetry.
float seed(ivec2 cell, ivec2 size)
{
    return hash(min(cell, size - 1 - cell)) < 0.34 ? 1.0 : 0.0;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    ivec2 size = field(iResolution.xy), cell = ivec2(fragCoord);
    fragColor = vec4(0.0);
    if (any(greaterThanEqual(cell, size))) return;
    if (iFrame == 0)
    {
        fragColor = vec4(seed(cell, size), 0.0, 0.0, 0.0);
        // What has never lived has been dead for long.
        if (fragColor.x == 0.0) fragColor.y = 1000.0;
        return;
    }
    vec4 now = texelFetch(iChannel0, cell, 0);
    bool isSown = iMouse.z > 0.0 && distance(fragCoord, iMouse.xy / float(CELL)) < 2.5 && hash(cell + 977 * iFrame) < 0.5;
    if (iFrame % PACE == 0)
    {
        int neighbors = 0;
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                if (x != 0 || y != 0) neighbors += texelFetch(iChannel0, (cell + ivec2(x, y) + size) % size, 0).x > 0.5 ? 1 : 0;
        bool lives = now.x > 0.5;
        bool isFree = now.y >= float(WITHER);
        bool willLive = lives ? ((SURVIVAL >> neighbors) & 1) == 1 : isFree && ((BIRTH >> neighbors) & 1) == 1;
        if (willLive == lives) now.y = min(now.y + 1.0, 1000.0);
        else now = vec4(willLive ? 1.0 : 0.0, 0.0, lives ? now.y : 0.0, 0.0);
    }
    if (isSown) now = vec4(1.0, 0.0, 0.0, 0.0);
    fragColor = now;
}
