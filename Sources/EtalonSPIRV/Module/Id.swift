/// The number of a result in a module: a type, a constant, a variable, a block or a value.
///
/// **Concurrency**: an immutable value.
package struct Id: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Wraps one operand word.
  package init(_ word: UInt32) { rawValue = word }

  /// The index into a table with one entry per id.
  package var index: Int { Int(rawValue) }

  /// As in the assembly language: `%12`.
  package var description: String { "%\(rawValue)" }

  package static func < (a: Id, b: Id) -> Bool { a.rawValue < b.rawValue }
}
