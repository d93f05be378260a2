internal import Etalon
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

extension RenderRequest.Subject {
  /// The same graph with only a rectangle of its first output.
  func cropped(to part: Extent) -> Self {
    adding("crop", [("left", part.x), ("bottom", part.y), ("width", part.size.width), ("height", part.size.height)])
  }

  private func adding(_ operation: String, _ values: [(String, Int)]) -> Self {
    guard case .graph(var text, let library) = self, let output = text.outputs.first else { return self }
    let place = output.name.place
    func word(_ text: String) -> GraphText.Word { GraphText.Word(text, at: place) }
    let settings = values.map { GraphText.Setting(name: word($0.0), value: LocatedNode(.scalar("\($0.1)"), at: place)) }
    let name = word("part-of-\(output.name.text)")
    text.nodes.append(
      GraphText.Node(name: name, filter: word(operation), inputs: [.init(name: nil, origin: output.origin)], settings: settings))
    text.outputs = [GraphText.Output(name: output.name, origin: .node(name))]
    return .graph(text, library)
  }
}

extension RenderedFrame {
  /// The same moment with another picture.
  func showing(_ picture: PixelBuffer) -> RenderedFrame { RenderedFrame(moment, number: number, picture, provenance) }
}

extension PixelBuffer {
  /// A rectangle of the picture.
  func part(_ part: Extent) -> PixelBuffer {
    let pixel = format.bytesPerPixel
    let top = size.height - part.y - part.size.height
    let width = part.size.width * pixel
    var rows: [UInt8] = []
    for row in top..<top + part.size.height {
      let start = row * bytesPerRow + part.x * pixel
      rows += bytes[start..<start + width]
    }
    return PixelBuffer(size: part.size, format: format, alpha: alpha, bytes: rows)
  }

  /// A picture of floats with half as many pixels a side: the means of four.
  func halved(to half: Size) -> PixelBuffer {
    var values = [Float](repeating: 0, count: half.pixelCount * 4)
    unsafe bytes.withUnsafeBytes { raw in
      let source = unsafe raw.bindMemory(to: Float.self)
      for y in 0..<half.height {
        for x in 0..<half.width {
          for channel in 0..<4 {
            let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map { dx, dy in
              let column = min(2 * x + dx, size.width - 1), row = min(2 * y + dy, size.height - 1)
              return unsafe source[(row * size.width + column) * 4 + channel]
            }
            values[(y * half.width + x) * 4 + channel] = corners.reduce(0, +) / 4
          }
        }
      }
    }
    return PixelBuffer(size: half, format: .rgba32f, alpha: alpha, bytes: unsafe values.withUnsafeBytes { unsafe Array($0) })
  }
}
