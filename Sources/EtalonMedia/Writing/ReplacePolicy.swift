package import EtalonDiagnostics

/// What may happen to a file that is there already.
package enum ReplacePolicy: Sendable, Hashable {
  /// A PNG that Etalon wrote is replaced, anything else is refused.
  case ownFrames
  /// Everything is replaced (`--overwrite`).
  case anything

  /// Fails when a file is there that may not be replaced.
  package func check(_ path: String) throws(RenderError) {
    let kind = FileKind(path: path)
    if kind == .folder { throw AtomicFile.cannotWrite(path, nil, "it is a folder", help: ["name a file in it"]) }
    guard self == .ownFrames, kind != .missing, !FrameProvenance.isOwn(path: path) else { return }
    throw RenderError(
      .cannotWrite, "cannot write '\(path)'", underlying: "a file that Etalon did not write is there",
      help: ["choose another name, or pass --overwrite"])
  }
}
