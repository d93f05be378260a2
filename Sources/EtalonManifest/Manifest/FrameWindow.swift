/// The frames around a moment that a filter reads of an input: `"FRAMES": [-2, 2]` in a header.
package struct FrameWindow: Sendable, Hashable {
  /// What is read where a picture has no such frame, because it has not begun or is over.
  package enum Ends: String, Sendable, Hashable, CaseIterable {
    /// The first or the last frame.
    case hold
    /// The frames in reverse: beyond the last one that before it.
    case mirror
    /// Transparent black.
    case transparent
  }

  /// How far frames may lie from each other that a filter reads at once.
  package static let mostFrames = 16

  /// From 0 or below to 0 or above; 0 is the frame itself.
  package let offsets: ClosedRange<Int>
  package let ends: Ends
  /// The parameter that says how far the frames are away at most that are read; nil for a text that may read all of them.
  package var distance: String?

  /// - Precondition: the frame itself is one of them.
  package init(_ offsets: ClosedRange<Int>, ends: Ends = .hold) {
    precondition(offsets.contains(0), "frames \(offsets) without the frame itself")
    (self.offsets, self.ends) = (offsets, ends)
  }

  /// `-2`, `+1`.
  package static func text(_ offset: Int) -> String { offset > 0 ? "+\(offset)" : "\(offset)" }

  /// The name under which a pass reads an input at another frame: `inputImage[-2]`.
  package static func name(of input: String, at offset: Int) -> String { offset == 0 ? input : "\(input)[\(text(offset))]" }

  /// The input of which such a name is another frame.
  package static func input(of name: String) -> String { String(name.prefix { $0 != "[" }) }
}

extension FilterInput {
  /// The same input at another frame, as an input of its own.
  package func at(_ offset: Int) -> FilterInput {
    guard offset != 0 else { return self }
    var input = FilterInput(
      name: FrameWindow.name(of: name, at: offset), label: label, origin: origin, shape: shape, sampler: sampler, isFlipped: isFlipped,
      space: space, alpha: alpha, sound: sound, place: place)
    (input.isRead, input.isReadInPixels) = (isRead, isReadInPixels)
    return input
  }
}

extension PassTexture.Source {
  /// The input that it shows, now or at another frame; nil for a target.
  package var input: String? { if case .input(let name) = self { FrameWindow.input(of: name) } else { nil } }
}

extension FilterManifest {
  /// The input of a name, also of one for another frame.
  package func input(_ name: String) -> FilterInput? {
    let own = FrameWindow.input(of: name)
    return inputs.first { $0.name == own }
  }

  /// The frames beside its own that passes read of an input, in their order.
  package func moments(of input: FilterInput) -> [Int] {
    guard let window = input.frames else { return [] }
    let read = Set(passes.flatMap(\.textures).map(\.source))
    return window.offsets.filter { $0 != 0 && read.contains(.input(FrameWindow.name(of: input.name, at: $0))) }
  }

  /// The inputs, each followed by what passes read of it at other frames.
  package var inputsWithMoments: [FilterInput] { inputs.flatMap { input in [input] + moments(of: input).map(input.at) } }
}
