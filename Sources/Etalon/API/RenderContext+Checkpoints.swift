extension RenderContext {
  /// Where a context keeps what frames leave to the next, for images whose frames depend on those before.
  ///
  /// ```swift
  /// let context = try RenderContext(checkpoints: .folder("checkpoints"))
  /// try await context.write(trail, frames: 0..<500, rate: 24, to: "out/trail.####.png")
  /// // Another process goes on with frame 500, and renders none of those before.
  /// try await context.write(trail, frames: 500..<1000, rate: 24, to: "out/trail.####.png")
  /// ```
  /// Frames are the same with and without. A checkpoint counts for the same image, clock, device and program only.
  ///
  /// **Concurrency**: an immutable value; several contexts and processes may use one folder.
  public enum Checkpoints: Sendable, Hashable {
    /// Nothing is kept: a new context begins with the first frame.
    case off
    /// In the folder of the user, `~/.cache/etalon/checkpoints`, which takes 4 GiB at most.
    case user
    /// In a folder, which is made when something is kept and takes 4 GiB at most.
    case folder(String)

    var folder: CheckpointFolder? {
      switch self {
      case .off: nil
      case .user: .user
      case .folder(let path): CheckpointFolder(path: path)
      }
    }
  }
}
