import ArgumentParser

/// What is damaged.
enum InputKind: String, CaseIterable, Hashable, Codable, Sendable, ExpressibleByArgument {
  case shaderToy = "shadertoy"
  /// The JSON of a ShaderToy with all its passes.
  case project
  /// A folder with a text for each pass of a ShaderToy.
  case folder
  case isf
  case transition
  case native
  case compute
  /// A graph document.
  case document
  /// A file of test cases.
  case testCase = "case"
  /// What the mouse and the keys do.
  case events
  /// A table of values over time.
  case track
  case png
  case jpeg
  case exr
  case wav
  /// The SPIR-V of a compiled filter.
  case module
  /// An entry of the caches of kernels and of filters.
  case cache
  case checkpoint
  /// What stands beside a sequence of frames.
  case sidecar

  /// Whether it is a text that a compiler reads.
  var isShader: Bool {
    switch self {
    case .shaderToy, .project, .folder, .isf, .transition, .native, .compute: true
    default: false
    }
  }

  /// The seed of the numbers that decide what becomes of input `seed`: kinds with one seed have nothing in common.
  func dice(seed: UInt64) -> Dice {
    let name = rawValue.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    var first = Dice(seed: name ^ seed)
    return Dice(seed: first.next())
  }
}

/// A whole file, or several that belong together, of which damaged copies are made.
struct WholeInput: Hashable, Codable, Sendable {
  let kind: InputKind
  /// What is named on a command line; a path in the tree of specimens, as all others are.
  let main: String
  /// The files that may be damaged.
  let parts: [String]
  /// What goes with it: the filter that reads it.
  var reader: String?
}

/// A damaged copy of a specimen.
struct DamagedInput: Sendable {
  let specimen: WholeInput
  /// The content of the damaged files by their paths; empty where only what is made of the specimen is damaged.
  let files: [String: [UInt8]]
}
