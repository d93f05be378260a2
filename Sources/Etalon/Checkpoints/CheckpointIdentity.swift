internal import EtalonTypes

/// What a checkpoint is a checkpoint of.
struct CheckpointIdentity: Sendable, Hashable, Codable {
  /// Covers everything that state depends on, save for what pictures show that come with frames.
  let recipe: String
  /// The frame that can follow.
  let frame: Int
  /// Covers the recipe and what all frames before showed.
  let past: String

  static let suffix = ".checkpoint"

  /// The name of its file; names of one recipe begin alike.
  var fileName: String { "\(Self.prefix(of: recipe))\(frame).\(ContentHash(of: Array(past.utf8)).description.prefix(32))\(Self.suffix)" }

  private static func prefix(of recipe: String) -> String { "\(recipe.prefix(32))." }

  /// The frame in the name of a file, if it is one of a recipe.
  static func frame(ofFile name: String, recipe: String) -> Int? {
    let prefix = prefix(of: recipe)
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    return name.dropFirst(prefix.count).split(separator: ".").first.flatMap { Int($0) }
  }
}
