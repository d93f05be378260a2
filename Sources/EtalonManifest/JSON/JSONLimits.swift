/// How much of a stranger's JSON is read at most.
package struct JSONLimits: Sendable, Hashable {
  package var bytes = 1 << 24
  /// Objects and arrays inside each other.
  package var nesting = 64
  /// Objects, arrays and simple values in all.
  package var values = 1 << 18
  /// Diagnostics, after which reading goes on in silence.
  package var diagnostics = 50

  package init() {}
}
