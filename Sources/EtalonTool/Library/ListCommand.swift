import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonTypes

/// `etalon list`: the filters that can be used by name.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the filters of all libraries, with what hides them and what is wrong with them.",
    discussion: """
      etalon list
      etalon list blur --kind filter
      etalon list --library ./Filters --category glitch --json
      """)

  @Argument(help: ArgumentHelp("Words that must all occur in a filter's name, description or parameters.", valueName: "word"))
  var words: [String] = []

  @OptionGroup var libraries: LibraryOptions

  @Option(help: ArgumentHelp("Only one kind: generator, filter, composite, transition or sound.", valueName: "kind"))
  var kind: String?

  @Option(help: ArgumentHelp("Only one category, such as blur.", valueName: "category"))
  var category: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let report = FailureReport(format: .text)
    do {
      let filter = try listingFilter()
      let library = try libraries.open()
      report.print(library.warnings)
      let listings = library.listings()
      let wanted = listings.filter(filter.accepts)
      StandardOutput.write(json ? FilterListJSON.text(wanted) : FilterListText(wanted).text)
      if !json { explain(listings, wanted, filter) }
    } catch {
      throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue)
    }
  }

  private func listingFilter() throws -> ListingFilter {
    var filter = ListingFilter()
    filter.words = words
    filter.category = category
    guard let kind else { return filter }
    do throws(DiagnosticsError) {
      let kinds: KeyValuePairs = [
        "generator": "generator", "filter": "filter", "composite": "composite", "transition": "transition", "sound": "sound",
      ]
      filter.kind = try OptionText("--kind", kind).choice(of: kinds)
    } catch {
      throw UsageError(diagnostics: error.diagnostics)
    }
    return filter
  }

  /// Says why a list is empty, or what it does not show.
  private func explain(_ all: [FilterListing], _ wanted: [FilterListing], _ filter: ListingFilter) {
    if all.isEmpty {
      StandardError.write("there are no filters; name a folder with '--library'\n")
    } else if wanted.isEmpty {
      let unknown = filter.words.map { "'\($0)'" }.joined(separator: " and ")
      let has = unknown.isEmpty ? "no filter has this kind or category" : "no filter has \(unknown) in its name, description or parameters"
      let narrowed = !unknown.isEmpty && (filter.kind != nil || filter.category != nil) ? " and this kind or category" : ""
      StandardError.write("\(has)\(narrowed); 'etalon list' shows all\n")
    }
    let unread = all.count { $0.summary == nil }
    if filter.kind != nil || filter.category != nil, unread > 0 {
      StandardError.write("\(unread.of("file")) with problems \(unread == 1 ? "has" : "have") no known kind or category\n")
    }
  }
}

/// Where filters are looked up.
struct LibraryOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A folder with filters, searched before the others; may be repeated.", valueName: "folder"))
  var library: [String] = []

  /// The filters that the options and the environment lead to.
  func open() throws(RenderError) -> FilterLibrary { FilterLibrary(try LibrarySearch(named: library)) }
}

// MARK: text and JSON

/// A list of filters as a table, one section for each library.
private struct FilterListText {
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
      if let title = summary.title { columns.append("'\(title.onOneLine)'") }
      if let description = summary.description { columns.append(shortened(description.onOneLine)) }
    case .diagnostic(let diagnostic):
      columns.append("problem: " + text(diagnostic, listing).onOneLine)
    }
    if let winner = listing.shadowedBy { columns.append("(hidden by \(winner))") }
    var line = columns.joined(separator: "  ")
    while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
    return line
  }

  private func text(_ diagnostic: FilterDiagnostic, _ listing: FilterListing) -> String {
    let place = diagnostic.place.map { "\($0.path):\($0.line):\($0.column)" } ?? listing.path
    return "\(place): \(diagnostic.message) [\(diagnostic.id)]"
  }

  private func shortened(_ text: String) -> String {
    text.utf8.count <= Self.longestDescription || text.count <= Self.longestDescription
      ? text : text.prefix(Self.longestDescription - 1) + "…"
  }
}

/// A list of filters as versioned JSON; keys are sorted.
///
/// `{"version": 1, "filters": [{"name", "path", "library": {"path", "origin"}, "kind", "dialect", "title", "description", "categories": [], "aliases": [], "inputs": [],
/// "parameters": [], "shadowedBy", "problem": {"id", "message", "place": {"path", "line", "column"}}}]}`. A filter has either a `kind` or a `problem`.
private enum FilterListJSON {
  private struct Document: Encodable {
    let version = 1
    let filters: [Entry]
  }
  private struct Entry: Encodable {
    let name: String
    let path: String
    let library: Library
    let kind: String?
    let dialect: String?
    let title: String?
    let description: String?
    let categories: [String]?
    let aliases: [String]?
    let inputs: [String]?
    let parameters: [String]?
    let shadowedBy: String?
    let problem: FilterDiagnostic?
  }
  private struct Library: Encodable {
    let path: String
    let origin: String
  }

  static func text(_ listings: [FilterListing]) -> String {
    JSONText.text(Document(filters: listings.map(entry)))
  }

  private static func entry(_ listing: FilterListing) -> Entry {
    let summary = listing.summary
    let diagnostic: FilterDiagnostic? = if case .diagnostic(let diagnostic) = listing.content { diagnostic } else { nil }
    return Entry(
      name: listing.name, path: listing.path, library: Library(path: listing.library.path, origin: listing.library.origin.rawValue),
      kind: summary?.kind, dialect: summary?.dialect, title: summary?.title, description: summary?.description,
      categories: summary?.categories, aliases: summary.flatMap { $0.aliases.isEmpty ? nil : $0.aliases },
      inputs: summary?.inputs, parameters: summary?.parameters, shadowedBy: listing.shadowedBy, problem: diagnostic)
  }
}
