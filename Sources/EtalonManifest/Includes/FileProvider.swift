/// Where included files come from.
package protocol FileProvider: Sendable {
  /// The bytes of a file, given by its path relative to the folder of the filter file; throws when it is missing, outside, too large or
  /// unreadable.
  func bytes(at path: String, atMost limit: Int) throws(FileProblem) -> [UInt8]
}

/// Why an included file cannot be had.
package enum FileProblem: Error, Sendable, Hashable {
  case missing
  /// The path leads out of the folder of the filter file, perhaps through a symbolic link.
  case outside
  case tooLarge
  case unreadable(String)
}

/// No files at all, for text that has no folder (standard input).
package struct NoFiles: FileProvider {
  package init() {}

  package func bytes(at path: String, atMost limit: Int) throws(FileProblem) -> [UInt8] { throw .missing }
}
