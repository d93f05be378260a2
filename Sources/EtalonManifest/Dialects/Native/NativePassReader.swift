internal import EtalonDiagnostics
internal import EtalonTypes

/// Reads elements of `PASSES`, and the sizes, formats and reaches that headers give elsewhere too.
struct NativePassReader {
  private(set) var diagnostics: [Diagnostic] = []
  private var expressions: NativeExpressions

  private static let mostIterations = 65_536
  private static let mostInvocations = 1024

  init(parameters: [FilterParameter]) { expressions = NativeExpressions(parameters: parameters) }

  var allDiagnostics: [Diagnostic] { diagnostics + expressions.diagnostics }

  mutating func pass(_ value: LocatedJSON, index: Int) -> NativeHeader.Pass {
    var members = JSONMembers(value, of: "pass \(index)")
    var pass = NativeHeader.Pass(place: value.place)
    _ = members.value("DESCRIPTION")
    pass.kernel = members.string("KERNEL")
    pass.target = members.string("TARGET")
    pass.isPersistent = members.bool("PERSISTENT")?.value ?? false
    pass.format = format(&members)
    pass.extent = extent(&members)
    pass.iterations = members.whole("ITERATIONS", in: 1...Self.mostIterations)?.value ?? 1
    pass.localSize = localSize(&members)
    pass.dispatch = dispatch(&members)
    pass.writes = members.strings("WRITES")
    pass.reach = reach(&members)
    members.reportUnknownKeys(as: .error)
    if pass.isPersistent, pass.target == nil, pass.writes == nil {
      members.report(
        "native.persistent", "only a target can be persistent", at: members.object["PERSISTENT"]?.place ?? value.place, "without a target",
        help: ["add \"TARGET\": \"name\""])
    }
    diagnostics += members.diagnostics
    return pass
  }

  /// An element of `OUTPUTS`: a name, or an object with a `NAME`.
  mutating func output(_ value: LocatedJSON, index: Int) -> NativeHeader.Output? {
    if case .string(let name) = value.content {
      return NativeHeader.Output(name: Placed(name, at: value.place), format: .rgba16f, extent: .output)
    }
    var members = JSONMembers(value, of: "output \(index)")
    let name = members.string("NAME")
    members.reportMissing("NAME")
    let output = name.map { NativeHeader.Output(name: $0, format: format(&members), extent: extent(&members)) }
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    return output
  }

  /// An element of `BUFFERS`.
  mutating func buffer(_ value: LocatedJSON, index: Int) -> (name: Placed<String>, buffer: FilterBuffer)? {
    var members = JSONMembers(value, of: "buffer \(index)")
    let name = members.string("NAME")
    let type = elementType(&members)
    let count = members.value("COUNT").flatMap { expressions.read($0, of: "'COUNT' of buffer \(index)") }
    for key in ["NAME", "TYPE", "COUNT"] { members.reportMissing(key) }
    if let number = members.object["COUNT"]?.number, number < 1 || number != number.rounded() || number > Double(1 << 28) {
      members.report(
        "native.number", "'COUNT' of buffer \(index) is no whole number from 1 to \(1 << 28)",
        at: members.object["COUNT"]?.place ?? value.place,
        "out of range")
    }
    let isPersistent = members.bool("PERSISTENT")?.value ?? false
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    guard let name, let type, let count else { return nil }
    return (name, FilterBuffer(name: name.value, type: type, count: count, isPersistent: isPersistent, place: name.place))
  }

  private static let elementTypes: [ValueType] = [.int, .uint, .float, .vec2, .vec4, .ivec2, .ivec4]

  private mutating func elementType(_ members: inout JSONMembers) -> ValueType? {
    guard let written = members.string("TYPE") else { return nil }
    if let type = ValueType(rawValue: written.value), Self.elementTypes.contains(type) { return type }
    members.reportWord(written, "TYPE", Self.elementTypes.map(\.rawValue))
    return nil
  }

  // MARK: sizes

  /// `SCALE`, or `WIDTH` and `HEIGHT`.
  private mutating func extent(_ members: inout JSONMembers) -> FilterTarget.Extent {
    let scale = members.value("SCALE")
    let width = members.value("WIDTH").flatMap { expressions.read($0, of: "'WIDTH'") }
    let height = members.value("HEIGHT").flatMap { expressions.read($0, of: "'HEIGHT'") }
    if let scale {
      for key in ["WIDTH", "HEIGHT"] {
        guard let place = members.object[key]?.place else { continue }
        members.report(
          "native.two-sizes", "'SCALE' and '\(key)' both say how large the target is", at: place, "the second", help: ["remove one"])
      }
      return self.scale(scale, &members)
    }
    guard width != nil || height != nil else { return .output }
    if let x = width.flatMap({ Int($0.text) }), let y = height.flatMap({ Int($0.text) }),
      [x, y].allSatisfy(FilterTarget.Extent.sides.contains)
    {
      return .pixels(Size(x, y))
    }
    return .expressions(width: width, height: height)
  }

