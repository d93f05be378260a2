internal import EtalonDiagnostics
package import EtalonGLSL
package import EtalonTypes

/// Writes the kernel that several pixel passes are linked into, so that colors go from one to the next without a texture between them.
///
/// ```swift
/// let host = FusionHost(stages: [.init(), .init(arguments: [0: .init(stage: 0)])], usesQuads: false)
/// let compiled = try compiler.compile(filter: "sepia, vignette", pass: host.pass, variant: StoreVariant(.packed8, alpha: .divide))
/// ```
///
/// The text calls an empty function for every stage, which linking replaces by the stage's `main`. What the last stage leaves is stored as the variant
/// says, as by any other pixel pass, or goes where a text of the host's own takes it.
package struct FusionHost: Sendable, Hashable {
  /// What goes into one stage, and what becomes of the color that it leaves.
  package struct Stage: Sendable, Hashable {
    /// What the linked arguments are given, by their positions.
    package let arguments: [Int: Argument]
    /// The format of the texture that would hold the color if it were stored.
    ///
    /// Fractions are rounded to the steps of a format without floats, and channels that it lacks are lost; floats keep all their bits. The last
    /// stage needs none, because its color is stored.
    package let format: PixelFormat

    package init(arguments: [Int: Argument] = [:], format: PixelFormat = .rgba32f) {
      self.arguments = arguments
      self.format = format
    }
  }

  /// The color that an earlier stage left.
  package struct Argument: Sendable, Hashable {
    /// The number of the stage.
    package let stage: Int
    /// What happens to the color on its way.
    package let alpha: StoreVariant.Alpha

    package init(stage: Int, alpha: StoreVariant.Alpha = .asReturned) {
      self.stage = stage
      self.alpha = alpha
    }
  }

  /// In the order in which they run.
  package let stages: [Stage]
  /// Whether the pixels of an invocation's subgroup are quads, as some stage needs them.
  package let usesQuads: Bool
  /// Declarations and a `main` that calls `vec4 etalonColorAt(ivec2 pixel)` for the colors of any pixels; nil for a kernel that stores one.
  ///
  /// Such a kernel is compiled as a stage, and its stages may run several times in an invocation.
  package let ending: String?

  /// Describes the kernel.
  ///
  /// - Precondition: There is a stage, and stages get their arguments from earlier ones; those of a kernel with an ending use no quads.
  package init(stages: [Stage], usesQuads: Bool, ending: String? = nil) {
    precondition(!stages.isEmpty, "a fused kernel has stages")
    precondition(ending == nil || !usesQuads, "quads of a kernel whose invocations have several pixels")
    for (index, stage) in stages.enumerated() {
      precondition(stage.arguments.values.allSatisfy { (0..<index).contains($0.stage) }, "stage \(index) uses one that comes later")
    }
    self.stages = stages
    self.usesQuads = usesQuads
    self.ending = ending
  }

  /// The kernel as a pass that reads nothing yet.
  package var pass: PassSource {
    PassSource(name: "fused", source: source, uniforms: [], textures: [], usesQuads: usesQuads)
  }

  /// The GLSL text.
  package var source: GeneratedSource { GeneratedSource(Lexer.tokens(ofAddedText: text)) }

  private var text: String {
    var program = PixelProgram(uniforms: [], textures: [], mentioned: [])
    program.needsQuads = usesQuads
    return program.declarations + variables + program.helpers + FusionFunctions.conversions(alphas) + FusionFunctions.rounding(formats)
      + placeholders + (ending.map { colorAt + $0 } ?? main)
  }

  private var alphas: Set<StoreVariant.Alpha> { Set(stages.flatMap { $0.arguments.values.map(\.alpha) }) }

  private var formats: Set<PixelFormat> { Set(stages.map(\.format)) }

  // MARK: what the stages share

  private var variables: String {
    let arguments = Set(stages.flatMap(\.arguments.keys)).sorted().map { "vec4 \(StageVariables.argument($0));\n" }.joined()
    // Compiled as a stage, a kernel has the variable already.
    return (ending == nil ? "vec4 \(StageVariables.result);\n" : "") + arguments
  }

  private var placeholders: String { stages.indices.map { "void \(Self.placeholder($0))() {}\n" }.joined() }

  private static func placeholder(_ stage: Int) -> String { "etalonStage\(stage)" }

  // MARK: what runs

  private var main: String {
    "void main() {\n" + stages.indices.map(call).joined() + "  etalonStore(etalonColor\(stages.count - 1));\n}\n"
  }

  private var colorAt: String {
    "vec4 etalonColorAt(ivec2 pixel) {\n  \(StageVariables.pixel) = pixel;\n" + stages.indices.map(call).joined()
      + "  return etalonColor\(stages.count - 1);\n}\n"
  }

  private func call(_ index: Int) -> String {
    let stage = stages[index]
    let arguments = stage.arguments.sorted { $0.key < $1.key }.map { position, argument in
      "  \(StageVariables.argument(position)) = \(FusionFunctions.converted("etalonColor\(argument.stage)", argument.alpha));\n"
    }
    let color = FusionFunctions.rounded(StageVariables.result, stage.format)
    return arguments.joined() + "  \(Self.placeholder(index))();\n  vec4 etalonColor\(index) = \(color);\n"
  }
}

