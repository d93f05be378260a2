import Etalon

/// A list of filters as versioned JSON; keys are sorted.
///
/// `{"version": 1, "filters": [{"name", "path", "library": {"path", "origin"}, "kind", "dialect", "description", "categories": [], "inputs": [],
/// "parameters": [], "shadowedBy", "problem": {"id", "message", "place": {"path", "line", "column"}}}]}`. A filter has either a `kind` or a `problem`.
enum FilterListJSON {
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
    let description: String?
    let categories: [String]?
    let inputs: [String]?
    let parameters: [String]?
    let shadowedBy: String?
    let problem: FilterProblem?
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
    let problem: FilterProblem? = if case .problem(let problem) = listing.content { problem } else { nil }
    return Entry(
      name: listing.name, path: listing.path, library: Library(path: listing.library.path, origin: listing.library.origin.rawValue),
      kind: summary?.kind, dialect: summary?.dialect, description: summary?.description, categories: summary?.categories,
      inputs: summary?.inputs, parameters: summary?.parameters, shadowedBy: listing.shadowedBy, problem: problem)
  }
}
