package import EtalonDiagnostics
package import EtalonPlan
package import EtalonSPIRV
package import EtalonTypes

/// What the pixels of a frame may be on devices that follow the Vulkan specification, worked out only for the pixels that are asked for.
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
  private let programs: FramePrograms
  private let placesQuads: Bool
  let samplerPrecision: SamplerPrecision
  private let values: FrameValues
  private let before: FrameIntervals?
  private var pictures: [Int: PictureTexture] = [:]
  /// What pixels of passes store, by the bindings of their targets.
  var pixels: [PixelKey: [Int: [Interval]]] = [:]
  /// The results of whole dispatches.
  private var dispatches: [Int: DispatchResult] = [:]
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
  private func bufferBefore(_ number: Int, _ budget: Budget) throws(Stop) -> [Interval]? {
    if values.startsState { return nil }
    guard let before else { throw .tooDeep }
    return try before.buffer(number, before: before.plan.steps.count, budget)
  }

  func uniforms(ofStep step: Int) -> [UInt8] { stepUniforms[step] ?? [] }
}

extension Plan.Pass {
  func writesOutput(_ number: Int) -> Bool { bindings.values.contains(.output(number)) }
}

// MARK: - Pixels

/// Pixels of passes, each worked out once.
extension FrameIntervals {
  /// How many passes and frames in a row may depend on each other.
  private static let mostDepth = 48

  /// What a pass stores at a pixel, by binding; the channels are not rounded to a format yet.
  func stored(by step: Int, x: Int, y: Int, _ budget: Budget) throws(Stop) -> [Int: [Interval]] {
    if let known = pixels[PixelKey(step: step, x: x, y: y)] { return known }
    guard let pass = plan.steps[step].pass else { return [:] }
    guard budget.depth < Self.mostDepth else { throw .tooDeep }
    budget.depth += 1
    defer { budget.depth -= 1 }
    guard case .pixels(let size) = pass.coverage else {
      return try result(ofDispatch: step, pass, budget).targets[PixelKey(step: step, x: x, y: y)] ?? [:]
    }
    guard pass.region == nil else { throw .unknown("a pass over a region", site: -1) }
    let program = programs[pass.kernel]
    let places = program.isInQuads ? Self.quad(aroundX: x, y) : [(x, y)]
    let surroundings = PassSurroundings(self, step, pass, budget)
    let invocations = Invocations(pixels: places, isQuad: program.isInQuads, placesQuads: placesQuads, size)
    try IntervalEvaluator(program, invocations, in: surroundings, budget).run()
    for (x, y) in places where x < size.width && y < size.height {
      let key = PixelKey(step: step, x: x, y: y)
      var found = surroundings.targets[key] ?? [:]
      for (binding, words) in surroundings.outputs {
        // Rows of packed pixels start at the top.
        let start = ((size.height - 1 - y) * size.width + x) * 16
        found[binding] = (0..<4).map { words[start + 4 * $0] ?? Interval(0) }
      }
      pixels[key] = found
    }
    return pixels[PixelKey(step: step, x: x, y: y)] ?? [:]
  }

  private static func quad(aroundX x: Int, _ y: Int) -> [(Int, Int)] {
    let left = x & ~1, low = y & ~1
    return [(left, low), (left + 1, low), (left, low + 1), (left + 1, low + 1)]
  }
}

extension Invocations {
  /// Pixels of a pass: one, or the four of a quad.
  ///
  /// - Parameter placesQuads: whether a single invocation lies where it would lie in a quad.
  init(pixels: [(Int, Int)], isQuad: Bool, placesQuads: Bool = false, _ size: Size) {
    let tile = DispatchRegion.tileSide
    lanes = pixels.enumerated().map { number, pixel in
      let (x, y) = (pixel.0 % tile, pixel.1 % tile)
      // Four invocations in a row are a quad, and eight quads two rows of the tile.
      let quad = (y / 2) * 8 + x / 2
      let index = isQuad ? quad * 4 + number : placesQuads ? quad * 4 + y % 2 * 2 + x % 2 : y * tile + x
      return Lane(
        workgroup: (pixel.0 / tile, pixel.1 / tile, 0), local: (index, 0, 0), localIndex: index, subgroup: isQuad ? quad : index / 4,
        lane: isQuad ? number : index % 4)
    }
    workgroupCounts = ((size.width + tile - 1) / tile, (size.height + tile - 1) / tile, 1)
    subgroupSize = 4
  }
}

