// Arrays, matrices and structures that '?:' chooses between: constants, which the compiler selects as wholes, and computed ones.
struct Leaf { vec2 pair[2]; bool isSet; int number; };
struct Tree { Leaf leaves[2]; mat2 turn; };

const vec4 A[2] = vec4[2](vec4(0.2), vec4(0.4));
const vec4 B[2] = vec4[2](vec4(0.6), vec4(0.8));
const vec2 C[2][3] = vec2[2][3](vec2[3](vec2(0.0), vec2(0.2), vec2(0.4)), vec2[3](vec2(0.6), vec2(0.8), vec2(1.0)));
const vec2 D[2][3] = vec2[2][3](vec2[3](vec2(1.0), vec2(0.8), vec2(0.6)), vec2[3](vec2(0.4), vec2(0.2), vec2(0.0)));

Leaf leaf(float x) { return Leaf(vec2[2](vec2(x), vec2(1.0 - x)), x > 0.5, int(x * 10.0)); }
Tree tree(float x) { return Tree(Leaf[2](leaf(x), leaf(x * 0.5)), mat2(x)); }

void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  bool isRight = fragCoord.x > 32.0, isHigh = fragCoord.y > 32.0;
  vec4 chosen[2] = isRight ? A : B;
  vec2 nested[2][3] = isHigh ? C : (isRight ? D : C);
  Tree grown = isHigh ? tree(0.8) : tree(0.4);
  grown = isRight ? grown : (isHigh ? tree(0.2) : tree(0.6));
  mat2 turn = isRight ? mat2(0.2) : mat2(0.4);
  fragColor = vec4(
    (isHigh ? chosen : A)[1].x, nested[1][int(fragCoord.x) % 3].y, grown.leaves[1].pair[1].x * (grown.leaves[0].isSet ? 1.0 : 0.5),
    turn[1].y + 0.1 * float(grown.leaves[0].number));
}
