import EtalonPlan
import EtalonTypes
import Testing

@testable import EtalonGraph

/// Which textures take turns in memory, for many orders of steps.
@Suite struct BlockAssignmentTests {
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  /// Textures of a few sizes and formats, each written by one step and read by one that comes later.
  private func graph(seed: UInt64) -> (textures: [Plan.Texture], steps: [Plan.Step]) {
    var random = Random(state: seed)
    let count = Int.random(in: 1...60, using: &random)
    let textures = (0..<count).map { index in
      Plan.Texture(
        name: "\(index)", role: .transient,
        size: [Size(64, 64), Size(64, 32), Size(7, 5), Size(1, 1)].randomElement(using: &random) ?? Size(1, 1),
        format: [.rgba32f, .rgba16f, .r8].randomElement(using: &random) ?? .r8, isMipmapped: .random(using: &random))
    }
    var reads: [Int: [Int]] = [:]
    for index in textures.indices { reads[Int.random(in: index + 1...min(count, index + 12), using: &random), default: []].append(index) }
    let steps = (0...count).map { step in
      Plan.Step.dispatch(
        Plan.Pass(
          name: "\(step)", kernel: 0, size: Size(1, 1),
          bindings: Dictionary(
            uniqueKeysWithValues: (reads[step] ?? []).map { ($0 + 2, .sampled(texture: $0, Sampler())) }
              + (step < count ? [(1, .storage(texture: step))] : []))))
    }
    return (textures, steps)
  }

  /// How many textures of one kind live at a time, times the bytes of one, for all kinds.
  private func byteCountByKind(_ textures: [Plan.Texture], _ lifetimes: TextureLifetimes) -> Int {
    Dictionary(grouping: lifetimes.spans.keys, by: { TextureKind(textures[$0]) }).values.reduce(0) { sum, indices in
      let spans = indices.compactMap { lifetimes.spans[$0] }
      let most = spans.map { span in spans.count { $0.contains(span.lowerBound) } }.max() ?? 0
      return sum + most * textures[indices[0]].byteCount
    }
  }

  @Test(arguments: 0..<60) func noTwoLiveInABlockAtATime(seed: Int) throws {
    let (textures, steps) = graph(seed: UInt64(seed))
    let lifetimes = TextureLifetimes(of: textures, in: steps)
    let blocks = BlockAssignment(textures, lifetimes).blocks
    #expect(blocks.count == textures.count)
    for (first, block) in blocks {
      for (second, other) in blocks where first < second && block == other {
        let (span, next) = try (#require(lifetimes.spans[first]), #require(lifetimes.spans[second]))
        #expect(!span.overlaps(next), "textures \(first) and \(second) of block \(block)")
      }
    }
  }

  @Test(arguments: 0..<60) func reuseKeepsWhatStepsRead(seed: Int) {
    let (textures, steps) = graph(seed: UInt64(seed))
    let reuse = TextureReuse(textures: textures, setup: [], steps: steps)
    let plan = Plan(textures: reuse.textures, outputs: [], kernels: [], steps: reuse.steps)
    var held: [Int: Int] = [:]
    for (step, (before, after)) in zip(steps, reuse.steps).enumerated() {
      for (binding, texture) in after.pass?.bindings ?? [:] {
        guard case .sampled(let place, _) = texture, case .sampled(let wanted, _)? = before.pass?.bindings[binding] else { continue }
        #expect(held[place] == wanted, "step \(step)")
      }
      for place in after.pass?.targets ?? [] {
        if let block = reuse.textures[place].block { plan.sharedBlocks[block]?.forEach { held[$0] = nil } }
        held[place] = step
      }
    }
    #expect(plan.workingByteCount <= byteCountByKind(textures, TextureLifetimes(of: textures, in: steps)))
    #expect(plan.sharedBlocks.values.allSatisfy { $0.count > 1 })
  }
}
