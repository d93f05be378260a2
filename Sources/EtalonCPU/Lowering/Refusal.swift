internal import EtalonDiagnostics
internal import EtalonSPIRV

/// What the CPU executor cannot carry out, with the place in the author's text if the module knows it.
struct Refusal: Error {
  let what: String
  /// The position of the instruction in the module.
  let instruction: Int?

  /// Whether nothing is wrong but that it takes too long.
  let isLate: Bool

  init(_ what: String, at instruction: Int? = nil) {
    self.what = what
    self.instruction = instruction
    isLate = false
  }

  private init() { (what, instruction, isLate) = ("what takes too long to compile", nil, true) }

  /// The time to compile is over.
  static let late = Refusal()

  /// The error for a person.
  func error(kernel: String, module: SPIRVModule) -> RenderError {
    var place = "kernel '\(kernel)'"
    if let instruction, let location = module.location(instruction) { place += ", \(location.file):\(location.line)" }
    return RenderError(
      .invalidInput, "the CPU device cannot execute \(what) (\(place))", help: ["render on another device: --device vulkan"])
  }
}
