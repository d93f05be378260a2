/// How much of a stranger's text the compiler is shown at most.
///
/// Real filters stay far below all of them; the compiler needs time and stack in proportion to what it is given.
package struct TextLimits: Sendable, Hashable {
  /// Bytes of one file.
  package var bytes = 1 << 20
  /// Tokens after includes and macros are expanded.
  package var tokens = 1 << 20
  /// Brackets inside each other.
  package var nesting = 256
  /// Operators that join one expression, after macros are expanded.
  package var operators = 20_000
  /// Files that are included, one inside the other.
  package var includeDepth = 16
  /// Files that are included in all.
  package var includes = 64

  package init() {}
}
