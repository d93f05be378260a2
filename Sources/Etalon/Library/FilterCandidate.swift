/// A file or folder of a library that is a filter by its name.
struct FilterCandidate: Sendable, Hashable {
  /// In kebab-case.
  let name: String
  /// From the folder of the library; for a ShaderToy project the folder.
  let relativePath: String
  /// The folders that it lies in, from the library on.
  let categories: [String]
  /// What it consists of as far as names tell, with relative paths; the file itself comes first.
  let files: [String: FileStamp]
}
