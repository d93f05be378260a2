package import EtalonDiagnostics

/// The files that single frames become, told by the ending of their names.
package enum FrameFileType: String, Sendable, Hashable, CaseIterable {
  case png = "PNG"
  case tiff = "TIFF"
  case exr = "OpenEXR"

  /// The endings of names, the usual one first.
  package var endings: [String] {
    switch self {
    case .png: [".png"]
    case .tiff: [".tif", ".tiff"]
    case .exr: [".exr"]
    }
  }

  /// The type of a path; nil for one with another ending.
  package init?(path: String) {
    let lowercased = path.lowercased()
    guard let type = Self.allCases.first(where: { $0.endings.contains { lowercased.hasSuffix($0) } }) else { return nil }
    self = type
  }
}

/// Writes frames as the names of their files say; keeps its buffers from one to the next.
///
/// **Concurrency**: used by one thread at a time; make one for each thread.
package final class FrameEncoder {
  private let settings: PNGSettings
  private lazy var png = PNGEncoder(settings)
  private lazy var tiff = TIFFEncoder(settings)

  package init(_ settings: PNGSettings = PNGSettings()) { self.settings = settings }

  /// Writes one picture of `rgba8` or `rgba16`; a path with no ending of its own becomes PNG, as a pipe does.
  ///
  /// Fails for a path that ends as an OpenEXR file, which has no levels.
  package func encode(_ rows: some RowSource, text: [TextChunk], as path: String, to sink: any ByteSink) throws(RenderError) {
    switch FrameFileType(path: path) ?? .png {
    case .png: try png.encode(rows, text: text, to: sink)
    case .tiff: try tiff.encode(rows, text: text, to: sink)
    case .exr:
      throw RenderError(
        .cannotWrite, "cannot write '\(path)': OpenEXR files hold light, and this picture has levels",
        help: ["end its name in .png or .tif"])
    }
  }

  /// Writes the layers of an OpenEXR file, `rgba32f`, or the only picture of another file.
  ///
  /// - Parameter numbers: those of an OpenEXR file; nil for other files.
  func encode(
    _ layers: [EXRWriter.Layer], numbers: EXRPart.Numbers?, text: [TextChunk], as path: String, to sink: any ByteSink
  ) throws(RenderError) {
    if let numbers { return try EXRWriter(numbers: numbers).write(layers, text: text, to: sink) }
    for layer in layers { try encode(layer.rows, text: text, as: path, to: sink) }
  }
}
