internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest

/// GLSL that looks colors up in tables.
enum NativeTables {
  /// The function that looks a color up.
  ///
  /// A texture has one texel after the other, in rows: the entries of a side and the form (0 changes nothing, 1 is a curve for each channel, 3 a cube), the
  /// colors that the first and the last entries stand for, and then the entries, red changing fastest. In a cube a color lies in one of six tetrahedra,
  /// and is mixed from the four entries at its corners: from the nearest corner to the dark one along the axes, from the largest part to the smallest.
  static let color = """
    vec3 etalonTableEntry(sampler2D table, int index) {
      int width = textureSize(table, 0).x;
      return texelFetch(table, ivec2(index % width, index / width), 0).rgb;
    }
    vec3 TABLE_COLOR(sampler2D table, vec3 color) {
      vec3 form = etalonTableEntry(table, 0);
      if (form.y < 0.5) return color;
      int side = int(form.x);
      vec3 low = etalonTableEntry(table, 1);
      vec3 high = etalonTableEntry(table, 2);
      vec3 place = clamp((color - low) / (high - low), 0.0, 1.0) * float(side - 1);
      ivec3 cell = clamp(ivec3(place), ivec3(0), ivec3(side - 2));
      vec3 part = place - vec3(cell);
      if (form.y < 2.0) {
        vec3 a = vec3(etalonTableEntry(table, 3 + cell.r).r, etalonTableEntry(table, 3 + cell.g).g, etalonTableEntry(table, 3 + cell.b).b);
        vec3 b = vec3(etalonTableEntry(table, 4 + cell.r).r, etalonTableEntry(table, 4 + cell.g).g, etalonTableEntry(table, 4 + cell.b).b);
        return a + part * (b - a);
      }
      ivec3 steps = ivec3(1, side, side * side);
      bool rg = part.r >= part.g;
      bool gb = part.g >= part.b;
      bool rb = part.r >= part.b;
      int most = rg && rb ? steps.r : !rg && gb ? steps.g : steps.b;
      int least = !rg && !rb ? steps.r : rg && !gb ? steps.g : steps.b;
      int first = 3 + cell.r + side * (cell.g + side * cell.b);
      int last = first + steps.r + steps.g + steps.b;
      vec3 c0 = etalonTableEntry(table, first);
      vec3 c1 = etalonTableEntry(table, first + most);
      vec3 c2 = etalonTableEntry(table, last - least);
      vec3 c3 = etalonTableEntry(table, last);
      float large = max(part.r, max(part.g, part.b));
      float small = min(part.r, min(part.g, part.b));
      float middle = max(min(part.r, part.g), min(max(part.r, part.g), part.b));
      return c0 + large * (c1 - c0) + middle * (c2 - c1) + small * (c3 - c2);
    }

    """
}

/// What is wrong with a text that reads files of data and images with functions for something else.
struct NativeDataReads {
  /// What each image of the header holds; nil is a picture.
  private let images: [String: FilterInput.DataKind?]

  init(_ header: FilterHeader) {
    images = Dictionary(header.images.map { ($0.input.name, $0.input.data) }) { first, _ in first }
  }

  func diagnostics(in tokens: [Token]) -> [Diagnostic] {
    tokens.indices.compactMap { place in
      guard tokens[place].kind == .identifier, let open = tokens.previous(before: place), tokens[open].isMark("("),
        let function = tokens.previous(before: open), tokens[function].kind == .identifier, let held = images[tokens[place].text]
      else { return nil }
      let (name, call) = (tokens[place].text, tokens[function].text)
      let wanted = call == "TABLE_COLOR" ? FilterInput.DataKind.table : NativeFonts.names.contains(call) ? .font : nil
      guard held != wanted, wanted != nil || call.hasPrefix("IMG_") || call.hasPrefix("tex") else { return nil }
      if let held {
        let what = "a \(held.rawValue)"
        return Diagnostic(
          "native.\(held.rawValue)", "'\(name)' is \(what), which '\(call)' cannot read", labels: tokens.labels(at: [place], what),
          help: ["write '\(held == .table ? "TABLE_COLOR(\(name), color.rgb)" : "FONT_DISTANCE(\(name), glyph, place, reach)")'"])
      }
      guard let wanted else { return nil }
      return Diagnostic(
        "native.\(wanted.rawValue)", "'\(name)' is an image, in which '\(call)' finds no \(wanted.rawValue)",
        labels: tokens.labels(at: [place], "an image"),
        help: ["declare it with \"TYPE\": \"\(wanted.rawValue)\", or read it with IMG_PIXEL"])
    }
  }
}
