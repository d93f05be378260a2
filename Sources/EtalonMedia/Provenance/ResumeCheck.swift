package import EtalonTypes

/// Finds out which frames of an interrupted render are there already.
///
/// ```
/// ResumeCheck(size: size, bits: 8).state(of: "out/plasma.0007.png", recipe: hash)
/// ```
package struct ResumeCheck: Sendable, Hashable {
  /// What a path holds.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case missing
    /// The frame that is wanted, whole.
    case complete
    /// A frame of ours that is cut short or comes from another recipe or size.
    case stale
    /// Something that Etalon did not write.
    case foreign
  }

  private let size: Size
  private let bits: Int

  /// Looks for frames of a size and of 8 or 16 bits.
  package init(size: Size, bits: Int) {
    self.size = size
    self.bits = bits
  }

  /// What is at a path, judged by its outline; pixels are not decoded.
  package func state(of path: String, recipe: String) -> State {
    let kind = FileKind(path: path)
    guard kind != .missing else { return .missing }
    guard kind == .regular, let outline = try? PNGOutline(path: path), FrameProvenance.isOwn(outline.texts) else { return .foreign }
    let isWanted = outline.texts.contains(TextChunk("etalon:recipe", recipe)) && outline.size == size && outline.bits == bits
    return isWanted && outline.isComplete ? .complete : .stale
  }
}
