internal import EtalonGraph
internal import EtalonTypes

extension Image {
  /// How many images with feedback are being made around the one that is being made now.
  @TaskLocal private static var depth = 0

  /// An image that is made of what it showed a frame ago.
  ///
  /// ```swift
  /// let trail = try Image.feedback { before in
  ///   try disk.composited(over: before.applying(library["affine"], ["scale": [0.98, 0.98]]))
  /// }
  /// ```
  /// On the first frame of a shot, `before` is transparent. Frames are rendered in their order; one alone has those before it rendered first.
  ///
  /// - Parameter make: makes the image of what it showed a frame ago, which covers as much as the whole result; it is called once.
  public static func feedback(_ make: (_ before: Image) throws -> Image) rethrows -> Image {
    let placeholder = "feedback \(depth)"
    let before = Image(ImageRecipe(.before(placeholder), label: "before"))
    let image = try $depth.withValue(depth + 1) { try make(before) }
    return image.closing(placeholder)
  }

  /// The same image with names of feedback that follow from what it is, so that equal images are equal and others do not meet.
  private func closing(_ placeholder: String) -> Image {
    var hasher = ContentHasher()
    hasher.add("image", recipe.digest.description)
    for (name, image) in supplies.feedback.sorted(by: { $0.key < $1.key }) { hasher.add(name, image.digest.description) }
    let own = "feedback-\(hasher.finish().description.prefix(16))"
    // What was closed inside and reads this image is another one for another image.
    let dependent = supplies.feedback.filter { $0.value.renamingFeedback([placeholder: own]) != $0.value }.keys
    let names = Dictionary(dependent.map { ($0, "\(own)/\($0)") }) { first, _ in first }.merging([placeholder: own]) { $1 }
    let closed = recipe.renamingFeedback(names)
    var supplies = supplies
    supplies.feedback = Dictionary(
      uniqueKeysWithValues: supplies.feedback.map { (names[$0.key] ?? $0.key, $0.value.renamingFeedback(names)) })
    supplies.feedback[own] = closed
    return Image(closed, supplies: supplies, continuesBeyondEdges: continuesBeyondEdges)
  }
}
