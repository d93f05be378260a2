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
    var columns = [listing.name.padded(to: nameWidth)]
    switch listing.content {
    case .filter(let summary):
      columns += [summary.kind.padded(to: 10), summary.dialect.padded(to: 13)]
      if !summary.categories.isEmpty { columns.append("[\(summary.categories.map(\.onOneLine).joined(separator: ", "))]") }
      if let description = summary.description { columns.append(shortened(description.onOneLine)) }
    case .problem(let problem):
      columns.append("problem: " + text(problem, listing).onOneLine)
    }
    if let winner = listing.shadowedBy { columns.append("(hidden by \(winner))") }
    return String(columns.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
  }

  private func text(_ problem: FilterProblem, _ listing: FilterListing) -> String {
    let place = problem.place.map { "\($0.path):\($0.line):\($0.column)" } ?? listing.path
    return "\(place): \(problem.message) [\(problem.id)]"
  }

  private func shortened(_ text: String) -> String {
    text.count <= Self.longestDescription ? text : text.prefix(Self.longestDescription - 1) + "…"
  }
}
