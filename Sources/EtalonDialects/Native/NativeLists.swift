internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Curves, matrices and texts of a header as a native text reads them: as functions, or as matrices of GLSL.
///
/// `float red(float x)` of a curve, `float weights(int row, int column)` of a matrix, `int title(int index)` of a text, whose numbers stand in arrays of the
/// uniform block.
struct NativeLists {
  private let parameters: [(parameter: FilterParameter, name: String, shape: ListShape)]
  private let mentioned: Set<String>

  /// - Parameter name: what the text calls a name of the header.
  init(_ header: FilterHeader, mentioned: Set<String>, name: (String) -> String) {
    self.mentioned = mentioned
    parameters = header.parameters.compactMap { parameter in
      let inText = name(parameter.name)
      let isMentioned =
        mentioned.contains(inText) || mentioned.contains(Self.size(of: parameter.name))
        || mentioned.contains(Self.length(of: parameter.name))
      return parameter.list.flatMap { isMentioned ? (parameter, inText, $0) : nil }
    }
  }

  /// The uniform with the numbers of columns and rows of a matrix.
  static func size(of matrix: String) -> String { "etalonSize_" + matrix }

  /// The uniform with the number of characters of a text.
  static func length(of text: String) -> String { "etalonLength_" + text }

  private static func array(of parameter: FilterParameter) -> String { "etalonList_" + parameter.name }

  /// The members of the uniform block.
  var uniforms: [Uniform] {
    parameters.flatMap { parameter, name, shape -> [Uniform] in
      let array = Self.array(of: parameter)
      var uniforms: [Uniform] = []
      switch shape {
      case .curve:
        uniforms = [
          Uniform(
            name: array, type: .vec4, arrayLength: ListShape.pointCounts.upperBound + 1, meaning: .list(parameter.name, .points))
        ]
      case .matrix(let rows, let columns):
        if let type = shape.matrixType {
          uniforms = [Uniform(name: name, type: type, meaning: .list(parameter.name, .columns))]
        } else {
          let count = (rows.upperBound * columns.upperBound + 3) / 4
          uniforms = [Uniform(name: array, type: .vec4, arrayLength: count, meaning: .list(parameter.name, .entries))]
        }
        let needsSize = shape.matrixType == nil || mentioned.contains(Self.size(of: parameter.name))
        if needsSize { uniforms.append(Uniform(name: Self.size(of: parameter.name), type: .ivec2, meaning: .list(parameter.name, .size))) }
      case .text(let rules):
        uniforms = [
          Uniform(name: array, type: .ivec4, arrayLength: (rules.longest + 3) / 4, meaning: .list(parameter.name, .characters)),
          Uniform(name: Self.length(of: parameter.name), type: .int, meaning: .list(parameter.name, .count)),
        ]
      }
      return uniforms
    }
  }

  /// The bytes that every device has room for in a uniform block.
  private static let mostBytes = 16384

  /// Curves, matrices and texts that do not fit into a uniform block together with everything else.
  static func diagnostics(_ header: FilterHeader) -> [Diagnostic] {
    // No other parameter and no clock takes more than a matrix of four columns.
    var bytes = 64 * (NativeScope.uniforms.count + header.parameters.count { $0.list == nil })
    for parameter in header.parameters {
      switch parameter.list {
      case .curve: bytes += 16 * (ListShape.pointCounts.upperBound + 1)
      case .matrix(let rows, let columns): bytes += 16 * ((rows.upperBound * columns.upperBound + 3) / 4 + 1)
      case .text(let rules): bytes += 16 * ((rules.longest + 3) / 4 + 1)
      case nil: continue
      }
      guard bytes > mostBytes else { continue }
      return [
        Diagnostic(
          "native.uniform-size", "the parameters take more than \(mostBytes) bytes, which not every device has room for",
          labels: parameter.place.map { [$0.label("one too many")] } ?? [],
          help: ["give matrices fewer rows and columns and texts a smaller 'LENGTH', or split the filter in two"])
      ]
    }
    return []
  }

  /// The functions.
  var text: String {
    parameters.map { parameter, name, shape in
      let array = Self.array(of: parameter)
      switch shape {
      case .curve: return Self.curve(name, array)
      case .matrix where shape.matrixType == nil:
        return """
          float \(name)(int row, int column) {
            ivec2 size = \(Self.size(of: parameter.name));
            bool isInside = row >= 0 && column >= 0 && row < size.y && column < size.x;
            int index = isInside ? row * size.x + column : 0;
            return isInside ? \(array)[index / 4][index % 4] : 0.0;
          }

          """
      case .matrix: return ""
      case .text:
        return """
          int \(name)(int index) {
            bool isInside = index >= 0 && index < \(Self.length(of: parameter.name));
            int place = isInside ? index : 0;
            return isInside ? \(array)[place / 4][place % 4] : 0;
          }

          """
      }
    }.joined()
  }

  /// The first element has the number of points; the others x, y, the slope, and the slope of the line to the next point.
  private static func curve(_ name: String, _ array: String) -> String {
    """
    float \(name)(float x) {
      int last = int(\(array)[0].x);
      int low = 1;
      for (int i = 2; i <= last; i++) low = x >= \(array)[i].x ? i : low;
      vec4 start = \(array)[low];
      float way = x - start.x;
      if (low == last || way < 0.0) return start.y + way * start.z;
      vec4 end = \(array)[low + 1];
      float part = way / (end.x - start.x);
      float bend = start.w - start.z + (start.w - start.z) + (start.w - end.z);
      float turn = (start.z - start.w) + (end.z - start.w);
      return start.y + way * (start.z + part * (bend + part * turn));
    }

    """
  }
}

/// `MATRIX_SIZE(weights)` becomes the uniform with the numbers of columns and rows, `TEXT_LENGTH(title)` that with the number of characters.
struct NativeListSizes: Rewrite {
  let name = "sizes of lists"
  private let matrices: Set<String>
  private let texts: Set<String>

  init(_ header: FilterHeader) {
    matrices = Set(header.parameters.filter { $0.kind == .matrix }.map(\.name))
    texts = Set(header.parameters.filter { $0.kind == .text }.map(\.name))
  }

  func apply(to tokens: inout [Token]) {
    for index in tokens.indices {
      let isMatrix = tokens[index].isName("MATRIX_SIZE")
      guard isMatrix || tokens[index].isName("TEXT_LENGTH"), let open = tokens.next(after: index), tokens[open].isMark("("),
        let list = tokens.next(after: open), (isMatrix ? matrices : texts).contains(tokens[list].text),
        let close = tokens.next(after: list), tokens[close].isMark(")")
      else { continue }
      tokens[index].text = isMatrix ? NativeLists.size(of: tokens[list].text) : NativeLists.length(of: tokens[list].text)
      for part in [open, list, close] { tokens.erase(part...part) }
    }
  }
}