/// GLSL for what happens to a color between two stages of a fused kernel, where a texture would have been.
private enum FusionFunctions {
  // MARK: alpha

  /// The functions that calls of `converted` need.
  static func conversions(_ alphas: Set<StoreVariant.Alpha>) -> String {
    let bodies: [(StoreVariant.Alpha, String)] = [
      (.opaque, "vec4 etalonOpaque(vec4 color) { return vec4(color.rgb, 1.0); }\n"),
      (.multiply, "vec4 etalonMultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }\n"),
      (.divide, "vec4 etalonDivided(vec4 color) { return vec4(color.a == 0.0 ? vec3(0.0) : color.rgb / color.a, color.a); }\n"),
    ]
    return bodies.filter { alphas.contains($0.0) }.map(\.1).joined()
  }

  /// An expression for a color with its alpha changed.
  static func converted(_ color: String, _ alpha: StoreVariant.Alpha) -> String {
    switch alpha {
    case .asReturned: color
    case .opaque: "etalonOpaque(\(color))"
    case .multiply: "etalonMultiplied(\(color))"
    case .divide: "etalonDivided(\(color))"
    }
  }

  // MARK: format

  /// The functions that calls of `rounded` need.
  static func rounding(_ formats: Set<PixelFormat>) -> String {
    [8, 16].compactMap { bits in
      guard let format = formats.first(where: { steps($0) == 1 << bits - 1 }) else { return nil }
      let scale = "\(steps(format) ?? 0).0"
      return "vec4 etalonRounded\(bits)(vec4 color) { return vec4(etalonQuantized(color, \(scale))) / \(scale); }\n"
    }.joined()
  }

  /// An expression for what a texture of a format makes of a color.
  static func rounded(_ color: String, _ format: PixelFormat) -> String {
    let rounded = steps(format) == nil ? color : "etalonRounded\(8 * format.bytesPerChannel)(\(color))"
    switch format.channelCount {
    case 1: return "vec4(\(rounded).r, 0.0, 0.0, 1.0)"
    case 2: return "vec4(\(rounded).rg, 0.0, 1.0)"
    default: return rounded
    }
  }

  /// The largest number of a channel that holds fractions, nil for floats.
  private static func steps(_ format: PixelFormat) -> Int? { format.isFloat ? nil : 1 << (8 * format.bytesPerChannel) - 1 }
}

/// The global variables through which a fused kernel and its stages hand each other values.
///
/// They have the same names on both sides, and linking makes one variable of each.
package enum StageVariables {
  /// The pixel of the invocation, which stages only read.
  package static let pixel = "etalonPixel"
  /// The color that a stage leaves behind.
  package static let result = "etalonStageResult"

  /// The color that a stage is given for an argument.
  package static func argument(_ index: Int) -> String { "etalonArgument\(index)" }
}
