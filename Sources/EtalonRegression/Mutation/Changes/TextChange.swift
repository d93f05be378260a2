internal import EtalonDiagnostics

/// What kind of small mistake a change to a shader stands for.
package enum MutationKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// Another number.
  case constant
  /// Another operator.
  case `operator`
  /// Other components, or the same in another order.
  case swizzle
  /// A function in the place of its neighbor, or its arguments the other way round.
  case function
  /// A condition that holds when it should not.
  case branch
  /// Another interpolation, or another rule for what lies beyond the edge.
  case sampling
  /// A parameter that is something else unless it is set.
  case `default`
  /// A pass that does nothing.
  case pass
}

/// Bytes of a text that are replaced by others.
struct TextChange: Sendable, Hashable {
  let kind: MutationKind
  let range: Range<Int>
  let replacement: String

  /// The bytes of a text with the change.
  func applied(to bytes: [UInt8]) -> [UInt8] { bytes[..<range.lowerBound] + Array(replacement.utf8) + bytes[range.upperBound...] }
}

/// A rule that finds places in a shader where somebody could have made a small mistake.
protocol MutationRule: Sendable {
  var kind: MutationKind { get }

  /// The changes that the rule has for a text.
  func changes(of text: ShaderTokens) -> [TextChange]
}
