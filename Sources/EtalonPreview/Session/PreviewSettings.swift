internal import EtalonDiagnostics
internal import Foundation

/// What a session may do, and how.
///
/// **Concurrency**: an immutable value when it is shared.
public struct PreviewSettings: Sendable {
  /// The index or a part of the name of a device, as `--device` has it; nil chooses.
  public var device: String?
  /// Seconds that compiling, and each frame, may take.
  public var timeout = 30.0
  /// The folders that pages may write into, and read pictures and sounds from; links in them are followed only to places inside of them.
  public var folders: [String] = []
  /// The words of the command that opens a text at a line; empty opens none.
  ///
  /// `{file}`, `{line}` and `{column}` stand for the place; where `{file}` does not occur, the file is the last word.
  public var editor: [String] = []
  /// The most bytes of a picture, a video or a sound that a page brings.
  public var largestUpload = 512 << 20
  /// Whether checkpoints are kept of what frames leave to the next.
  public var keepsCheckpoints = true

  /// Settings that let pages write nothing.
  public init() {}
}
