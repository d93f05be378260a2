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

  /// What is known of the outline around a point: how often it winds around it, how far the nearest edge is away, and the nearest of those behind which it winds
  /// once more and once less.
  ///
  /// Inside, only an edge to the outside counts: where two contours overlap, each has edges inside of the other. At a corner the side follows from the directions of
  /// both edges, and only a point that is nearer to the corner than to the rest of them asks for it. The side decides as well whether an edge winds around the
  /// point, so that both agree where the point lies on the edge.
  private static let edge = """
    struct etalonFontEdges { int winding; float any; float more; float less; };
    void etalonFontNear(inout etalonFontEdges edges, float away, bool isLeft) {
      edges.any = min(edges.any, away);
      if (isLeft) edges.less = min(edges.less, away); else edges.more = min(edges.more, away);
    }
    bool etalonFontLeft(float side, vec2 way) { return side > 0.0 || side == 0.0 && (way.y < 0.0 || way.y == 0.0 && way.x > 0.0); }
    void etalonFontCorner(inout etalonFontEdges edges, vec2 from, vec2 way, float before) {
      float away = length(from);
      edges.any = min(edges.any, away);
      vec2 into = vec2(cos(before), sin(before));
      vec2 leaving = normalize(way);
      float slack = 0.01 * away;
      if (away < 1e-4 || dot(from, into) < -slack || dot(from, leaving) > slack) return;
      vec2 along = into + leaving;
      etalonFontNear(edges, away, along.x * from.y > along.y * from.x);
    }
    void etalonFontLine(inout etalonFontEdges edges, vec2 p, vec2 a, vec2 b, float before) {
      vec2 way = b - a;
      vec2 from = p - a;
      float side = way.x * from.y - way.y * from.x;
      bool isLeft = etalonFontLeft(side, way);
      if ((a.y <= p.y) != (b.y <= p.y) && isLeft == (way.y > 0.0)) edges.winding += way.y > 0.0 ? 1 : -1;
      float most = max(edges.any, max(edges.more, edges.less));
      vec2 outside = max(max(min(a, b) - p, p - max(a, b)), 0.0);
      if (dot(outside, outside) >= most * most) return;
      float part = dot(from, way) / max(dot(way, way), 1e-6);
      if (part <= 0.0) etalonFontCorner(edges, from, way, before);
      else if (part < 1.0) etalonFontNear(edges, length(from - part * way), isLeft);
    }
    vec2 etalonFontPoint(vec2 a, vec2 one, vec2 two, vec2 three, float t) { return a + t * (one + t * (two + t * three)); }
    void etalonFontCurve(inout etalonFontEdges edges, vec2 p, vec2 a, vec2 b, vec2 c, vec2 d, float before) {
      vec2 low = min(min(a, b), min(c, d));
      vec2 high = max(max(a, b), max(c, d));
      vec2 one = 3.0 * (b - a);
      vec2 two = 3.0 * (a - 2.0 * b + c);
      vec2 three = d - a + 3.0 * (b - c);
      bool goesUp = d.y > a.y;
      bool meets = (a.y <= p.y) != (d.y <= p.y);
      bool isBefore = p.x < low.x;
      bool isOpen = meets && !isBefore && p.x < high.x;
      vec2 outside = max(max(low - p, p - high), 0.0);
      float most = max(edges.any, max(edges.more, edges.less));
      if (dot(outside, outside) < most * most) {
        float best = 1e18;
        float t = 0.0;
        for (int i = 0; i <= 4; i++) {
          float u = 0.25 * float(i);
          vec2 way = etalonFontPoint(a, one, two, three, u) - p;
          float square = dot(way, way);
          if (square < best) t = u;
          best = min(best, square);
        }
        float start = t;
        for (int i = 0; i < 4; i++) {
          vec2 way = etalonFontPoint(a, one, two, three, t) - p;
          vec2 speed = one + t * (2.0 * two + t * 3.0 * three);
          vec2 turn = 2.0 * two + 6.0 * t * three;
          float slope = dot(speed, speed) + dot(way, turn);
          t = clamp(t - dot(way, speed) / max(slope, 1e-4), 0.0, 1.0);
        }
        vec2 from = p - etalonFontPoint(a, one, two, three, t);
        if (dot(from, from) > best) {
          t = start;
          from = p - etalonFontPoint(a, one, two, three, t);
        }
        if (t <= 0.0) {
          etalonFontCorner(edges, from, b != a ? b - a : c != a ? c - a : d - a, before);
        } else if (t < 1.0) {
          vec2 speed = one + t * (2.0 * two + t * 3.0 * three);
          bool isLeft = etalonFontLeft(speed.x * from.y - speed.y * from.x, d - a);
          etalonFontNear(edges, length(from), isLeft);
          if (isOpen) {
            isBefore = isLeft == goesUp;
            isOpen = false;
          }
        }
      }
      if (isOpen) {
        float first = 0.0;
        float last = 1.0;
        for (int i = 0; i < 18; i++) {
          float t = 0.5 * (first + last);
          if ((etalonFontPoint(a, one, two, three, t).y <= p.y) == goesUp) first = t; else last = t;
        }
        isBefore = p.x < etalonFontPoint(a, one, two, three, 0.5 * (first + last)).x;
      }
      if (meets && isBefore) edges.winding += goesUp ? 1 : -1;
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
      etalonFontEdges edges = etalonFontEdges(0, most, most, most);
      vec2 a = vec2(0.0);
      for (int i = 0; i < count; i++) {
        ivec4 part = etalonFontTexel(font, next + i);
        vec2 end = vec2(part.xy - 32768);
        float before = float(part.w) * (6.283185307 / 65536.0);
        if (part.z == 1) {
          etalonFontLine(edges, p, a, end, before);
        } else if (part.z == 2) {
          i++;
          vec4 controls = vec4(etalonFontTexel(font, next + i) - 32768);
          etalonFontCurve(edges, p, a, controls.xy, controls.zw, end, before);
        }
        a = end;
      }
      if (edges.winding == 0) return edges.any / em;
      return -(edges.winding == 1 ? edges.less : edges.winding == -1 ? edges.more : most) / em;
    }

    """
}
