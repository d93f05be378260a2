/// Chooses for every read of an image the function that knows its levels and its border.
struct NativeImageCalls: Rewrite {
  let name = "image functions"

  /// The names of the images that are mipmapped, and of those that are not.
  let mipmapped: Set<String>
  let plain: Set<String>
  /// The names of the images with a colored border, with their numbers.
  let borders: [String: Int]

  private static let reads: Set<String> = ["IMG_PIXEL", "IMG_NORM_PIXEL", "IMG_THIS_PIXEL"]

  func apply(to tokens: inout [Token]) {
    for index in tokens.indices where tokens[index].kind == .identifier {
      let isRead = Self.reads.contains(tokens[index].text)
      guard isRead || tokens[index].text == "IMG_LOAD", let open = tokens.next(after: index), tokens[open].isMark("(") else { continue }
      let image = tokens.next(after: open).map { tokens[$0].text } ?? ""
      if let border = borders[image] {
        tokens[index].text = Self.bordered(tokens[index].text, border)
      } else if isRead, !mipmapped.isEmpty, !plain.contains(image) {
        tokens[index].text += TextureCalls.mipmapEnding
      }
    }
  }

  static func bordered(_ function: String, _ border: Int) -> String { "etalonBorder\(border)_\(function)" }
}
