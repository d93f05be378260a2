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

  @Option(help: ArgumentHelp("Only one kind: generator, filter, composite or transition.", valueName: "kind"))
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
      let kinds: KeyValuePairs = ["generator": "generator", "filter": "filter", "composite": "composite", "transition": "transition"]
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
      StandardError.write("no filter is what was asked for; 'etalon list' shows all\n")
    }
    let unread = all.count { $0.summary == nil }
    if filter.kind != nil || filter.category != nil, unread > 0 {
      StandardError.write("\(unread.of("file")) with problems \(unread == 1 ? "has" : "have") no known kind or category\n")
    }
  }
}
