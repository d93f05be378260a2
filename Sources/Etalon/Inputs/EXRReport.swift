package import EtalonDiagnostics
internal import EtalonMedia

/// What an OpenEXR picture is, and how Etalon reads it (`etalon describe beauty.exr`).
///
/// **Concurrency**: an immutable value.
package struct EXRReport: Sendable, Encodable {
  package struct Channel: Sendable, Encodable {
    package let name: String
    /// `half`, `float` or `uint`.
    package let numbers: String
  }

  /// Columns and rows with both ends.
  package struct Window: Sendable, Encodable {
    package let left: Int
    package let top: Int
    package let right: Int
    package let bottom: Int
  }

  package struct Part: Sendable, Encodable {
    package let number: Int
    package let name: String?
    /// The pixels that are shown.
    package let displayWindow: Window
    /// The pixels that the file has.
    package let dataWindow: Window
    package let compression: String?
    /// The size of the tiles; nil for rows.
    package let tiles: String?
    package let hasLevels: Bool
    package let isDeep: Bool
    package let channels: [Channel]
    /// The names of layers, the empty one for channels without a layer.
    package let layers: [String]
    /// x and y of red, green, blue and white, where the file says them.
    package let chromaticities: [Float]?
    /// Whether the file says other primaries than those of BT.709, which it is read as.
    package let hasOtherPrimaries: Bool
  }

  package let path: String
  package let parts: [Part]
  package let metadata: [String: String]

  /// Reads the header of a file; nil for what is no OpenEXR file.
  package init?(ofFile path: String) throws(RenderError) {
    guard let outline = try EXROutline(path: path) else { return nil }
    self.path = path
    parts = outline.parts.map(Part.init)
    metadata = Dictionary(outline.texts.map { ($0.keyword, $0.text) }) { first, _ in first }
  }

  /// The report for people, line by line; ends in a newline.
  package var text: String {
    var lines = ["\(path)  an OpenEXR picture" + (parts.count == 1 ? "" : " of \(parts.count) parts")]
    for part in parts {
      if parts.count > 1 { lines.append("part \(part.number)\(part.name.map { " '\($0)'" } ?? "")") }
      lines += part.lines
    }
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { lines.append(Self.line("text", "\(key): \(value)")) }
    return lines.map { $0 + "\n" }.joined()
  }

  fileprivate static func line(_ name: String, _ value: String) -> String {
    "  " + name + String(repeating: " ", count: max(1, 12 - name.count)) + value
  }
}

extension EXRReport.Part {
  /// x and y of the primaries and the white (ITU-R BT.709-6).
  private static let rec709: [Float] = [0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290]

  fileprivate init(_ part: EXRPart) {
    (number, name, compression, isDeep) = (part.index, part.name, part.compression, part.isDeep)
    (displayWindow, dataWindow) = (EXRReport.Window(part.display), EXRReport.Window(part.data))
    (tiles, hasLevels) = (part.tiles.map { "\($0)" }, part.hasLevels)
    channels = part.channels.map { EXRReport.Channel(name: $0.name, numbers: $0.numbers.rawValue) }
    layers = part.layers
    chromaticities = part.chromaticities
    hasOtherPrimaries = part.chromaticities.map { zip($0, Self.rec709).contains { abs($0 - $1) > 0.0005 } } ?? false
  }

  fileprivate var lines: [String] {
    let display = displayWindow
    var lines = [EXRReport.line("size", "\(display.right - display.left + 1)x\(display.bottom - display.top + 1)")]
    if dataWindow.text != display.text {
      lines.append(EXRReport.line("data", "\(dataWindow.text), shown are \(display.text)"))
    }
    let layout = tiles.map { "tiles of \($0)" + (hasLevels ? ", with smaller versions" : "") } ?? "rows"
    lines.append(EXRReport.line("packed", "\(compression ?? "unknown"), \(layout)\(isDeep ? ", deep pixels, which are not read" : "")"))
    for layer in layers {
      let own = channels.filter {
        (layer.isEmpty ? !$0.name.contains(".") : $0.name.hasPrefix(layer + ".") && !$0.name.dropFirst(layer.count + 1).contains("."))
      }
      let names = own.map { "\($0.name.dropFirst(layer.isEmpty ? 0 : layer.count + 1)) \($0.numbers)" }.joined(separator: ", ")
      lines.append(EXRReport.line(layer.isEmpty ? "channels" : "layer", layer.isEmpty ? names : "\(layer): \(names)"))
    }
    if let chromaticities, hasOtherPrimaries {
      let places = stride(from: 0, to: 8, by: 2).map { "\(chromaticities[$0]) \(chromaticities[$0 + 1])" }
      let said = zip(["red", "green", "blue", "white"], places).map { "\($0) \($1)" }.joined(separator: ", ")
      lines.append(EXRReport.line("primaries", "\(said), read as those of Rec. 709"))
    }
    return lines
  }
}

extension EXRReport.Window {
  fileprivate init(_ window: EXRPart.Window) {
    (left, top, right, bottom) = (window.left, window.top, window.right, window.bottom)
  }

  fileprivate var text: String { "columns \(left) to \(right) and rows \(top) to \(bottom)" }
}
