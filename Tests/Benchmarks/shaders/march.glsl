// March: a ray through at most eighty steps of a distance field, a normal from six more samples, and a light.

float roundedBox(vec3 p, vec3 halfSize, float radius)
{
    vec3 q = abs(p) - halfSize;
    return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0) - radius;
}

float scene(vec3 p)
{
    float ground = p.y + 1.0;
    vec3 q = p;
    q.xz = mod(q.xz + 2.0, 4.0) - 2.0;
    float turn = 0.6 * iTime;
    q.xz = mat2(cos(turn), -sin(turn), sin(turn), cos(turn)) * q.xz;
    float box = roundedBox(q, vec3(0.5, 0.6, 0.5), 0.1);
    float ball = length(q - vec3(0.0, 0.7 + 0.2 * sin(iTime), 0.0)) - 0.5;
    float h = clamp(0.5 + 0.5 * (ball - box) / 0.3, 0.0, 1.0);
    return min(ground, mix(ball, box, h) - 0.3 * h * (1.0 - h));
}

vec3 normalAt(vec3 p)
{
    vec2 e = vec2(0.001, 0.0);
    return normalize(vec3(scene(p + e.xyy) - scene(p - e.xyy),
                          scene(p + e.yxy) - scene(p - e.yxy),
                          scene(p + e.yyx) - scene(p - e.yyx)));
}

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
    vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    vec3 origin = vec3(0.8 * iTime, 2.2, -4.0);
    vec3 direction = normalize(vec3(p.x, p.y - 0.5, 1.6));
    float travelled = 0.0;
    float nearest = 1.0;
    for (int steps = 0; steps < 80; steps++) {
        nearest = scene(origin + travelled * direction);
        if (nearest < 0.001 || travelled > 30.0) break;
        travelled += nearest;
    }
    vec3 color = mix(vec3(0.75, 0.85, 1.0), vec3(0.3, 0.5, 0.8), 0.5 + 0.5 * p.y);
    if (travelled < 30.0) {
        vec3 position = origin + travelled * direction;
        vec3 normal = normalAt(position);
        vec3 light = normalize(vec3(0.6, 0.8, -0.4));
        float diffuse = max(dot(normal, light), 0.0);
        float shine = pow(max(dot(reflect(direction, normal), light), 0.0), 24.0);
        vec3 base = 0.5 + 0.4 * normal;
        color = mix(base * (0.2 + 0.8 * diffuse) + 0.4 * shine, color, smoothstep(10.0, 30.0, travelled));
    }
    fragColor = vec4(color, 1.0);
}
