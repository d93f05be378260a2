internal import EtalonPlan

/// When the transient textures of a plan hold something: from the step that touches each first to the one that does last.
struct TextureLifetimes {
  /// By the texture's index.
  let spans: [Int: ClosedRange<Int>]

  init(of textures: [Plan.Texture], in steps: [Plan.Step]) {
    var spans: [Int: ClosedRange<Int>] = [:]
    for (step, textureIndices) in steps.map(\.textures).enumerated() {
      for texture in textureIndices where textures[texture].role == .transient {
        spans[texture] = (spans[texture]?.lowerBound ?? step)...step
      }
    }
    self.spans = spans
  }
}

/// When a block of memory is taken: spans that do not overlap, in their order.
struct BlockTimetable {
  private var spans: [ClosedRange<Int>] = []

  /// Whether nothing has the block during a span.
  func isFree(during span: ClosedRange<Int>) -> Bool {
    let next = firstIndex(after: span)
    return next == 0 || spans[next - 1].upperBound < span.lowerBound
  }

  /// Takes the block for a span during which it is free.
  mutating func take(_ span: ClosedRange<Int>) { spans.insert(span, at: firstIndex(after: span)) }

  /// The place of the first span that begins after a span has ended.
  private func firstIndex(after span: ClosedRange<Int>) -> Int {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].lowerBound > span.upperBound { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
