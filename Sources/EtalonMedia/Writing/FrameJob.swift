package import EtalonDiagnostics

/// One frame to be written: where it comes from, where it goes, and whom to tell.
package struct FrameJob: Sendable {
  /// The path of the file.
  package let path: String
  /// What may be replaced.
  package let policy: ReplacePolicy
  /// What the file says about itself.
  package let provenance: FrameProvenance
  /// Waits for the frame and hands out its rows; called once, on the thread that encodes.
  package let rows: @Sendable () throws(RenderError) -> any RowSource
  /// Called exactly once, when the frame is in its place or has failed; the rows are not used any more.
  package let completion: @Sendable (Result<Void, RenderError>) -> Void

  /// Describes a frame.
  package init(
    path: String, policy: ReplacePolicy, provenance: FrameProvenance, rows: @escaping @Sendable () throws(RenderError) -> any RowSource,
    completion: @escaping @Sendable (Result<Void, RenderError>) -> Void
  ) {
    self.path = path
    self.policy = policy
    self.provenance = provenance
    self.rows = rows
    self.completion = completion
  }

  /// Encodes and writes the frame.
  func write(with encoder: PNGEncoder, library: DeflateLibrary) throws(RenderError) {
    let rows = try rows()
    let file = try AtomicFile(path, replacing: policy)
    try encoder.encode(rows, text: provenance.textChunks(deflate: library), to: file)
    try file.commit()
  }
}
