package import EtalonDiagnostics
package import EtalonTypes

/// Reads OpenEXR pictures through OpenEXR's library: every compression, rows and tiles, layers and parts.
///
/// They become `rgba32f` of the size of the display window. Numbers are those of the file: nothing is clamped, and color is not multiplied or divided by
/// alpha; files by convention hold light, that alpha is multiplied into, unless Etalon wrote them and says otherwise.
///
/// ```
/// let glow = try EXRReader().read(path: "glow.exr")
/// let diffuse = try EXRReader(PictureChoice(layer: "diffuse")).read(path: "beauty.exr")
/// ```
///
/// **Concurrency**: an immutable value.
package struct EXRReader: Sendable {
  private let limits: PictureLimits
  private let choice: PictureChoice

  /// Makes a reader.
  package init(_ choice: PictureChoice = PictureChoice(), limits: PictureLimits = PictureLimits()) {
    (self.choice, self.limits) = (choice, limits)
  }

  /// Whether some bytes are the start of an OpenEXR file.
  package static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) }

  /// Reads a file.
  package func read(path: String) throws(RenderError) -> PixelBuffer {
    try read(FileReader.bytes(of: path, limit: limits.fileSize), name: path)
  }

  /// Reads the bytes of a file; `name` is what errors call it.
  package func read(_ bytes: [UInt8], name: String) throws(RenderError) -> PixelBuffer {
    try EXRFile.open(bytes, name: name) { file throws(RenderError) in
      let shown = try EXRChoice(choice, of: file.parts(), in: name).shown()
      let part = shown.part
      _ = try limits.check(width: part.data.width, height: part.data.height, fileSize: bytes.count, name: name)
      let size = try limits.check(width: part.display.width, height: part.display.height, fileSize: bytes.count, name: name)
      let texts = file.texts(of: part.index)
      let isOpaque = shown.sources[3] == nil && part.data.contains(part.display)
      let said = texts.first { $0.keyword == EXRWriter.alphaAttribute(ofLayer: shown.layer) }.flatMap { AlphaMode(rawValue: $0.text) }
      return PixelBuffer(
        size: size, format: .rgba32f, alpha: isOpaque ? .opaque : said ?? .premultiplied, bytes: try file.pixels(of: part, shown.sources),
        isLight: !texts.contains(TextChunk(EXRWriter.numbersAttribute, EXRWriter.encodedNumbers)))
    }
  }
}

/// Finds the channels that make a picture.
private struct EXRChoice {
  struct Shown {
    let part: EXRPart
    let layer: String
    /// Red to alpha, by their places in the file.
    let sources: [Int?]
  }

  private let choice: PictureChoice
  private let parts: [EXRPart]
  private let name: String

  init(_ choice: PictureChoice, of parts: [EXRPart], in name: String) { (self.choice, self.parts, self.name) = (choice, parts, name) }

  func shown() throws(RenderError) -> Shown {
    let part = try part()
    guard !part.isDeep else {
      throw failure(
        "it has deep pixels, of which each may have several colors", help: "flatten it first: oiiotool in.exr --flatten -o out.exr")
    }
    let layer = choice.layer ?? ""
    let channels = part.channels.enumerated().filter { $0.element.layer == layer }
    func place(_ component: String) -> Int? { channels.first { $0.element.component == component }?.offset }
    guard !channels.isEmpty || choice.layer == nil else { throw failure("it has no layer '\(layer)'", help: hint) }
    if place("RY") != nil || place("BY") != nil {
      throw failure(
        "it has luminance and differences of color, the channels Y, RY and BY",
        help: "write it as red, green and blue: oiiotool in.exr -o out.exr")
    }
    let sources = try colors(channels.map { ($0.element.component, $0.offset) }, place) + [place("A")]
    for channel in sources.compactMap({ $0 }).map({ part.channels[$0] }) where !channel.isWhole {
      throw failure("its channel '\(channel.name)' has fewer pixels than the picture", help: "write it again: oiiotool in.exr -o out.exr")
    }
    return Shown(part: part, layer: layer, sources: sources)
  }

  /// The channels of red, green and blue; those that are missing beside another are 0.
  private func colors(_ all: [(name: String, place: Int)], _ place: (String) -> Int?) throws(RenderError) -> [Int?] {
    if ["R", "G", "B"].contains(where: { place($0) != nil }) { return [place("R"), place("G"), place("B")] }
    if let x = place("X"), let y = place("Y"), let z = place("Z") { return [x, y, z] }
    if let gray = place("Y") { return [gray, gray, gray] }
    let rest = all.filter { $0.name != "A" }
    // A layer with one channel shows it, whatever that is called.
    if choice.layer != nil, rest.count == 1 { return [rest[0].place, rest[0].place, rest[0].place] }
    let kind = choice.layer.map { "its layer '\($0)' has" } ?? "it has"
    throw failure("\(kind) no channel R, G, B or Y: \(contents)", help: hint)
  }

  private func part() throws(RenderError) -> EXRPart {
    guard let wanted = choice.part else {
      guard let layer = choice.layer else { return parts[0] }
      return parts.first { $0.layers.contains(layer) } ?? parts[0]
    }
    if let part = parts.first(where: { $0.name == wanted }) { return part }
    if let number = Int(wanted), parts.indices.contains(number) { return parts[number] }
    throw failure("it has no part '\(wanted)'", help: hint)
  }

  /// What to type for each picture that can be shown.
  private var hint: String {
    let nearest = NearestName.find(
      choice.layer ?? choice.part ?? "", in: parts.flatMap { $0.layers + [$0.name].compactMap(\.self) }.filter { !$0.isEmpty })
    if let nearest { return "did you mean '\(nearest)'?" }
    let layers = parts.flatMap { part in part.layers.filter { !$0.isEmpty }.map { ",layer=\($0)" } }
    let named = parts.count > 1 ? parts.map { ",part=\($0.name ?? "\($0.index)")" } : []
    let choices = (named + layers).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return choices.isEmpty
      ? "choose channels: oiiotool in.exr --ch R=…,G=…,B=… -o out.exr"
      : "type one of these behind its name: \(choices.prefix(12).map { "'\($0)'" }.joined(separator: ", "))"
  }

  private var contents: String {
    let names =
      parts.count == 1
      ? parts[0].channels.map(\.name) : parts.flatMap { part in part.channels.map { "\(part.name ?? "\(part.index)"): \($0.name)" } }
    return "it has \(names.prefix(24).joined(separator: ", "))" + (names.count > 24 ? " and \(names.count - 24) more" : "")
  }

  private func failure(_ reason: String, help: String) -> RenderError {
    RenderError(.invalidInput, "cannot read the OpenEXR picture '\(name)'", underlying: reason, help: [help])
  }
}
