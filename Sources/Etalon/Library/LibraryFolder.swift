/// A folder that filters are looked up in, and who named it.
package struct LibraryFolder: Sendable, Hashable {
  /// Who named the folder.
  package enum Origin: String, Sendable, Hashable, CaseIterable {
    case option, environment
    case user
    case builtIn = "built-in"
  }

  package let path: String
  package let origin: Origin

  package init(path: String, origin: Origin) {
    self.path = path
    self.origin = origin
  }

  /// What a person would recognise it by.
  package var title: String {
    switch origin {
    case .option: "\(path) (--library)"
    case .environment: "\(path) (ETALON_PATH)"
    case .user: "\(path) (your own filters)"
    case .builtIn: "built-in filters"
    }
  }
}
