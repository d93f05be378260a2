internal import EtalonManifest
internal import EtalonTypes

/// Decides which nodes are computed once, before the first frame, because nothing about them changes from frame to frame.
///
/// Those that cost little and are computed inside a reader that changes stay there: storing them would cost as much.
struct StillNodes {
  /// By node: whether all frames show the same; nodes that an output or the next frame needs are stored by every frame and do not count.
  private let isStill: [Bool]
  /// By node: whether it, or anything still that it depends on, reads its pictures anywhere but at its own pixel, or has several passes.
  private let isCostly: [Bool]

  /// Nothing is computed before the first frame.
  static func none(of layout: GraphLayout) -> StillNodes {
    StillNodes(isStill: layout.nodes.map { _ in false }, isCostly: layout.nodes.map { _ in false })
  }

  private init(isStill: [Bool], isCostly: [Bool]) {
    self.isStill = isStill
    self.isCostly = isCostly
  }

  init(_ layout: GraphLayout, readers: [NodeReaders]) {
    var shows: [Bool] = []
    var isStill: [Bool] = []
    var isCostly: [Bool] = []
    let stored = Set(layout.outputs.map(\.node))
    for (index, node) in layout.nodes.enumerated() {
      shows.append(node.isStill && node.reads.allSatisfy { shows[$0] })
      isStill.append(
        node.isStill && node.reads.allSatisfy { isStill[$0] } && !stored.contains(index) && readers[index].feedback == nil)
      isCostly.append(node.isCostly || node.reads.contains { isCostly[$0] })
    }
    // A graph that shows the same in every frame has one frame that counts.
    let isAllStill = layout.nodes.indices.allSatisfy { shows[$0] || !readers[$0].isNeeded }
    self.isStill = isAllStill ? isStill.map { _ in false } : isStill
    self.isCostly = isCostly
  }

  /// Whether a node may be computed inside its reader.
  func mayFuse(_ node: Int, into reader: Int) -> Bool { !isStill[node] || isStill[reader] || !isCostly[node] }

  /// Whether a node, or the reader inside which it is computed, is computed before the first frame.
  ///
  /// - Parameter host: the reader inside which a node is computed.
  func isSetup(_ node: Int, host: [Int: Int]) -> Bool {
    var last = node
    while let next = host[last] { last = next }
    return isStill[last]
  }
}

extension GraphNode {
  /// Whether what it does to its pictures is the same in every frame.
  fileprivate var isStill: Bool {
    switch operation {
    case .picture: true
    case .stream, .before: false
    case .filter(let filter, _, let values):
      !isAnimated && !filter.manifest.targets.contains { $0.isPersistent } && !filter.manifest.buffers.contains { $0.isPersistent }
        && filter.manifest.passes.allSatisfy { pass in pass.uniforms.allSatisfy { $0.meaning.isStill(for: values) } }
    }
  }

  fileprivate var isCostly: Bool {
    guard case .filter(let filter, _, _) = operation else { return false }
    let passes = filter.manifest.passes
    return passes.count > 1 || passes.contains { $0.iterations > 1 || ($0.form != .color && !$0.textures.isEmpty) }
  }
}
