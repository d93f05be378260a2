import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation

/// The pictures of a report as elements of its page, each once, as long as there is room for them.
struct ReportPictures {
  /// What pictures become when there is no more room for whole ones.
  private static let smallSize = Size(160, 120)

  private let folder: String
  private let limit: Int
  private var byteCount = 0
  private var paths: Set<String> = []
  /// One script element a picture; its identity is the path that the results name.
  private(set) var elements: [String] = []

  init(folder: String, limit: Int) {
    self.folder = folder
    self.limit = limit
  }

  /// Adds what was rendered and what it was compared with; a file that is no longer there, or cannot be read, is left out, and the page says so.
  mutating func add(_ frame: FrameResult) throws(RenderError) {
    for kind in ["actual", "reference", "flip", "stability"] {
      guard let path = frame.pictures[kind], paths.insert(path).inserted else { continue }
      let whole = path.hasPrefix("/") ? path : folder + "/" + path
      guard let picture = try? PictureReader(acceptsFloats: true).read(path: whole) else { continue }
      try add(picture, path)
    }
  }

  private mutating func add(_ picture: PixelBuffer, _ path: String) throws(RenderError) {
    if picture.format == .rgba32f {
      let bytes = try png(picture.bytesAsLevels)
      if byteCount + bytes.count <= limit { return append(bytes, path, " data-format=\"rgba32f\"") }
      return append(try png(Thumbnail.scale(picture.levels(bits: 8), toFit: Self.smallSize)), path, " data-scaled")
    }
    let bytes = try png(picture)
    if byteCount + bytes.count <= limit { return append(bytes, path, "") }
    append(try png(Thumbnail.scale(picture, toFit: Self.smallSize)), path, " data-scaled")
  }

  private mutating func append(_ bytes: [UInt8], _ path: String, _ attributes: String) {
    byteCount += bytes.count
    let text = Data(bytes).base64EncodedString()
    elements.append("<script type=\"text/plain\" id=\"picture \(attribute(path))\"\(attributes)>\(text)</script>")
  }

  /// A PNG of the kinds that the page reads: 8 or 16 bits, without interlacing and without a palette.
  private func png(_ picture: PixelBuffer) throws(RenderError) -> [UInt8] {
    let sink = MemorySink()
    try PNGEncoder(PNGSettings(.small)).encode(picture, to: sink)
    return sink.bytes
  }

  private func attribute(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
  }
}

extension PixelBuffer {
  /// A picture of levels, as wide as its bytes are many, so that PNG packs the numbers of a picture of floats.
  fileprivate var bytesAsLevels: PixelBuffer {
    PixelBuffer(size: Size(size.width * format.bytesPerPixel / 4, size.height), format: .rgba8, alpha: .straight, bytes: bytes)
  }
}
