/// What a list tells about a filter.
package struct FilterSummary: Sendable, Hashable, Codable {
  /// generator, filter, composite or transition.
  package let kind: String
  package let dialect: String
  package let description: String?
  package let categories: [String]
  /// The names of the image inputs.
  package let inputs: [String]
  /// The names of the parameters.
  package let parameters: [String]
}

/// Why a file of a library is no filter after all.
package struct FilterProblem: Sendable, Hashable, Codable {
  package let id: String
  package let message: String
  /// Where it is wrong; nil for a problem of the whole file.
  package let place: Place?

  /// A place in a text, counted from 1.
  package struct Place: Sendable, Hashable, Codable {
    package let path: String
    package let line: Int
    package let column: Int
  }
}
