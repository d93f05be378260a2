/// Which filters of a list somebody wants to see.
package struct ListingFilter: Sendable, Hashable {
  /// generator, filter, composite or transition; nil for all.
  package var kind: String?
  /// One of the categories, in any spelling that gives the same name; nil for all.
  package var category: String?
  /// Each of them occurs in the name, the description, a category, the dialect, an input or a parameter.
  package var words: [String] = []

  package init() {}

  /// Whether it is one of the wanted; a file with a problem is while nothing but words is asked for.
  package func accepts(_ listing: FilterListing) -> Bool {
    let summary = listing.summary
    if let kind, summary?.kind != kind { return false }
    if let category {
      let wanted = FilterName.kebabCase(category) ?? category
      guard let summary, summary.categories.contains(where: { FilterName.kebabCase($0) == wanted }) else { return false }
    }
    let texts = Self.texts(listing).map { $0.lowercased() }
    return words.allSatisfy { word in texts.contains { $0.contains(word.lowercased()) } }
  }

  private static func texts(_ listing: FilterListing) -> [String] {
    guard let summary = listing.summary else { return [listing.name, listing.path] }
    return [listing.name, summary.description ?? "", summary.dialect, summary.kind] + summary.categories + summary.inputs
      + summary.parameters
  }
}
