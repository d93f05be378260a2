package import EtalonDiagnostics
package import EtalonPlan
package import EtalonSPIRV
package import EtalonTypes

/// What the pixels of a frame may be on devices that follow the Vulkan specification, worked out for the pixels that somebody asks for.
///
/// Earlier passes and frames are followed only where a pixel reads them.
///
/// ```swift
/// let frame = try FrameIntervals(plan, values, imports: imports, before: nil)
/// let color = try frame.pixel(x: 12, y: 40, steps: 1_000_000).channels
/// color[0].contains(0.25)
/// ```
///
/// **Concurrency**: used by one thread, which needs a large stack.
package final class FrameIntervals {
  /// What can be in a texture at some step.
  enum Version: Hashable {
    case picture(Int)
    case zero
    /// Of this frame: the step that wrote it last.
    case written(step: Int)
    /// What the frame before left in a texture.
    case earlier(texture: Int)
  }

  struct PixelKey: Hashable {
    let step: Int
    let x: Int
    let y: Int
  }

  let plan: Plan
  let programs: FramePrograms
  let placesQuads: Bool
  let samplerPrecision: SamplerPrecision
  private let values: FrameValues
  private let before: FrameIntervals?
  private var pictures: [Int: PictureTexture] = [:]
  /// What pixels of passes store, by the bindings of their targets.
  var pixels: [PixelKey: [Int: [Interval]]] = [:]
  /// What whole dispatches leave.
  var dispatches: [Int: DispatchResult] = [:]
  /// Levels below the first.
  var halved: [MipmapKey: [Interval]] = [:]
  private let stepUniforms: [Int: [UInt8]]

  /// - Parameters:
  ///   - before: the frame before, where this one goes on from it.
  ///   - placesQuads: whether invocations of all kernels lie in quads, and not only of those that exchange values.
  ///   - precision: how finely the device filters textures.
  package convenience init(
    _ plan: Plan, _ values: FrameValues, imports: [PixelBuffer], before: FrameIntervals? = nil, placesQuads: Bool = false,
    precision: SamplerPrecision = .usual
  ) throws(DiagnosticsError) {
    let programs: FramePrograms
    if let before { programs = before.programs } else { programs = try FramePrograms(plan) }
    self.init(plan, values, imports: imports, programs, before: before, placesQuads: placesQuads, precision)
  }

  private init(
    _ plan: Plan, _ values: FrameValues, imports: [PixelBuffer], _ programs: FramePrograms, before: FrameIntervals?, placesQuads: Bool,
    _ precision: SamplerPrecision
  ) {
    (self.placesQuads, samplerPrecision) = (placesQuads, precision)
    precondition(plan.setup.isEmpty, "a plan with a setup")
    (self.plan, self.values, self.programs, self.before) = (plan, values, programs, before)
    var uniforms: [Int: [UInt8]] = [:], number = 0
    for (index, step) in plan.steps.enumerated() where step.pass != nil {
      uniforms[index] = values.uniforms[number]
      number += 1
    }
    stepUniforms = uniforms
    for (index, texture) in plan.textures.enumerated() {
      switch texture.role {
      case .imported(let number): pictures[index] = before?.pictures[index] ?? PictureTexture(imports[number], for: texture)
      case .streamed(let number): pictures[index] = PictureTexture(values.pictures[number].pixels, for: texture)
      case .transient, .setup, .persistent, .previous: break
      }
    }
  }

  /// The four channels of a pixel of the result, and how many operations it took; y counts from the bottom.
  ///
  /// - Parameter steps: how many operations may be followed.
  package func pixel(x: Int, y: Int, steps: Int) throws(Stop) -> (channels: [Interval], steps: Int) {
    let (words, steps) = try words(x: x, y: y, steps: steps)
    return (words.map(\.asFloat), steps)
  }

  /// The same as words of memory, which may be integers.
  package func words(x: Int, y: Int, steps: Int) throws(Stop) -> (words: [Interval], steps: Int) {
    let output = plan.steps.indices.last { plan.steps[$0].pass?.writesOutput(0) ?? false }
    guard let output, let pass = plan.steps[output].pass else { throw .unknown("a plan without a result", site: -1) }
    let binding = pass.bindings.first { $0.value == .output(0) }?.key ?? 0
    let budget = Budget(steps: steps)
    let words = try stored(by: output, x: x, y: y, budget)[binding] ?? (0..<4).map { _ in Interval(0) }
    return (words, steps - budget.steps)
  }

  /// The instruction that a site stands for, and its kernel.
  package func place(of site: Int32) -> (kernel: Kernel, line: Int)? { programs.place(of: site) }

  // MARK: Content of textures

  /// What a texture holds when a step begins.
  func version(of texture: Int, before step: Int) -> Version {
    let writer = (0..<step).last { index in
      switch plan.steps[index] {
      case .clear(let cleared): cleared == texture
      case .dispatch(let pass): pass.targets.contains(texture)
      case .makeMipmaps: false
      }
    }
    if let writer {
      if case .clear = plan.steps[writer] { return .zero }
      return .written(step: writer)
    }
    switch plan.textures[texture].role {
    case .imported, .streamed: return .picture(texture)
    case .transient, .setup: return .zero
    case .persistent: return values.startsState ? .zero : .earlier(texture: texture)
    case .previous(let current): return values.startsState ? .zero : .earlier(texture: current)
    }
  }

  /// A texel of the first level.
  func texel(_ version: Version, of texture: Int, x: Int, y: Int, z: Int, _ budget: Budget) throws(Stop) -> [Interval] {
    switch version {
    case .picture(let index): return pictures[index]?.texel(level: 0, x: x, y: y, z: z) ?? []
    case .zero: return plan.textures[texture].format.stored([Interval](repeating: Interval(0), count: 4))
    case .earlier(let earlier):
      guard let before else { throw .tooDeep }
      return try before.texel(before.version(of: earlier, before: before.plan.steps.count), of: earlier, x: x, y: y, z: z, budget)
    case .written(let step):
      guard let pass = plan.steps[step].pass else { throw .tooDeep }
      let layered = plan.textures[texture].shape != .flat
      let bindings = pass.bindings.filter { item in
        if case .storage(texture, _) = item.value { true } else { false }
      }
      guard bindings.count == 1, let binding = bindings.first, !layered else { throw .unknown("a texture of several layers", site: -1) }
      let channels = try stored(by: step, x: x, y: y, budget)[binding.key]
      return plan.textures[texture].format.stored(channels ?? [Interval](repeating: Interval(0), count: 4))
    }
  }

  func picture(_ version: Version) -> PictureTexture? { if case .picture(let index) = version { pictures[index] } else { nil } }

  /// What the frame before left in a persistent buffer; nil where this frame starts anew.
  func bufferBefore(_ number: Int, _ budget: Budget) throws(Stop) -> [Interval]? {
    if values.startsState { return nil }
    guard let before else { throw .tooDeep }
    return try before.buffer(number, before: before.plan.steps.count, budget)
  }

  func uniforms(ofStep step: Int) -> [UInt8] { stepUniforms[step] ?? [] }
}

extension Plan.Pass {
  func writesOutput(_ number: Int) -> Bool { bindings.values.contains(.output(number)) }
}
