internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

/// Writes single pictures, such as contact sheets.
enum PictureFile {
  static func write(
    _ picture: PixelBuffer, to path: String, provenance: FrameProvenance, settings: PNGSettings, policy: ReplacePolicy
  ) throws(RenderError) {
    let file = try AtomicFile(path, replacing: policy)
    try PNGEncoder(settings).encode(picture, text: provenance.textChunks(deflate: settings.library), to: file)
    try file.commit()
  }
}
