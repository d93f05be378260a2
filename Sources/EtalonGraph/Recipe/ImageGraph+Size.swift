internal import EtalonManifest
package import EtalonTypes

extension ImageGraph {
  /// The size of a graph that nobody gives one, nor a picture.
  package static let usualSize = Size(1280, 720)

  /// What generators cover, and what expressions call the size: as the size was fitted, as it was asked for, that of the first picture, or 1280×720.
  package var nominalSize: Size { fit?.canvas ?? size ?? firstPicture?.size ?? Self.usualSize }

  /// The first composite that the first output goes back to, following main pictures; nil where none lays pictures out.
  var mainComposite: ContentHash? {
    guard var image = outputs.first?.image else { return nil }
    while case .filter(let use) = image.operation {
      if use.laysOut { return image.digest }
      guard let next = use.filter.mainInput.flatMap({ use.inputs[$0.name]?.image }) else { return nil }
      image = next
    }
    return nil
  }

  /// The picture that a chain begins with: following first inputs from the first output.
  var firstPicture: PixelBuffer? {
    var seen: Set<ContentHash> = []
    var open = Array(outputs.map(\.image).reversed())
    while let image = open.popLast() {
      guard seen.insert(image.digest).inserted else { continue }
      switch image.operation {
      case .picture(let picture): return picture
      case .stream(let stream): return stream.model
      case .before: continue
      case .filter(let use):
        let others = use.filter.manifest.inputs.filter { $0.origin == .user && $0.shape == .flat && $0.isRead }
        let inputs = [use.filter.mainInput].compactMap(\.self) + others
        open += inputs.reversed().compactMap { use.inputs[$0.name]?.image }
      }
    }
    return nil
  }
}

extension FilterUse {
  /// Whether it lays several pictures out, each where it lies on the plane.
  fileprivate var laysOut: Bool {
    let manifest = filter.manifest
    guard extent == nil, manifest.extent == .union, manifest.dialect == .native, manifest.kind == .composite else { return false }
    return manifest.inputs.count { $0.origin == .user && $0.shape == .flat && $0.sound == nil && inputs[$0.name] != nil } > 1
  }
}
