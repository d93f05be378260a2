package import EtalonDiagnostics

/// One frame to be written: where it comes from, where it goes, and whom to tell.
package struct FrameJob: Sendable {
  /// One of the files that a frame becomes.
  package struct File: Sendable {
    package let path: String
    /// What the file says about itself.
    package let provenance: FrameProvenance
    /// Waits for the frame and hands out the rows of the file; called once, on the thread that encodes.
    package let rows: @Sendable () throws(RenderError) -> any RowSource

    package init(
      path: String, provenance: FrameProvenance, rows: @escaping @Sendable () throws(RenderError) -> any RowSource
    ) {
      self.path = path
      self.provenance = provenance
      self.rows = rows
    }
  }

  /// Written one after the other; after a failure the later ones are not written.
  package let files: [File]
  /// What may be replaced.
  package let policy: ReplacePolicy
  /// Called exactly once, when the frame is in its place or has failed; the rows are not used any more.
  package let completion: @Sendable (Result<Void, RenderError>) -> Void

  /// Describes a frame.
  package init(
    files: [File], policy: ReplacePolicy, completion: @escaping @Sendable (Result<Void, RenderError>) -> Void
  ) {
    self.files = files
    self.policy = policy
    self.completion = completion
  }

  /// Encodes and writes the frame.
  func write(with encoder: PNGEncoder, library: DeflateLibrary) throws(RenderError) {
    for file in files {
      let rows = try file.rows()
      let destination = try AtomicFile(file.path, replacing: policy)
      try encoder.encode(rows, text: file.provenance.textChunks(deflate: library), to: destination)
      try destination.commit()
    }
  }
}
