import Etalon

/// A list of filters as a table, one section for each library.
struct FilterListText {
  private static let longestDescription = 80
  private let listings: [FilterListing]
  private let nameWidth: Int

  init(_ listings: [FilterListing]) {
    self.listings = listings
    nameWidth = listings.map(\.name.count).max() ?? 0
  }

  /// The sections with empty lines between them; ends in a newline unless there is nothing.
  var text: String {
    var sections: [(library: LibraryFolder, lines: [String])] = []
    for listing in listings {
      if sections.last?.library != listing.library { sections.append((listing.library, [])) }
      sections[sections.count - 1].lines.append(line(listing))
    }
    return sections.map { "\($0.library.title)\n\($0.lines.map { "  \($0)\n" }.joined())" }.joined(separator: "\n")
  }

  private func line(_ listing: FilterListing) -> String {
    var columns = [padded(listing.name, nameWidth)]
    switch listing.content {
    case .filter(let summary):
      columns += [padded(summary.kind, 10), padded(summary.dialect, 13)]
      if !summary.categories.isEmpty { columns.append("[\(summary.categories.map(oneLine).joined(separator: ", "))]") }
      if let description = summary.description { columns.append(shortened(oneLine(description))) }
    case .problem(let problem):
      columns.append("problem: " + oneLine(text(problem, listing)))
    }
    if let winner = listing.shadowedBy { columns.append("(hidden by \(winner))") }
    return String(columns.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
  }

  private func text(_ problem: FilterProblem, _ listing: FilterListing) -> String {
    let place = problem.place.map { "\($0.path):\($0.line):\($0.column)" } ?? listing.path
    return "\(place): \(problem.message) [\(problem.id)]"
  }

  private func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

  /// Strangers' texts must not move the cursor of a terminal.
  private func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) } ? " " : $0 })
      .split(separator: " ").joined(separator: " ")
  }

  private func shortened(_ text: String) -> String {
    text.count <= Self.longestDescription ? text : text.prefix(Self.longestDescription - 1) + "…"
  }
}
