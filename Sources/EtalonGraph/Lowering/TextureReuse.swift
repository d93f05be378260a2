internal import EtalonPlan
internal import EtalonTypes

/// Lets transient textures whose lifetimes do not overlap share memory: a long chain needs the memory of two textures.
///
/// Those of one size and format become one texture; others become textures that take turns in a block. What the setup leaves to frames is kept for them and shares with nothing.
struct TextureReuse {
  private(set) var textures: [Plan.Texture] = []
  let setup: [Plan.Step]
  let steps: [Plan.Step]

  /// The textures that share memory and are made alike.
  private struct Shared: Hashable {
    let block: Int
    let kind: TextureKind
  }

  /// - Parameter setup: what is done before the first frame, in order.
  /// - Parameter frame: what every frame does, in order.
  init(textures: [Plan.Texture], setup: [Plan.Step], steps frame: [Plan.Step]) {
    let read = Set(frame.flatMap(\.textures)).intersection(setup.flatMap(\.textures))
    let textures = textures.enumerated().map { read.contains($0) && $1.role == .transient ? $1.keptBySetup : $1 }
    let lifetimes = TextureLifetimes(of: textures, in: setup + frame)
    let shared = BlockAssignment(textures, lifetimes).blocks.map { (index: $0, Shared(block: $1, kind: TextureKind(textures[$0]))) }
    let byStart = shared.map { (start: lifetimes.spans[$0.index]?.lowerBound ?? 0, index: $0.index, shared: $0.1) }
      .sorted { ($0.start, $0.index) < ($1.start, $1.index) }
    let numbers = Self.numbers(of: byStart.map(\.shared))
    var places: [Int: Int] = [:]
    for (index, texture) in textures.enumerated() where texture.role != .transient {
      places[index] = self.textures.count
      self.textures.append(texture)
    }
    var made: [Shared: Int] = [:]
    for (_, index, shared) in byStart {
      let place = made[shared] ?? self.textures.count
      if place == self.textures.count { self.textures.append(textures[index].lying(in: numbers[shared.block])) }
      made[shared] = place
      places[index] = place
    }
    self.textures = self.textures.map { $0.renumbered(places) }
    self.setup = setup.map { $0.renumbered(places) }
    self.steps = frame.map { $0.renumbered(places) }
  }

  /// The numbers of the blocks in which there are different textures, in the order in which they are used first.
  private static func numbers(of shared: [Shared]) -> [Int: Int] {
    let kinds = Dictionary(grouping: Set(shared), by: \.block)
    var numbers: [Int: Int] = [:]
    for block in shared.map(\.block) where numbers[block] == nil && (kinds[block]?.count ?? 0) > 1 { numbers[block] = numbers.count }
    return numbers
  }
}

extension Plan.Step {
  fileprivate func renumbered(_ places: [Int: Int]) -> Plan.Step {
    switch self {
    case .clear(let texture): .clear(texture: places[texture] ?? texture)
    case .makeMipmaps(let texture): .makeMipmaps(texture: places[texture] ?? texture)
    case .dispatch(let pass):
      .dispatch(
        Plan.Pass(
          name: pass.name, kernel: pass.kernel, coverage: pass.coverage, region: pass.region,
          bindings: pass.bindings.mapValues { binding in
            switch binding {
            case .sampled(let texture, let sampler): .sampled(texture: places[texture] ?? texture, sampler)
            case .storage(let texture, let layer): .storage(texture: places[texture] ?? texture, layer: layer)
            case .output, .buffer: binding
            }
          }, reach: pass.reach))
    }
  }
}

extension Plan.Texture {
  /// The same as the setup leaves it to frames.
  fileprivate var keptBySetup: Plan.Texture {
    Plan.Texture(name: name, role: .setup, shape: shape, size: size, format: format, isMipmapped: isMipmapped)
  }

  /// The same in a block of memory; nil for memory of its own.
  fileprivate func lying(in block: Int?) -> Plan.Texture {
    Plan.Texture(name: name, role: role, shape: shape, size: size, format: format, isMipmapped: isMipmapped, block: block)
  }

  fileprivate func renumbered(_ places: [Int: Int]) -> Plan.Texture {
    guard case .previous(let current) = role else { return self }
    return Plan.Texture(
      name: name, role: .previous(of: places[current] ?? current), shape: shape, size: size, format: format, isMipmapped: isMipmapped)
  }
}

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
private struct BlockTimetable {
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

/// Which transient textures take turns in a block of memory: those whose lifetimes do not overlap.
///
/// The largest find their places first, so that no block grows, and a texture gets a new one only where all that are large enough are taken while it lives. Together the blocks
/// are never larger than if only textures of one size and format took turns.
struct BlockAssignment {
  /// The block of each texture, by the texture's index.
  private(set) var blocks: [Int: Int] = [:]
  private var made: [Block] = []

  private struct Block {
    let byteCount: Int
    var kinds: Set<TextureKind> = []
    var timetable = BlockTimetable()
  }

  init(_ textures: [Plan.Texture], _ lifetimes: TextureLifetimes) {
    let sizes = lifetimes.spans.keys.map { (index: $0, byteCount: textures[$0].byteCount) }
    let order = sizes.sorted {
      let (first, second) = (lifetimes.spans[$0.index]?.lowerBound ?? 0, lifetimes.spans[$1.index]?.lowerBound ?? 0)
      return ($1.byteCount, first, $0.index) < ($0.byteCount, second, $1.index)
    }
    for (texture, byteCount) in order {
      guard let span = lifetimes.spans[texture] else { continue }
      let kind = TextureKind(textures[texture])
      let block = bestFree(during: span, for: kind) ?? made.count
      if block == made.count { made.append(Block(byteCount: byteCount)) }
      made[block].kinds.insert(kind)
      made[block].timetable.take(span)
      blocks[texture] = block
    }
  }

  /// The smallest of the blocks that are free, of equal ones one that has held such a texture: all that were made are large enough.
  private func bestFree(during span: ClosedRange<Int>, for kind: TextureKind) -> Int? {
    let free = made.indices.filter { made[$0].timetable.isFree(during: span) }
    guard let smallest = free.map({ made[$0].byteCount }).min() else { return nil }
    let alike = free.filter { made[$0].byteCount == smallest }
    return alike.first { made[$0].kinds.contains(kind) } ?? alike.first
  }
}

/// What a texture has to have in common with another to be the same.
struct TextureKind: Hashable {
  private let shape: Plan.Texture.Shape
  private let size: Size
  private let format: PixelFormat
  private let isMipmapped: Bool

  init(_ texture: Plan.Texture) {
    shape = texture.shape
    size = texture.size
    format = texture.format
    isMipmapped = texture.isMipmapped
  }
}
