internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Where the headers of the dialects differ: which keys and types they have, how much they forgive, and what names they allow.
struct HeaderPolicy: Sendable {
  /// An object in a header.
  enum Part {
    case header, importedFile, pass, output, buffer, persistentBuffer
  }

  /// It begins the ids of diagnostics.
  let dialect: FilterManifest.Dialect
  /// Whether what published files contain and other hosts accept is accepted: values of other forms, `null` for nothing, and unknown keys.
  let isLenient: Bool
  /// Departures from JSON that leave no doubt about what is meant; they are warnings.
  let toleratedSlips: Set<JSONSlip>
  /// The keys of each part in the order of messages; a part without keys does not exist.
  let keys: [Part: [String]]
  /// The keys of an input of a type, in the order of messages.
  let inputKeys: @Sendable (HeaderInputType) -> [String]
  let types: [HeaderInputType]
  /// What other dialects, and people, call the types.
  let otherTypes: [String: HeaderInputType]
  /// What the numbers of images mean, and their alpha, unless the header says it.
  let space: FilterInput.ColorSpace
  let alpha: AlphaMode
  /// What no name may be, in the order of checking.
  let nameRules: [NameRule]
  let expressions: any HeaderExpressions.Type

  /// The id of a diagnostic that several dialects have.
  func id(_ name: String) -> String { "\(dialect.rawValue).\(name)" }

  var unknownKeys: Diagnostic.Severity { isLenient ? .warning : .error }

  /// Prepares to take the members of a part.
  func members(_ value: LocatedJSON, _ part: Part, of owner: String) -> JSONMembers {
    JSONMembers(value, of: owner, known: keys[part] ?? [], ignoresNull: isLenient)
  }

  /// What another word than the names of the types means; nil when that is unclear.
  func meaning(ofType word: String) -> HeaderInputType? {
    guard isLenient else { return otherTypes[word] }
    return types.first { $0.rawValue.lowercased() == word.lowercased() } ?? otherTypes[word] ?? otherTypes[word.lowercased()]
  }

  /// What a filter is used for.
  func kind(of header: FilterHeader) -> FilterManifest.Kind {
    guard dialect == .isf else { return FilterManifest.Kind(ofInputs: header.images.filter { $0.input.origin == .user }.map(\.input.name)) }
    // Filters read `inputImage`, transitions lead from `startImage` to `endImage`; everything else makes pictures.
    let names = Set(header.images.map(\.input.name))
    if names.contains("inputImage") { return .filter }
    let hasProgress = header.parameters.contains { $0.name == "progress" && $0.kind == .float }
    return hasProgress && names.isSuperset(of: ["startImage", "endImage"]) ? .transition : .generator
  }
}

/// The types of inputs that headers have.
enum HeaderInputType: String, CaseIterable {
  case event, bool, long, int, float, angle, point2D, vec2, vec3, vec4, color, curve, matrix, text, table, font, image, audio, audioFFT

  /// What a parameter of the type is; nil for an image, a file of data or a sound.
  var parameterKind: ParameterKind? {
    switch self {
    case .event: .event
    case .bool: .bool
    case .long: .choice
    case .int: .int
    case .float: .float
    case .angle: .angle
    case .point2D: .point
    case .vec2: .vec2
    case .vec3: .vec3
    case .vec4: .vec4
    case .color: .color
    case .curve: .curve
    case .matrix: .matrix
    case .text: .text
    case .table, .font, .image, .audio, .audioFFT: nil
    }
  }

  /// What a file of data of the type holds; nil for all others.
  var data: FilterInput.DataKind? {
    switch self {
    case .table: .table
    case .font: .font
    default: nil
    }
  }
}

/// Reads the sizes, counts, constraints and reaches of a header.
protocol HeaderExpressions: Sendable {
  /// What is expected, for messages: `a size`.
  static var expected: String { get }

  init(parameters: [FilterParameter])

  /// The expression in a string; nil when it is none, which is reported.
  func read(_ text: String, at place: SourceRange, of what: String, _ members: inout JSONMembers) -> ExpressionText?

  /// How large a target is; as large as the result where an expression is missing.
  static func extent(width: ExpressionText?, height: ExpressionText?) -> FilterTarget.Extent
}

