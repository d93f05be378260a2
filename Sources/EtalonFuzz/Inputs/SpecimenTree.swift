import ArgumentParser
import EtalonDiagnostics
import EtalonDialects
import EtalonMedia
import EtalonTypes
import Foundation

/// A folder with everything that damaged inputs are made of and read: the filters, documents, cases and pictures of a source tree, and files that are made.
struct SpecimenTree {
  /// The folders of a source tree that are taken over.
  private static let folders = [
    "samples", "Plugins", "Tests/Corpus", "Tests/EtalonMediaTests/Fixtures", "Tests/EtalonToolTests/Fixtures",
  ]
  /// Parts of the tree that hold no valid files, or no filters.
  private static let left = [
    "Tests/Corpus/errors/", "Tests/Corpus/kernels/", "Tests/Corpus/spirv/", "Tests/Corpus/defects/", "/mistakes/", "/mistaken",
    "/unknown-filter", "/wrong-value", "/chains", "/chain-values",
    "Tests/Corpus/json/", "/api-error.json", "/Fixtures/survey/", "/Fixtures/events.csv", "/layers.exr",
    "-cmyk.jpg",
  ]
  static let made = "made"
  /// Larger files take too long.
  private static let largestFile = 24 << 10

  let root: String
  /// In an order that is the same in every run.
  let specimens: [InputKind: [WholeInput]]

