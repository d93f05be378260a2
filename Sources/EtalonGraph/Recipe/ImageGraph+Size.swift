internal import EtalonManifest
package import EtalonTypes

extension ImageGraph {
  /// The size of a graph that nobody gives one, nor a picture.
  package static let usualSize = Size(1280, 720)

  /// The size of the graph: what was asked for, that of the first picture, or 1280×720.
  package var nominalSize: Size { size ?? firstPicture?.size ?? Self.usualSize }

  /// The picture that a chain begins with: following first inputs from the first output.
  fileprivate var firstPicture: PixelBuffer? {
    var seen: Set<ContentHash> = []
    func first(_ image: ImageRecipe) -> PixelBuffer? {
      guard seen.insert(image.digest).inserted else { return nil }
      switch image.operation {
      case .picture(let picture): return picture
      case .stream(let stream): return stream.model
      case .before: return nil
      case .filter(let use):
        let others = use.filter.manifest.inputs.filter { $0.origin == .user && $0.shape == .flat && $0.isRead }
        for input in [use.filter.mainInput].compactMap(\.self) + others {
          if let found = use.inputs[input.name].flatMap({ first($0.image) }) { return found }
        }
        return nil
      }
    }
    for output in outputs {
      if let found = first(output.image) { return found }
    }
    return nil
  }
}
