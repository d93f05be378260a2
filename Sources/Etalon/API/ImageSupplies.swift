internal import EtalonGraph

/// What the recipe of an image needs beside itself.
struct ImageSupplies: Sendable {
  /// Where pictures that come with each frame are read, by the names of their streams.
  var streams: [String: any PictureSource] = [:]
  /// The pictures that recipes of the kind `before` mean, by name.
  var feedback: [String: ImageRecipe] = [:]

  /// What two recipes need.
  func merging(_ other: ImageSupplies) -> ImageSupplies {
    ImageSupplies(
      streams: streams.merging(other.streams) { first, _ in first }, feedback: feedback.merging(other.feedback) { first, _ in first })
  }
}
