// Colors for GLSL: splits a text into lines, and a line into words of a kind. Other texts (YAML, JSON) are colored by their comments and strings.

const keywords = new Set(("attribute const uniform varying buffer shared coherent volatile restrict readonly writeonly layout centroid flat smooth noperspective patch sample invariant precise "
  + "break continue do for while switch case default if else subroutine in out inout discard return struct precision highp mediump lowp true false").split(" "));
const types = /^(void|bool|int|uint|float|double|[biud]?vec[234]|d?mat[234](x[234])?|[iu]?(sampler|image|texture)(1D|2D|3D|Cube|2DRect|1DArray|2DArray|CubeArray|Buffer|2DMS|2DMSArray)(Shadow)?|image)$/;
const builtins = new Set(("radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2 log2 sqrt inversesqrt abs sign floor trunc round roundEven ceil fract mod modf min max clamp "
  + "mix step smoothstep isnan isinf floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat fma frexp ldexp packUnorm2x16 unpackUnorm2x16 packHalf2x16 unpackHalf2x16 length distance dot cross normalize "
  + "faceforward reflect refract matrixCompMult outerProduct transpose determinant inverse lessThan lessThanEqual greaterThan greaterThanEqual equal notEqual any all not bitfieldExtract bitCount findLSB findMSB "
  + "texture textureSize textureLod textureOffset texelFetch textureGrad textureGather textureProj texture2D textureCube dFdx dFdy fwidth imageLoad imageStore imageSize barrier memoryBarrier atomicAdd atomicMin atomicMax "
  + "IMG_PIXEL IMG_NORM_PIXEL IMG_THIS_PIXEL IMG_THIS_NORM_PIXEL IMG_SIZE getFromColor getToColor").split(" "));
const clocks = /^(i(Time|TimeDelta|Frame|FrameRate|Resolution|Mouse|Date|SampleRate|Channel[0-3]|ChannelTime|ChannelResolution)|TIME|TIMEDELTA|FRAMEINDEX|RENDERSIZE|PASSINDEX|POSITION|PROGRESS|DURATION|DATE|isf_FragNormCoord|progress|ratio|gl_\w+|fragCoord|fragColor)$/;
const words = /\/\/.*|\/\*|"(?:[^"\\]|\\.)*"?|^\s*#\s*\w+|(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?:lf|LF|[uUfF])?|[A-Za-z_]\w*|\s+|./g;

/** Whether a file is GLSL, by its name. */
export function isGLSL(name) { return !/\.(ya?ml|json|csv|txt|md)$/i.test(name); }

/** For each line, whether it begins inside of a comment of several lines. */
export function commentStarts(text) {
  const starts = [false];
  let inside = false;
  for (const [word] of text.matchAll(/\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"?|\/\*|\*\/|\n/g)) {
    if (word === "\n") starts.push(inside);
    else if (word === "/*") inside = true;
    else if (word === "*/") inside = false;
  }
  return starts;
}

/** The words of a line as [kind, text]; the kind is a class of the style, or empty. */
export function colored(line, isInside, isShader) {
  if (!isShader) return plain(line);
  const parts = [];
  let rest = line;
  let inside = isInside;
  while (rest !== "") {
    if (inside) {
      const end = rest.indexOf("*/");
      if (end < 0) { parts.push(["comment", rest]); return parts; }
      parts.push(["comment", rest.slice(0, end + 2)]);
      rest = rest.slice(end + 2);
      inside = false;
      continue;
    }
    words.lastIndex = 0;
    let at = 0;
    inside = false;
    for (const match of rest.matchAll(words)) {
      const [word] = match;
      if (word === "/*") { inside = true; break; }
      parts.push([kindOfWord(word, rest, match.index + word.length), word]);
      at = match.index + word.length;
    }
    rest = rest.slice(at);
    if (inside) {
      const end = rest.indexOf("*/", 2);
      if (end < 0) { parts.push(["comment", rest]); return parts; }
      parts.push(["comment", rest.slice(0, end + 2)]);
      rest = rest.slice(end + 2);
      inside = false;
    } else break;
  }
  return parts;
}

function kindOfWord(word, line, end) {
  if (word.startsWith("//")) return "comment";
  if (word.startsWith("\"")) return "string";
  if (/^\s*#/.test(word)) return "directive";
  if (/^\.?\d/.test(word)) return "number";
  if (!/^[A-Za-z_]/.test(word)) return "";
  if (types.test(word)) return "type";
  if (keywords.has(word)) return "keyword";
  if (clocks.test(word)) return "clock";
  if (/^\s*\(/.test(line.slice(end, end + 8))) return builtins.has(word) ? "builtin" : "function";
  return "";
}

function plain(line) {
  const comment = /^(\s*)(#.*)$/.exec(line);
  if (comment) return [["", comment[1]], ["comment", comment[2]]];
  return [...line.matchAll(/"(?:[^"\\]|\\.)*"?|[\w-]+(?=\s*:)|-?\d+\.?\d*(?:[eE][+-]?\d+)?|[^"\w]+|\w+/g)].map(([word]) =>
    [word.startsWith("\"") ? "string" : /^-?\d/.test(word) ? "number" : /^[A-Za-z]/.test(word) && new RegExp(`${word.replace(/[^\w]/g, "\\$&")}\\s*:`).test(line) ? "type" : "", word]);
}