// MARK: - Whole dispatches

/// The result of a dispatch that is run as a whole.
private struct DispatchResult {
  let targets: [FrameIntervals.PixelKey: [Int: [Interval]]]
  /// By their numbers in the plan.
  let buffers: [Int: [Interval]]
}

/// Passes over workgroups, and passes that write buffers: all of their invocations are run, in order.
extension FrameIntervals {
  fileprivate func result(ofDispatch step: Int, _ pass: Plan.Pass, _ budget: Budget) throws(Stop) -> DispatchResult {
    if let known = dispatches[step] { return known }
    let program = programs[pass.kernel], surroundings = PassSurroundings(self, step, pass, budget)
    switch pass.coverage {
    case .workgroups(let columns, let rows, let layers):
      guard !program.usesSubgroups else { throw .unknown("what subgroups of workgroups do", site: program.firstSite) }
      for z in 0..<layers {
        for y in 0..<rows {
          for x in 0..<columns {
            let invocations = Invocations(workgroup: (x, y, z), of: (columns, rows, layers), size: program.workgroupSize)
            try IntervalEvaluator(program, invocations, in: surroundings, budget).run()
          }
        }
      }
    case .pixels(let size):
      for y in stride(from: 0, to: size.height, by: program.isInQuads ? 2 : 1) {
        for x in stride(from: 0, to: size.width, by: program.isInQuads ? 2 : 1) {
          let quad = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
          let invocations = Invocations(pixels: program.isInQuads ? quad : [(x, y)], isQuad: program.isInQuads, size)
          try IntervalEvaluator(program, invocations, in: surroundings, budget).run()
        }
      }
    }
    let result = DispatchResult(targets: surroundings.targets, buffers: surroundings.buffers)
    dispatches[step] = result
    return result
  }

  /// The words of a buffer when a step begins.
  func buffer(_ number: Int, before step: Int, _ budget: Budget) throws(Stop) -> [Interval] {
    let writer = (0..<step).last { plan.steps[$0].pass?.buffers.contains(number) ?? false }
    if let writer, let pass = plan.steps[writer].pass {
      if let words = try result(ofDispatch: writer, pass, budget).buffers[number] { return words }
      return try buffer(number, before: writer, budget)
    }
    if plan.buffers[number].isPersistent, let left = try bufferBefore(number, budget) { return left }
    return [Interval](repeating: Interval(0), count: plan.buffers[number].byteCount / 4)
  }
}

extension Invocations {
  /// A whole workgroup.
  init(workgroup: (Int, Int, Int), of counts: (Int, Int, Int), size: [Int]) {
    lanes = (0..<size[0] * size[1] * size[2]).map { index in
      Lane(
        workgroup: workgroup, local: (index % size[0], index / size[0] % size[1], index / size[0] / size[1]), localIndex: index,
        subgroup: index / 4, lane: index % 4)
    }
    workgroupCounts = counts
    subgroupSize = 4
  }
}

// MARK: - Kernels

/// The kernels of a plan, ready to be run with ranges.
///
/// **Concurrency**: an immutable value.
private final class FramePrograms: Sendable {
  private let kernels: [Kernel]
  private let programs: [IntervalProgram]

  init(_ plan: Plan) throws(DiagnosticsError) {
    kernels = plan.kernels
    var programs: [IntervalProgram] = []
    var next = 0
    for kernel in plan.kernels {
      guard let firstSite = Int32(exactly: next) else {
        throw DiagnosticsError(Diagnostic("intervals.limit", "the kernels of the plan have more than \(Int32.max) instructions"))
      }
      let program = try IntervalProgram(kernel, firstSite: firstSite)
      programs.append(program)
      next += program.siteCount
    }
    self.programs = programs
  }

  subscript(kernel: Int) -> IntervalProgram { programs[kernel] }

  func place(of site: Int32) -> (kernel: Kernel, line: Int)? {
    guard site >= 0 else { return nil }
    guard let number = programs.lastIndex(where: { $0.firstSite <= site }) else { return nil }
    let module = programs[number].module, position = Int(site - programs[number].firstSite)
    // What a function gives that ends without 'return' has no line of its own.
    let start = module[position].opcode == .OpUndef ? (0..<position).last { module[$0].opcode == .OpFunction } : nil
    let location = module.location(position) ?? start.flatMap { module.location($0) }
    return location.map { (kernels[number], $0.line) }
  }
}