  /// `0.5`, or `"1/3"`.
  private mutating func scale(_ value: LocatedJSON, _ members: inout JSONMembers) -> FilterTarget.Extent {
    var factor: Rational?
    switch value.content {
    case .number(let text), .string(let text): factor = Rational(text)
    default: break
    }
    guard let factor, factor > .zero, factor <= FilterTarget.Extent.largestFactor else {
      members.report(
        "native.scale", "'SCALE' is no number above 0 and up to 16", at: value.place, value.kind, help: ["write 0.5 or \"1/3\""])
      return .output
    }
    return factor == Rational(1) ? .output : .scaled(factor)
  }

  /// `FORMAT`, or ISF's `FLOAT`.
  private mutating func format(_ members: inout JSONMembers) -> PixelFormat {
    let format = members.word("FORMAT", PixelFormat.self)
    let isFloat = members.bool("FLOAT")
    if format != nil, let isFloat {
      members.report("native.two-formats", "'FORMAT' and 'FLOAT' both say what the target holds", at: isFloat.place, "remove this")
    }
    return format ?? (isFloat?.value == true ? .rgba32f : .rgba16f)
  }

  // MARK: kernels

  private mutating func localSize(_ members: inout JSONMembers) -> Placed<[Int]>? {
    guard let numbers = members.numbers("LOCAL_SIZE") else { return nil }
    let isFitting =
      (1...3).contains(numbers.value.count)
      && numbers.value.allSatisfy { $0 == $0.rounded() && $0 >= 1 && $0 <= Double(Self.mostInvocations) }
    guard isFitting, numbers.value.reduce(1, *) <= Double(Self.mostInvocations) else {
      members.report(
        "native.local-size", "'LOCAL_SIZE' is not one to three whole numbers whose product is at most \(Self.mostInvocations)",
        at: numbers.place, "these sizes", help: ["write [16, 16]"])
      return nil
    }
    let sizes = numbers.value.map { Int($0) }
    return Placed(sizes + Array(repeating: 1, count: 3 - sizes.count), at: numbers.place)
  }

  private mutating func dispatch(_ members: inout JSONMembers) -> Placed<[ExpressionText]>? {
    guard let counts = members.array("DISPATCH") else { return nil }
    guard (1...3).contains(counts.value.count) else {
      members.report("native.dispatch", "'DISPATCH' is not one to three numbers of workgroups", at: counts.place, "these numbers")
      return nil
    }
    let read = counts.value.compactMap { expressions.read($0, of: "'DISPATCH'") }
    guard read.count == counts.value.count else { return nil }
    return Placed(read + Array(repeating: ExpressionText("1", place: nil), count: 3 - read.count), at: counts.place)
  }

  /// `REACH`: a number, two of them, an expression, or `all`.
  mutating func reach(_ members: inout JSONMembers) -> KernelReach? {
    guard let value = members.value("REACH") else { return nil }
    if case .string("all") = value.content { return .everywhere }
    let parts = value.elements ?? [value]
    guard (1...2).contains(parts.count) else {
      members.report(
        "native.reach", "'REACH' is neither a number of pixels, nor two of them, nor 'all'", at: value.place, "\(parts.count) numbers")
      return nil
    }
    if let negative = parts.first(where: { ($0.number ?? 0) < 0 }) {
      members.report("native.reach", "'REACH' is a distance, which is not negative", at: negative.place, "below 0")
      return nil
    }
    let read = parts.compactMap { expressions.read($0, of: "'REACH'") }
    return read.count == parts.count ? .pixels(x: read[0], y: read[read.count - 1]) : nil
  }

  /// `EXTENT`: a word, or a rectangle.
  mutating func resultExtent(_ members: inout JSONMembers) -> ResultExtent? {
    guard let value = members.value("EXTENT") else { return nil }
    let words: [String: ResultExtent] = ["input": .input, "grow": .grown, "infinite": .infinite, "union": .union]
    if case .string(let word) = value.content {
      if let extent = words[word] { return extent }
      members.reportWord(Placed(word, at: value.place), "EXTENT", ["input", "grow", "infinite", "union", "[x, y, width, height]"])
      return nil
    }
    let parts = (value.elements ?? []).compactMap { expressions.read($0, of: "'EXTENT'") }
    guard parts.count == 4, value.elements?.count == 4 else {
      if value.elements?.count != 4 {
        members.report(
          "native.extent", "'EXTENT' is neither a word nor a rectangle", at: value.place, value.kind, help: ["write [x, y, width, height]"])
      }
      return nil
    }
    return .rectangle(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
  }

  /// `CONSTRAINTS`: what must be true of the parameters together.
  mutating func constraints(_ members: inout JSONMembers) -> [ExpressionText] {
    (members.array("CONSTRAINTS")?.value ?? []).compactMap { value in
      guard case .string = value.content else {
        members.reportType(of: value, named: "an element of 'CONSTRAINTS'", expected: "a string")
        return nil
      }
      return expressions.read(value, of: "a constraint")
    }
  }
}
