#define SPARKS 96
#define LIFE 2.6

float hash(uint n)
{
    n ^= n >> 16;
    n *= 2146121005u;
    n ^= n >> 15;
    n *= 2221713035u;
    n ^= n >> 16;
    return float(n >> 8) / 16777216.0;
}
