internal import EtalonPlan
internal import EtalonTypes

/// Lets transient textures whose lifetimes do not overlap be one: a long chain needs two.
///
/// What the setup leaves to frames is kept for them and shares with nothing.
struct TextureReuse {
  private(set) var textures: [Plan.Texture] = []
  let setup: [Plan.Step]
  let steps: [Plan.Step]

  /// What a texture has to have in common with another that takes its place.
  private struct Kind: Hashable {
    let shape: Plan.Texture.Shape
    let size: Size
    let format: PixelFormat
    let isMipmapped: Bool
  }

  /// - Parameter setup: what is done before the first frame, in order.
  /// - Parameter frame: what every frame does, in order.
  init(textures: [Plan.Texture], setup: [Plan.Step], steps frame: [Plan.Step]) {
    let read = Set(frame.flatMap(\.textures)).intersection(setup.flatMap(\.textures))
    let textures = textures.enumerated().map { read.contains($0) && $1.role == .transient ? $1.keptBySetup : $1 }
    let steps = setup + frame
    var places: [Int: Int] = [:]
    var free: [Kind: [Int]] = [:]
    let lifetimes = Self.lifetimes(of: textures, steps)
    for (index, texture) in textures.enumerated() where texture.role != .transient {
      places[index] = self.textures.count
      self.textures.append(texture)
    }
    for (step, _) in steps.enumerated() {
      for index in lifetimes.begins[step] ?? [] {
        if let place = free[Self.kind(textures[index])]?.popLast() {
          places[index] = place
        } else {
          places[index] = self.textures.count
          self.textures.append(textures[index])
        }
      }
      for index in lifetimes.ends[step] ?? [] {
        if let place = places[index] { free[Self.kind(textures[index]), default: []].append(place) }
      }
    }
    self.textures = self.textures.map { $0.renumbered(places) }
    self.setup = setup.map { $0.renumbered(places) }
    self.steps = frame.map { $0.renumbered(places) }
  }

  private static func kind(_ texture: Plan.Texture) -> Kind {
    Kind(
      shape: texture.shape, size: texture.size, format: texture.format,
      isMipmapped: texture.isMipmapped)
  }

  /// The transient textures by the steps that touch them first and last.
  private static func lifetimes(of textures: [Plan.Texture], _ steps: [Plan.Step]) -> (begins: [Int: [Int]], ends: [Int: [Int]]) {
    var first: [Int: Int] = [:]
    var last: [Int: Int] = [:]
    for (index, step) in steps.enumerated() {
      for texture in step.textures where textures[texture].role == .transient {
        first[texture] = first[texture] ?? index
        last[texture] = index
      }
    }
    func grouped(_ places: [Int: Int]) -> [Int: [Int]] {
      Dictionary(grouping: places.keys.sorted(), by: { places[$0] ?? 0 })
    }
    return (grouped(first), grouped(last))
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
          }))
    }
  }
}

extension Plan.Texture {
  /// The same as the setup leaves it to frames.
  fileprivate var keptBySetup: Plan.Texture {
    Plan.Texture(name: name, role: .setup, shape: shape, size: size, format: format, isMipmapped: isMipmapped)
  }

  fileprivate func renumbered(_ places: [Int: Int]) -> Plan.Texture {
    guard case .previous(let current) = role else { return self }
    return Plan.Texture(
      name: name, role: .previous(of: places[current] ?? current), shape: shape, size: size, format: format, isMipmapped: isMipmapped)
  }
}
