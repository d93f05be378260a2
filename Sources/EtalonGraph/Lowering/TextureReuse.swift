internal import EtalonPlan

/// Lets transient textures whose lifetimes do not overlap share memory: a long chain needs two pieces.
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
