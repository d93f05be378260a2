/// GLSL that reads the glyphs of fonts.
///
/// `FontOutlines` says which texels there are: four whole numbers each, in one row after the other from the lowest on.
enum NativeFonts {
  /// The functions, without their arguments.
  static let names: Set<String> = ["FONT_GLYPH", "FONT_ADVANCE", "FONT_BOX", "FONT_LINES", "FONT_DISTANCE"]

  /// The functions that a text mentions, and what they need.
  static func text(mentioned: Set<String>) -> String {
    guard !mentioned.isDisjoint(with: names) else { return "" }
    return texels + (mentioned.contains("FONT_LINES") ? lines : "") + (mentioned.contains("FONT_GLYPH") ? glyph : "")
      + (mentioned.contains("FONT_ADVANCE") ? advance : "") + (mentioned.contains("FONT_BOX") ? box : "")
      + (mentioned.contains("FONT_DISTANCE") ? edge + distance : "")
  }

  private static let texels = """
    ivec4 etalonFontTexel(sampler2D font, int index) {
      int width = textureSize(font, 0).x;
      return ivec4(texelFetch(font, ivec2(index % width, index / width), 0) * 65535.0 + 0.5);
    }
    ivec2 etalonFontCounts(sampler2D font) {
      ivec4 head = etalonFontTexel(font, 0);
      return ivec2(head.x + 65536 * head.y, head.z + 65536 * head.w);
    }
    float etalonFontEm(sampler2D font) {
      ivec4 lines = etalonFontTexel(font, 1);
      return float(max(lines.z + 65536 * lines.w, 1));
    }
    int etalonFontPlace(sampler2D font, int glyph) {
      ivec2 counts = etalonFontCounts(font);
      return glyph >= 0 && glyph < counts.y ? 3 + counts.x + 3 * glyph : -1;
    }

    """

  private static let lines = """
    vec2 FONT_LINES(sampler2D font) {
      if (etalonFontCounts(font).x == 0) return vec2(0.0);
      return vec2(etalonFontTexel(font, 1).xy - 32768) / etalonFontEm(font);
    }

    """

  private static let glyph = """
    int FONT_GLYPH(sampler2D font, int code) {
      int count = etalonFontCounts(font).x;
      int low = 0;
      int high = count;
      while (low < high) {
        int middle = (low + high) / 2;
        ivec4 entry = etalonFontTexel(font, 3 + middle);
        if (entry.x + 65536 * entry.y < code) low = middle + 1; else high = middle;
      }
      if (low >= count) return -1;
      ivec4 entry = etalonFontTexel(font, 3 + low);
      return entry.x + 65536 * entry.y == code ? entry.z : -1;
    }

    """

  private static let advance = """
    float FONT_ADVANCE(sampler2D font, int glyph) {
      int place = etalonFontPlace(font, glyph);
      if (place < 0) return 0.0;
      ivec4 record = etalonFontTexel(font, place);
      return float(record.x + 65536 * record.y) / etalonFontEm(font);
    }

    """

  private static let box = """
    vec4 FONT_BOX(sampler2D font, int glyph) {
      int place = etalonFontPlace(font, glyph);
      return place < 0 ? vec4(0.0) : vec4(etalonFontTexel(font, place + 2) - 32768) / etalonFontEm(font);
    }

    """

