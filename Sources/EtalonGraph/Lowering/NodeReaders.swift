internal import EtalonManifest
internal import EtalonTypes

/// What becomes of a node: who reads it, and how.
struct NodeReaders {
  /// Whether an output depends on it.
  private(set) var isNeeded = false
  /// The nodes that read it, each as often as it does.
  private(set) var nodes: [Int] = []
  /// The name under which a later frame reads it.
  private(set) var feedback: String?
  private(set) var isMipmapped = false
  private(set) var shape = TextureShape.flat

  /// Whether anything needs it as a texture.
  var isRead: Bool { !nodes.isEmpty || feedback != nil }

  /// The readers of every node of a layout, those that nothing depends on left out.
  static func all(of layout: GraphLayout) -> [NodeReaders] {
    var all = [NodeReaders](repeating: NodeReaders(), count: layout.nodes.count)
    var open = layout.outputs.map(\.node)
    while let index = open.popLast() {
      guard !all[index].isNeeded else { continue }
      all[index].isNeeded = true
      switch layout.nodes[index].operation {
      case .picture, .stream: break
      case .before(let name):
        if let node = layout.feedback[name] {
          all[node].feedback = name
          open.append(node)
        }
      case .filter(let filter, let inputs, _):
        for (name, read) in inputs {
          all[read.node].nodes.append(index)
          if read.sampler.interpolation == .mipmap { all[read.node].isMipmapped = true }
          if let input = filter.manifest.inputs.first(where: { $0.name == name }) { all[read.node].shape = input.shape }
          open.append(read.node)
        }
      }
    }
    // What a node shows now and what it showed a frame ago are one texture at different times.
    for node in layout.nodes.indices {
      guard case .before(let name) = layout.nodes[node].operation, let kept = layout.feedback[name] else { continue }
      let isMipmapped = all[node].isMipmapped || all[kept].isMipmapped
      all[node].isMipmapped = isMipmapped
      all[kept].isMipmapped = isMipmapped
    }
    return all
  }
}
