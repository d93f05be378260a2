internal import EtalonDiagnostics

/// The function of the text that a pass runs.
struct NativeKernel {
  let name: String
  let form: KernelForm
  /// The declaration that lets a caller stand before it.
  let prototype: String
  /// Labels at its name in the text.
  let labels: [Diagnostic.Label]

  /// The function that has the name of each form when a header names none.
  static let entryPoints = ["colorKernel": KernelForm.color, "warpKernel": .warp, "imageKernel": .image, "computeKernel": .compute]

  /// How a kernel of a form begins.
  static func example(_ form: KernelForm, _ name: String, colors: Int) -> String {
    switch form {
    case .color: "vec4 \(name)(\((0..<colors).map { colors == 1 ? "vec4 color" : "vec4 color\($0)" }.joined(separator: ", ")))"
    case .warp: "vec2 \(name)(vec2 position)"
    case .image: "vec4 \(name)(vec2 position)"
    case .compute: "void \(name)(ivec2 position)"
    }
  }
}
