package import EtalonTypes

/// A value that a filter expects from outside, with what it may be.
package struct FilterParameter: Sendable, Hashable {
  /// One of the values that a choice may have.
  package struct Choice: Sendable, Hashable {
    package let value: Int
    package let label: String

    package init(value: Int, label: String) {
      self.value = value
      self.label = label
    }
  }

  /// What the numbers measure.
  package enum Unit: String, Sendable, Hashable, CaseIterable {
    /// Pixels of the graph's nominal size.
    case pixels = "px"
    case degrees = "deg"
    case seconds = "s"
    /// Fractions of the picture's sides.
    case normalized
  }

  /// The name as the author wrote it.
  package let name: String
  package let kind: ParameterKind
  package internal(set) var defaultValue: Value
  /// Inclusive bounds, component by component; nil where there are none.
  package var minimum: Value?
  package var maximum: Value?
  /// Whether a clock gives the value while nobody sets it; the default is then what the clock starts with.
  package var followsClock = false
  /// The value with which the filter changes nothing.
  package var identity: Value?
  /// Values are the minimum (or 0) plus a multiple of it.
  package var step: Double?
  package var unit: Unit?
  package var label: String?
  package var help: String?
  package var group: String?
  /// For a choice, in the order in which they are offered; empty otherwise.
  package var choices: [Choice] = []
  /// Where it is declared; nil for one that the text only mentions.
  package var place: SourceRange?

  package init(name: String, kind: ParameterKind, defaultValue: Value, place: SourceRange? = nil) {
    precondition(defaultValue.type == kind.valueType, "a \(defaultValue.type) as the default of a \(kind)")
    self.name = name
    self.kind = kind
    self.defaultValue = defaultValue
    self.place = place
  }
}
