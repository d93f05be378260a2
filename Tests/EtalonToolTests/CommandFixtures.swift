import Foundation

/// The files that every transcript finds in its folder.
enum CommandFixtures {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
}
