// Functions that return from arms of arms, with and without something behind them.
float chain(float x)
{
    if (x < 16.0) return 0.2;
    else if (x < 32.0) return 0.4;
    else if (x < 48.0) return 0.6;
    return 0.8;
}

float holes(float x, float y)
{
    if (x < 16.0) return 0.2;
    else if (x < 32.0)
    {
        if (y < 32.0) return 0.4;
    }
    else if (x < 48.0) return 0.6;
    else if (y > 32.0) return 0.8;
    return 0.0;
}

float cases(int band)
{
    float value = 0.0;
    switch (band)
    {
    case 3:
        if (value < 1.0) { if (band == 3) return 1.0; }
        else return 0.5;
        value = 0.25;
        break;
    default:
        break;
    }
    return value;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    fragColor = vec4(chain(fragCoord.x), holes(fragCoord.x, fragCoord.y), cases(int(fragCoord.x / 16.0)), 1.0);
}