extension HeaderExpressions {
  /// The expression of a JSON value; nil when it is none, which is reported.
  func read(_ value: LocatedJSON, of what: String, _ members: inout JSONMembers) -> ExpressionText? {
    switch value.content {
    case .number(let text): return ExpressionText(text, place: value.place)
    case .string(let text): return read(text, at: value.place, of: what, &members)
    default:
      members.reportType(of: value, named: what, expected: Self.expected)
      return nil
    }
  }
}

// MARK: - the dialects

extension HeaderPolicy {
  /// The keys that tell people about a filter, behind those of versions.
  private static let about = ["DESCRIPTION", "CREDIT", "LICENSE", "CATEGORIES"]

  static let isf = HeaderPolicy(
    dialect: .isf, isLenient: true, toleratedSlips: Set(JSONSlip.allCases),
    keys: [
      .header: ["ISFVSN", "VSN", "KEYWORDS"] + about + ["INPUTS", "IMPORTED", "PASSES", "PERSISTENT_BUFFERS"],
      .importedFile: ["NAME", "TYPE", "PATH", "DESCRIPTION"],
      .pass: ["TARGET", "PERSISTENT", "FLOAT", "DESCRIPTION", "WIDTH", "HEIGHT"],
      .persistentBuffer: ["FLOAT", "WIDTH", "HEIGHT"],
    ],
    inputKeys: { type in
      ["NAME", "TYPE", "LABEL", "DESCRIPTION", "IDENTITY", "DEFAULT", "MIN", "MAX"] + (type == .long ? ["LABELS", "VALUES"] : [])
    },
    types: [.event, .bool, .long, .float, .point2D, .color, .image, .audio, .audioFFT],
    otherTypes: [
      "int": .long, "integer": .long, "menu": .long, "boolean": .bool, "number": .float, "double": .float, "vec2": .point2D,
      "point": .point2D,
      "vec4": .color, "colour": .color, "rgba": .color, "texture": .image, "sampler2D": .image, "trigger": .event,
    ],
    space: .encoded, alpha: .straight, nameRules: NameRule.isf, expressions: ISFSizes.self)

  static let native = HeaderPolicy(
    dialect: .native, isLenient: false, toleratedSlips: [.trailingComma, .comment, .byteOrderMark],
    keys: [
      .header: ["ISFVSN", "VSN", "KEYWORDS", "ETALON"] + about
        + ["ALIASES", "ALPHA", "INPUTS", "IMPORTED", "PASSES", "OUTPUTS", "BUFFERS", "CONSTRAINTS", "EXTENT", "SIZE", "REACH"],
      .importedFile: ["PATH"] + imageKeys,
      .pass: [
        "DESCRIPTION", "KERNEL", "TARGET", "PERSISTENT", "FORMAT", "FLOAT", "SCALE", "WIDTH", "HEIGHT", "ITERATIONS", "LOCAL_SIZE",
        "DISPATCH", "WRITES", "REACH",
      ],
      .output: ["NAME", "FORMAT", "FLOAT", "SCALE", "WIDTH", "HEIGHT"], .buffer: ["NAME", "TYPE", "COUNT", "PERSISTENT"],
    ],
    inputKeys: { type in
      let parameter = ["HELP", "GROUP"]
      let own =
        switch type {
        case .image: ["HELP"] + imageKeys + ["FRAMES", "ENDS", "DISTANCE"]
        case .table, .font: ["HELP"]
        case .curve: parameter + ["DEFAULT", "IDENTITY"]
        case .matrix: parameter + ["ROWS", "COLUMNS", "DEFAULT", "IDENTITY"]
        case .text: parameter + ["LENGTH", "CHARACTERS", "FONT", "DEFAULT", "IDENTITY"]
        case .audio, .audioFFT: ["HELP", "MAX"] + imageKeys
        case .event: parameter
        case .bool: parameter + ["DEFAULT", "IDENTITY"]
        case .long: parameter + ["DEFAULT", "LABELS", "VALUES", "IDENTITY"]
        default: parameter + ["DEFAULT", "MIN", "MAX", "STEP", "UNIT", "IDENTITY"]
        }
      return ["NAME", "TYPE", "LABEL"] + own
    },
    types: HeaderInputType.allCases,
    otherTypes: [
      "integer": .int, "uint": .int, "boolean": .bool, "number": .float, "double": .float, "point": .point2D, "colour": .color,
      "rgba": .color,
      "texture": .image, "sampler2D": .image, "menu": .long, "choice": .long, "enum": .long, "trigger": .event, "lut": .table,
      "cube": .table, "typeface": .font, "string": .text, "mat3": .matrix, "mat4": .matrix,
    ],
    space: .working, alpha: .premultiplied, nameRules: NameRule.native, expressions: NativeExpressions.self)