  /// Whether a folder is a source tree.
  static func isSource(_ path: String) -> Bool {
    ["samples", "Plugins"].allSatisfy { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
  }

  /// The source tree that a folder lies in; nil where it lies in none.
  static func source(around path: String) -> String? {
    var folder = URL(filePath: path).standardizedFileURL
    while folder.path != "/" {
      if isSource(folder.path) { return folder.path }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// Copies a source tree into a new folder, and adds what is made.
  static func make(at root: String, from source: String) throws {
    let files = FileManager.default
    for folder in folders where files.fileExists(atPath: "\(source)/\(folder)") {
      let target = URL(filePath: "\(root)/\(folder)")
      try files.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try files.copyItem(atPath: "\(source)/\(folder)", toPath: target.path)
    }
    try files.createDirectory(atPath: "\(root)/\(made)", withIntermediateDirectories: true)
    for (name, text) in MadeTexts.files { try Data(text.utf8).write(to: URL(filePath: "\(root)/\(made)/\(name)")) }
    var dice = Dice(seed: 1)
    let pixels = PixelBuffer(
      size: Size(9, 7), format: .rgba32f, alpha: .straight, bytes: (0..<9 * 7 * 16).map { $0 % 4 == 3 ? 0x3F : UInt8(dice.pick(256)) })
    let memory = MemorySink()
    try EXRWriter().write(pixels, text: [TextChunk("Software", "Etalon")], to: memory)
    try Data(memory.bytes).write(to: URL(filePath: "\(root)/\(made)/written.exr"))
  }

  /// Makes another folder like one that `make` made; the files of both are the same, so that it takes no time.
  static func link(_ root: String, to other: String) throws { try FileManager.default.linkItem(atPath: root, toPath: other) }

  /// Reads the list of the specimens of a folder that `write(to:)` wrote, because it takes long to find them.
  init(at root: String, list: String) throws {
    self.root = root
    let all = try JSONDecoder().decode([WholeInput].self, from: Data(contentsOf: URL(filePath: list)))
    specimens = Dictionary(grouping: all, by: \.kind)
  }

  /// Writes the list of the specimens, each kind in its order.
  func write(to list: String) throws {
    let all = InputKind.allCases.flatMap { specimens[$0] ?? [] }
    try JSONEncoder().encode(all).write(to: URL(filePath: list))
  }

  /// Finds the specimens of a folder that `make` made.
  init(at root: String) {
    self.root = root
    let paths = Self.folders.flatMap { folder in
      ((try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []).map { "\(folder)/\($0)" }
    }.sorted()
    var found: [WholeInput] = []
    let all = Set(paths)
    for path in paths where !Self.left.contains(where: path.contains) {
      found += Self.specimens(path, in: root, beside: all)
    }
    found += Self.madeSpecimens
    let filters = found.filter { $0.kind.isShader && $0.kind != .project }
    // What is compiled of filters is damaged, too.
    found += filters.map { WholeInput(kind: .module, main: $0.main, parts: []) }
    found += filters.map { WholeInput(kind: .cache, main: $0.main, parts: []) }
    specimens = Dictionary(grouping: found, by: \.kind)
  }

  private static var madeSpecimens: [WholeInput] {
    func made(_ kind: InputKind, _ name: String, parts: Bool = true, reader: String? = nil) -> WholeInput {
      WholeInput(
        kind: kind, main: "\(Self.made)/\(name)", parts: parts ? ["\(Self.made)/\(name)"] : [], reader: reader.map { "\(Self.made)/\($0)" })
    }
    return [
      made(.compute, "sum.comp"), made(.native, "remember.glsl"), made(.native, "disc.glsl"), made(.exr, "written.exr"),
      made(.track, "level.csv", reader: "disc.glsl"), made(.events, "strokes.csv", reader: "hand.glsl"),
      made(.checkpoint, "remember.glsl", parts: false), made(.sidecar, "hand.glsl", parts: false), made(.wav, "made.wav", parts: false),
      made(.volume, "made.bin", parts: false), made(.png, "made.png", parts: false),
    ]
  }

  private static func specimens(_ path: String, in root: String, beside all: Set<String>) -> [WholeInput] {
    func specimen(_ kind: InputKind, parts: [String]? = nil, reader: String? = nil) -> [WholeInput] {
      [WholeInput(kind: kind, main: path, parts: parts ?? [path], reader: reader)]
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path, suffix = name.split(separator: ".").last.map(String.init) ?? ""
    let isTest = path.contains("/tests/")
    if name == "project.json" {
      let folder = path.dropLast("/project.json".count)
      let parts = all.filter {
        $0.hasPrefix(folder + "/") && ($0.hasSuffix(".glsl") || $0 == path) && !$0.dropFirst(folder.count + 1).contains("/")
      }
      let hasState = path.contains("coral") || path.contains("embers")
      return [WholeInput(kind: .folder, main: String(folder), parts: parts.sorted())]
        + (hasState ? [WholeInput(kind: .checkpoint, main: String(folder), parts: [])] : [])
    }
    switch suffix {
    case "png": return isTest && !path.hasPrefix("Plugins/tests") || isLarge(path, root) ? [] : specimen(.png)
    case "jpg": return isLarge(path, root) ? [] : specimen(.jpeg)
    case "mp4": return specimen(.video)
    case "exr": return isLarge(path, root) ? [] : specimen(.exr)
    case "csv": return path.hasPrefix("samples") ? specimen(.events, reader: "samples/pane.json") : []
    case "yaml" where isTest: return specimen(.testCase)
    case "yaml": return path.contains("/tests") || path.hasPrefix("Tests/Corpus") ? [] : specimen(.document)
    case "glsl", "fs", "comp", "json":
      // The texts of a folder are read as wholes.
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      guard !isTest, !all.contains("\(folder)/project.json"), let kind = kind(of: path, in: root) else { return [] }
      let half = path.dropLast(suffix.count) + "vs"
      return specimen(kind, parts: all.contains(String(half)) ? [path, String(half)] : nil)
    default: return []
    }
  }

  private static func isLarge(_ path: String, _ root: String) -> Bool {
    (try? FileReader.bytes(of: "\(root)/\(path)", limit: largestFile)) == nil
  }

  private static func kind(of path: String, in root: String) -> InputKind? {
    guard let bytes = try? FileReader.bytes(of: "\(root)/\(path)", limit: 1 << 20),
      let form = try? DialectRecognition().form(of: SourceText(path: path, bytes: bytes))
    else { return nil }
    switch form {
    case .shaderToy: return .shaderToy
    case .shaderToyProject: return .project
    case .isf: return .isf
    case .glTransition: return .transition
    case .native: return .native
    case .fragment: return nil
    case .compute: return .compute
    }
  }
}

extension SpecimenTree {
  /// The input of a seed; nil where the tree has nothing of its kind.
  ///
  /// - Parameter isWhole: whether nothing is damaged, to see what the specimens do.
  func input(_ kind: InputKind, seed: UInt64, isWhole: Bool = false) throws -> (input: DamagedInput, dice: Dice)? {
    var dice = kind.dice(seed: seed)
    guard let all = specimens[kind], !all.isEmpty else { return nil }
    let specimen = dice.pick(from: all)
    switch kind {
    case .png where specimen.parts.isEmpty || dice.happens(65):
      let file = PNGMaker.file(&dice)
      let damaged = dice.happens(15) ? BinaryDamage(format: .png).applied(to: file, &dice) : file
      let made = WholeInput(kind: .png, main: "\(Self.made)/made.png", parts: [])
      return (DamagedInput(specimen: made, files: [made.main: damaged]), dice)
    case .exr where dice.happens(70):
      let file = EXRMaker.file(&dice)
      let damaged = dice.happens(15) ? BinaryDamage(format: .exr).applied(to: file, &dice) : file
      let made = WholeInput(kind: .exr, main: "\(Self.made)/made.exr", parts: [])
      return (DamagedInput(specimen: made, files: [made.main: damaged]), dice)
    case .wav:
      let file = WAVMaker.file(&dice)
      let damaged = dice.happens(40) ? BinaryDamage(format: .riff).applied(to: file, &dice) : file
      return (DamagedInput(specimen: specimen, files: [specimen.main: damaged]), dice)
    case .volume:
      let file = VolumeMaker.file(&dice)
      let damaged = dice.happens(50) ? BinaryDamage(format: .plain).applied(to: file, &dice) : file
      return (DamagedInput(specimen: specimen, files: [specimen.main: damaged]), dice)
    default:
      guard !specimen.parts.isEmpty, !isWhole else { return (DamagedInput(specimen: specimen, files: [:]), dice) }
      let part = dice.pick(from: specimen.parts)
      let bytes = try FileReader.bytes(of: "\(root)/\(part)", limit: 1 << 22)
      return (DamagedInput(specimen: specimen, files: [part: Self.damaged(bytes, kind, &dice)]), dice)
    }
  }

  private static func damaged(_ bytes: [UInt8], _ kind: InputKind, _ dice: inout Dice) -> [UInt8] {
    switch kind {
    case .png: BinaryDamage(format: .png).applied(to: bytes, &dice)
    case .jpeg: BinaryDamage(format: .jpeg).applied(to: bytes, &dice)
    case .exr: BinaryDamage(format: .exr).applied(to: bytes, &dice)
    case .video: BinaryDamage(format: .mp4).applied(to: bytes, &dice)
    case .shaderToy, .folder, .isf, .transition, .native, .compute:
      TextDamage(language: .shader, vocabulary: Vocabulary.shader).applied(to: bytes, &dice)
    case .project: ProjectDamage.applied(to: bytes, &dice)
    case .document: TextDamage(language: .document, vocabulary: Vocabulary.document).applied(to: bytes, &dice)
    case .testCase: TextDamage(language: .document, vocabulary: Vocabulary.testCase).applied(to: bytes, &dice)
    default: TextDamage(language: .table, vocabulary: Vocabulary.table).applied(to: bytes, &dice)
    }
  }
}

/// The JSON of a project holds texts of shaders: they are damaged as such, and what is around them as a document.
enum ProjectDamage {
  static func applied(to bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    guard dice.happens(75), let document = try? JSONSerialization.jsonObject(with: Data(bytes)) else {
      return TextDamage(language: .document, vocabulary: Vocabulary.shader).applied(to: bytes, &dice)
    }
    let codes = codes(in: document)
    guard !codes.isEmpty else { return bytes }
    let code = dice.pick(from: codes)
    let damaged = TextDamage(language: .shader, vocabulary: Vocabulary.shader).applied(to: Array(code.utf8), &dice)
    let changed = replacing(code, with: String(decoding: damaged, as: UTF8.self), in: document)
    return (try? JSONSerialization.data(withJSONObject: changed, options: [.sortedKeys, .fragmentsAllowed])).map { Array($0) } ?? bytes
  }

  private static func codes(in value: Any) -> [String] {
    if let members = value as? [String: Any] {
      return members.sorted { $0.key < $1.key }.flatMap { key, value in
        (value as? String).map { key == "code" ? [$0] : [] } ?? codes(in: value)
      }
    }
    return (value as? [Any] ?? []).flatMap { codes(in: $0) }
  }

  private static func replacing(_ code: String, with other: String, in value: Any) -> Any {
    if let members = value as? [String: Any] {
      return members.mapValues { ($0 as? String) == code ? other : replacing(code, with: other, in: $0) }
    }
    if let elements = value as? [Any] { return elements.map { replacing(code, with: other, in: $0) } }
    return value
  }
}

/// Words that readers know.
enum Vocabulary {
  static let shader = [
    "float", "vec2", "vec3", "vec4", "int", "uint", "mat2", "mat3", "mat4", "bool", "ivec2", "uvec4", "sampler2D", "iTime", "iFrame",
    "iMouse",
    "iResolution", "iChannel0", "sin", "cos", "pow", "exp2", "mod", "fract", "mix", "smoothstep", "normalize", "inverse", "refract", "dFdx",
    "fwidth", "texture", "texelFetch", "textureLod", "bitfieldExtract", "discard", "return", "break", "continue", "if", "for", "while",
    "const", "inout", "out", "precise", "shared", "IMG_PIXEL", "IMG_SIZE", "TIME", "RENDERSIZE", "PASSINDEX", "getFromColor", "progress",
    "main", "image2D", "barrier", "gl_GlobalInvocationID",
  ]
  static let document = [
    "etalon", "size", "rate", "first", "start", "frames", "format", "workingSpace", "include", "inputs", "nodes", "filter", "values",
    "chain",
    "previous", "outputs", "parameters", "sets", "sequence", "missing", "hold", "ease", "node", "file", "alpha", "bits", "gaussian-blur",
    "vignette", "crop", "affine", "source-over", "time", "progress", "frame", "linear", "rgba32f", "duration", "loop", "null", "~", "true",
  ]
  static let testCase = [
    "cases", "filter", "graph", "inputs", "values", "size", "frames", "times", "reference", "tolerance", "invariants", "identity",
    "defaults",
    "resolution", "within", "vulkan", "channel", "outliers", "ceiling", "ssim", "flip", "expect", "skip", "when", "device", "cpu", "bits",
    "alpha", "rate", "first", "start", "events", "mouse", "true", "null", "ulp", "relative",
  ]
  static let table = [
    "frame", "time", "mouse", "key", "down", "up", "move", "a", "space", "f", "s", "level", "center", "x", "y", ",,", "\"", ";",
  ]
}

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
  /// A volume as ShaderToy's site stores it.
  case volume
  /// An MP4 with a picture track and a sound, which the libraries of the machine decode.
  case video
  /// The SPIR-V of a compiled filter.
  case module
  /// An entry of the caches of kernels and of filters.
  case cache
  case checkpoint
  /// What stands beside a sequence of frames.
  case sidecar

  /// Whether it is a text that a compiler reads.
  fileprivate var isShader: Bool {
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
