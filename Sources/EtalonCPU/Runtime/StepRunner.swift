internal import EtalonDiagnostics
internal import EtalonPlan

/// Runs the steps of a frame, or of the setup, one after the other.
struct StepRunner: Sendable {
  private let steps: [Plan.Step]
  /// One for each dispatch.
  private let runners: [PassRunner]

  init(
    _ steps: [Plan.Step], of plan: Plan, programs: [LinkedProgram], _ options: CPUBackend.Options, observer: KernelObserver?
  ) throws(RenderError) {
    self.steps = steps
    var runners: [PassRunner] = []
    for pass in steps.compactMap(\.pass) {
      runners.append(
        try PassRunner(
          pass, of: plan, linked: programs[pass.kernel], threadCount: options.threadCount, tiles: options.tiles, observer: observer))
    }
    self.runners = runners
  }

  /// Runs the steps that are needed.
  ///
  /// - Parameter uniforms: those of each dispatch.
  /// - Parameter isNeeded: by step; nil for all of them.
  /// - Returns: the names of the passes whose targets have mipmaps with NaN.
  func run(
    _ uniforms: [[UInt8]], memory: FrameMemory, limits: PassLimits, where isNeeded: [Bool]? = nil
  ) throws(RenderError) -> Set<String> {
    var number = 0, passesWithNaN: Set<String> = []
    for (index, step) in steps.enumerated() {
      let isNeeded = isNeeded?[index] ?? true
      switch step {
      case .clear(let texture): if isNeeded { memory.textures[texture].clear() }
      case .makeMipmaps(let texture):
        guard isNeeded else { continue }
        memory.textures[texture].makeMipmaps()
        if memory.textures[texture].endsInNaN { passesWithNaN.insert(steps.passBefore(mipmapsAt: index)) }
      case .dispatch:
        if isNeeded { try runners[number].run(uniforms[number], memory: memory, limits: limits) }
        number += 1
      }
    }
    return passesWithNaN
  }
}
