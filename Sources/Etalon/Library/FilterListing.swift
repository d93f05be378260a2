/// One filter of one library, as a list shows it.
package struct FilterListing: Sendable, Hashable {
  /// What became of reading it.
  package enum Content: Sendable, Hashable {
    case filter(FilterSummary)
    case problem(FilterProblem)
  }

  package let name: String
  /// The file, or the folder of a ShaderToy project.
  package let path: String
  package let library: LibraryFolder
  package let content: Content
  /// The path of the filter that is used instead, because its library is searched first.
  package let shadowedBy: String?

  /// What is known about it; nil for a file with a problem.
  package var summary: FilterSummary? {
    if case .filter(let summary) = content { summary } else { nil }
  }
}
