package import EtalonGraph
package import EtalonMedia

/// What the pictures of a case are compared with.
package enum ReferenceRule: Sendable, Hashable {
  /// Stored pictures: one for a case with one frame, a pattern with a place for the number for others. Any of them may be equal.
  case pictures([Picture])
  /// The same frames on another device.
  case device(GraphText.Word)
  /// Nothing: the case has invariants only, or none at all.
  case none

  /// A stored picture, or a sequence of them.
  package struct Picture: Sendable, Hashable {
    package let pattern: FramePattern
    /// Where it was named; nil for the name that follows from the case.
    package let written: GraphText.Word?
    /// The hash that the file must have; nil where nothing is said.
    package var hash: GraphText.Word?

    /// The file of a frame.
    ///
    /// - Parameter number: the number of the frame; of a time its place among the times, from 0.
    package func path(_ number: Int) -> String { pattern.path(frame: number) }

    /// The file of a frame that is meant for one kind of device only: `soft@llvmpipe.png`.
    package func path(_ number: Int, for key: ReferenceKey) -> String {
      let path = path(number)
      guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return "\(path)@\(key.text)" }
      return "\(path[..<dot])@\(key.text)\(path[dot...])"
    }
  }
}