  /// What is known of the outline around a point: how often it winds around it, and how far the nearest edge and the nearest other part are away.
  ///
  /// What lies inside, where contours overlap, or outside, where they cancel each other out, winds and is no edge. Between contours that should touch lie slivers of up to two steps around which nothing
  /// winds: there a part inside is nearer than any edge, which it never is for a point outside. Lines are taken from below to above, so that two contours with the same line agree on
  /// which side of it the point lies.
  private static let edge = """
    struct etalonFontEdges { int winding; float near; float inner; };
    void etalonFontNear(inout etalonFontEdges edges, int sides, float away) {
      if (sides == 0) edges.near = min(edges.near, away); else edges.inner = min(edges.inner, away);
    }
    bool etalonFontIsFar(etalonFontEdges edges, int sides, vec2 outside) {
      float most = sides == 0 ? edges.near : edges.inner;
      return sides == 2 || dot(outside, outside) >= most * most;
    }
    void etalonFontLine(inout etalonFontEdges edges, vec2 p, vec2 a, vec2 b, int sides) {
      vec2 way = b - a;
      vec2 from = p - a;
      if ((a.y <= p.y) != (b.y <= p.y)) {
        bool goesUp = way.y > 0.0;
        vec2 rise = goesUp ? way : -way;
        vec2 above = goesUp ? from : p - b;
        if (rise.x * above.y > rise.y * above.x) edges.winding += goesUp ? 1 : -1;
      }
      if (etalonFontIsFar(edges, sides, max(max(min(a, b) - p, p - max(a, b)), 0.0))) return;
      float part = clamp(dot(from, way) / max(dot(way, way), 1e-6), 0.0, 1.0);
      etalonFontNear(edges, sides, length(from - part * way));
    }
    vec2 etalonFontPoint(vec2 a, vec2 one, vec2 two, vec2 three, float t) { return a + t * (one + t * (two + t * three)); }
    void etalonFontCurve(inout etalonFontEdges edges, vec2 p, vec2 a, vec2 b, vec2 c, vec2 d, int sides) {
      vec2 low = min(min(a, b), min(c, d));
      vec2 high = max(max(a, b), max(c, d));
      vec2 one = 3.0 * (b - a);
      vec2 two = 3.0 * (a - 2.0 * b + c);
      vec2 three = d - a + 3.0 * (b - c);
      if ((a.y <= p.y) != (d.y <= p.y)) {
        bool goesUp = d.y > a.y;
        bool isBefore = p.x < low.x;
        if (!isBefore && p.x < high.x) {
          float first = 0.0;
          float last = 1.0;
          for (int i = 0; i < 18; i++) {
            float t = 0.5 * (first + last);
            if ((etalonFontPoint(a, one, two, three, t).y <= p.y) == goesUp) first = t; else last = t;
          }
          isBefore = p.x < etalonFontPoint(a, one, two, three, 0.5 * (first + last)).x;
        }
        if (isBefore) edges.winding += goesUp ? 1 : -1;
      }
      if (etalonFontIsFar(edges, sides, max(max(low - p, p - high), 0.0))) return;
      float best = 1e18;
      float t = 0.0;
      for (int i = 0; i <= 4; i++) {
        float u = 0.25 * float(i);
        vec2 way = etalonFontPoint(a, one, two, three, u) - p;
        float square = dot(way, way);
        if (square < best) t = u;
        best = min(best, square);
      }
      for (int i = 0; i < 4; i++) {
        vec2 way = etalonFontPoint(a, one, two, three, t) - p;
        vec2 speed = one + t * (2.0 * two + t * 3.0 * three);
        vec2 turn = 2.0 * two + 6.0 * t * three;
        float slope = dot(speed, speed) + dot(way, turn);
        t = clamp(t - dot(way, speed) / max(slope, 1e-4), 0.0, 1.0);
      }
      etalonFontNear(edges, sides, min(length(p - etalonFontPoint(a, one, two, three, t)), sqrt(best)));
    }

    """

  private static let distance = """
    float FONT_DISTANCE(sampler2D font, int glyph, vec2 place, float reach) {
      int record = etalonFontPlace(font, glyph);
      if (record < 0) return reach;
      float em = etalonFontEm(font);
      vec2 p = place * em;
      float most = reach * em;
      vec4 box = vec4(etalonFontTexel(font, record + 2) - 32768);
      vec2 outside = max(max(box.xy - p, p - box.zw), 0.0);
      if (dot(outside, outside) >= most * most) return reach;
      int count = etalonFontTexel(font, record).z;
      ivec4 first = etalonFontTexel(font, record + 1);
      int next = first.x + 65536 * first.y;
      etalonFontEdges edges = etalonFontEdges(0, most, 2.0);
      vec2 a = vec2(0.0);
      for (int i = 0; i < count; i++) {
        ivec4 part = etalonFontTexel(font, next + i);
        vec2 end = vec2(part.xy - 32768);
        int sides = (part.z - 1) / 2;
        if (part.z % 2 == 1) {
          etalonFontLine(edges, p, a, end, sides);
        } else if (part.z > 0) {
          i++;
          vec4 controls = vec4(etalonFontTexel(font, next + i) - 32768);
          etalonFontCurve(edges, p, a, controls.xy, controls.zw, end, sides);
        }
        a = end;
      }
      return (edges.winding == 0 && edges.inner >= min(edges.near, 2.0) ? edges.near : -edges.near) / em;
    }

    """
}