  private static let imageKeys = ["INTERPOLATION", "ADDRESS", "SPACE", "ALPHA"]
}

// MARK: - names

/// A reason why a name cannot be given to an input, an import or a target, which are variables in the text.
struct NameRule: Sendable {
  /// The id of the diagnostic within its dialect.
  let id: String
  /// What is said about the name.
  let message: String
  let help: @Sendable (String) -> String
  let notes: [String]
  let isBroken: @Sendable (String) -> Bool

  private init(
    _ id: String, _ message: String, help: @escaping @Sendable (String) -> String = { _ in "rename it" }, notes: [String] = [],
    isBroken: @escaping @Sendable (String) -> Bool
  ) {
    self.id = id
    self.message = message
    self.help = help
    self.notes = notes
    self.isBroken = isBroken
  }

  static let isf = [
    NameRule(
      "name", "cannot be the name of a variable", help: { "write '\(identifier(like: $0))'; the text for people is its LABEL" },
      notes: ["names consist of letters, digits and '_' and do not start with a digit"]
    ) { !isIdentifier($0) },
    NameRule("name-taken", "is set by the host", help: { _ in "rename it, here and in the text" }) { ISFUniforms.names.contains($0) },
    NameRule("name", "has a meaning in every GLSL", help: { _ in "rename it, here and in the text" }) {
      GLSLKeywords.all.contains($0) || $0.hasPrefix("gl_")
    },
  ]

  static let native = [
    NameRule(
      "name", "cannot be the name of a variable", help: { _ in "use letters, digits and '_'; the text for people is the LABEL" },
      notes: ["names do not start with a digit"]
    ) { !isIdentifier($0) },
    NameRule("name-taken", "is the name of something every kernel has") { NativeScope.names.contains($0) },
    NameRule("name", "is a name that no text may declare", notes: ["'gl_', 'etalon' and '__' are reserved"]) {
      $0.hasPrefix("gl_") || $0.hasPrefix("etalon") || $0.contains("__")
    },
    NameRule(
      "name", "is the name of the function where a text starts", notes: ["such functions: \(starts.sorted().joined(separator: ", "))"]
    ) { starts.contains($0) },
    NameRule("name", "is a word of GLSL") { words.contains($0) },
  ]

  private static let starts: Set<String> = Set(["main"] + NativeKernel.entryPoints.keys)

  /// Words that a text needs as they are; other reserved words are renamed inside.
  private static let words = GLSLKeywords.all.union(["double", "shared", "buffer", "barrier"])

  private static func isIdentifier(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, !(0x30...0x39).contains(first) else { return false }
    return bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
  }

  /// `"blur amount (px)"` as `blurAmountPx`.
  private static func identifier(like name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
    let joined = words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    let start = joined.first.map { $0.isNumber ? "_" : "" } ?? "input"
    return start + joined
  }
}

/// The names that a header gives to inputs, imports, targets, buffers and outputs.
struct HeaderNames {
  let policy: HeaderPolicy
  private var declared: [String: (place: SourceRange, what: String)] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  init(policy: HeaderPolicy) { self.policy = policy }

  /// Notes a name and says whether it can be used; what is wrong with it is reported.
  mutating func add(_ name: Placed<String>, as what: String) -> Bool {
    if let rule = policy.nameRules.first(where: { $0.isBroken(name.value) }) {
      diagnostics.report(
        policy.id(rule.id), "'\(name.value)' \(rule.message)", at: name.place, "the name of the \(what)", help: [rule.help(name.value)],
        notes: rule.notes)
      return false
    }
    if let first = declared[name.value] {
      diagnostics.report(
        policy.id("name-taken"), "'\(name.value)' is the name of two things", at: name.place, "the \(what)",
        further: [first.place.label("the \(first.what)")], help: ["rename one of them"])
      return false
    }
    declared[name.value] = (name.place, what)
    return true
  }
}
