internal import EtalonTypes

/// Values from columns of a table.
package struct Track: Sendable, Hashable, CustomStringConvertible {
  /// The file as a person wrote it.
  package let path: String
  /// One for each component.
  package let columns: [String]
  /// What happens between two rows.
  package let between: Between
  /// What happens in gaps, before the first row and behind the last one.
  package let missing: Missing
  package let table: TrackTable
  package let origin: ValueOrigin

  package enum Between: String, Sendable, Hashable, CaseIterable {
    case linear, hold
  }

  package enum Missing: String, Sendable, Hashable, CaseIterable {
    /// A mistake.
    case fail
    /// The nearest row before, or the first row, counts.
    case hold
  }

  /// Every column is there, as many as the value has components.
  package init(
    path: String, columns: [String], between: Between, missing: Missing, table: TrackTable, origin: ValueOrigin = ValueOrigin(nil)
  ) {
    precondition(columns.allSatisfy { table.columns[$0] != nil }, "a track of a column that is not there")
    self.path = path
    self.columns = columns
    self.between = between
    self.missing = missing
    self.table = table
    self.origin = origin
  }

  package var description: String { "{track: \"\(path)\", \(settings)}" }

  /// What pixels depend on: what the file holds, not what it is called.
  var recipeText: String { "{track: \(table.digest), \(settings)}" }

  private var settings: String {
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    return "column: \(columns.count > 1 ? "[\(names)]" : names), between: \(between.rawValue), missing: \(missing.rawValue)"
  }

  package static func == (a: Track, b: Track) -> Bool { a.recipeText == b.recipeText }

  package func hash(into hasher: inout Hasher) { hasher.combine(recipeText) }
}
