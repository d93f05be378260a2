internal import EtalonComparison
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

extension ReferenceRule {
  /// Whether another device renders what is compared.
  var isDevice: Bool { if case .device = self { true } else { false } }

  /// What pictures of a case are compared as; PNG files may have more bits than the case says.
  func kinds(bits: Int) -> Set<ChannelKind> {
    switch self {
    case .none: return ChannelKind.levels
    case .device: return [bits == 16 ? .bits16 : .bits8]
    case .pictures(let pictures):
      return pictures.reduce(into: []) { kinds, picture in
        if picture.path(0).lowercased().hasSuffix(".exr") {
          kinds.insert(.floats)
        } else {
          kinds.formUnion(bits == 16 ? [.bits16] : ChannelKind.levels)
        }
      }
    }
  }
}

extension TestCase {
  /// Whether its references keep numbers as they are.
  var comparesFloats: Bool { reference.kinds(bits: bits) == [.floats] }
}
