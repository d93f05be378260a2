/// Writes a program as a compute shader.
struct ProgramPrinter {
  /// Where the resources of a kernel are bound.
  enum Binding {
    static let uniforms = 0
    static let output = 1
    static let texture = 2
    static let scratch = 3
  }

  private let program: RandomProgram
  private var text = ""
  private var indent = 0

  /// The text of a whole compute shader.
  static func kernel(_ program: RandomProgram) -> String {
    var printer = ProgramPrinter(program)
    printer.printKernel()
    return printer.text
  }

  /// The functions of a program and what they need, without an entry point.
  static func functions(_ program: RandomProgram) -> String {
    var printer = ProgramPrinter(program)
    printer.printDeclarations()
    return printer.text
  }

  private init(_ program: RandomProgram) { self.program = program }

  private mutating func line(_ text: String) {
    self.text += String(repeating: "  ", count: indent) + text + "\n"
  }

  // MARK: Declarations

  private mutating func printKernel() {
    line("#version 450")
    if program.features.usesQuads || program.features.usesSubgroups {
      for name in ["basic", "ballot", "vote", "arithmetic", "shuffle", "quad"] {
        line("#extension GL_KHR_shader_subgroup_\(name) : require")
      }
    }
    var size = 256
    if case .workgroups(let stated, _) = program.coverage { size = stated }
    line("layout(local_size_x = \(size)) in;")
    line(
      "layout(std140, binding = \(Binding.uniforms)) uniform Uniforms { ivec4 signedUniform; uvec4 unsignedUniform; vec4 floatUniform; };")
    line("layout(std430, binding = \(Binding.output)) buffer Output { uint words[]; };")
    if program.features.usesTexture { line("layout(binding = \(Binding.texture)) uniform sampler2D picture;") }
    if program.scratchCount > 0 { line("layout(std430, binding = \(Binding.scratch)) buffer Scratch { uint scratch[]; };") }
    if program.sharedCount > 0 { line("shared uint exchanged[\(program.sharedCount)];") }
    switch program.coverage {
    case .picture(_, _, let isInQuads): printPixel(isInQuads: isInQuads)
    case .workgroups: line("uint placeInScratch() { return gl_GlobalInvocationID.x; }")
    }
    printDeclarations()
    printMain()
  }

  private mutating func printPixel(isInQuads: Bool) {
    line("layout(push_constant) uniform EtalonRegion { ivec2 etalonOrigin; ivec2 etalonEnd; };")
    line("ivec2 findPixel() {")
    if isInQuads {
      line("  int place = int(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID), quad = place >> 2;")
      line("  ivec2 inTile = ivec2((quad & 7) * 2 + (place & 1), (quad >> 3) * 2 + ((place >> 1) & 1));")
    } else {
      line("  int place = int(gl_LocalInvocationIndex);")
      line("  ivec2 inTile = ivec2(place & 15, place >> 4);")
    }
    line("  return etalonOrigin + 16 * ivec2(gl_WorkGroupID.xy) + inTile;")
    line("}")
    guard program.scratchCount > 0 else { return }
    line("uint placeInScratch() { ivec2 pixel = findPixel(); return uint(pixel.y * \(program.scratchWidth) + pixel.x); }")
  }

  private mutating func printDeclarations() {
    let used = program.usedVariables
    // Drivers may take an addition of 0 away, which would make 0 of -0.
    line("uint bitsOf(float number) { uint bits = floatBitsToUint(number); return bits << 1 == 0u ? 0u : bits; }")
    for structure in program.structures {
      let members = structure.members.enumerated().map { "\($1.name) m\($0);" }
      line("struct S\(structure.number) { \(members.joined(separator: " ")) };")
    }
    for (index, variable) in program.variables.enumerated() where used.contains(index) {
      switch variable.storage {
      case .global(let words): line("\(variable.type.name) v\(index) = \(Self.text(of: words, variable.type));")
      case .constant(let words): line("const \(variable.type.name) v\(index) = \(Self.text(of: words, variable.type));")
      case .local, .parameter, .scratch: break
      }
    }
    for index in program.reachableFunctions.sorted() { printFunction(index) }
  }

  private mutating func printFunction(_ index: Int) {
    let function = program.functions[index]
    let parameters = function.parameters.map { number in
      guard case .parameter(let passing) = program.variables[number].storage else { return "" }
      return "\(passing.rawValue) \(program.variables[number].type.name) v\(number)"
    }
    line("\(function.result.name) f\(index)(\(parameters.joined(separator: ", "))) {")
    indent += 1
    for statement in function.body { printStatement(statement) }
    if let end = function.end { line("return \(string(end));") }
    indent -= 1
    line("}")
  }

  private mutating func printMain() {
    line("void main() {")
    indent += 1
    let entry = program.functions.count - 1
    switch program.coverage {
    case .picture:
      line("ivec2 pixel = findPixel();")
      line("uint result = f\(entry)(uint(pixel.x), uint(pixel.y));")
      line("if (pixel.x < etalonEnd.x && pixel.y < etalonEnd.y)")
      line("  words[(etalonEnd.y - 1 - pixel.y) * (etalonEnd.x - etalonOrigin.x) + pixel.x - etalonOrigin.x] = result;")
    case .workgroups:
      line("uint result = f\(entry)(gl_LocalInvocationIndex, gl_WorkGroupID.x);")
      line("words[gl_GlobalInvocationID.x] = result;")
    }
    indent -= 1
    line("}")
  }

  // MARK: Statements

  private mutating func printBlock(_ statements: [Statement]) {
    indent += 1
    for statement in statements { printStatement(statement) }
    indent -= 1
  }

  private mutating func printStatement(_ statement: Statement) {
    let expressions = statement.expressions
    switch statement.kind {
    case .declare(let variable): line("\(program.variables[variable].type.name) v\(variable) = \(string(expressions[0]));")
    case .assign: line("\(string(expressions[0])) = \(string(expressions[1]));")
    case .call: line("\(string(expressions[0]));")
    case .branch:
      line("if (\(string(expressions[0]))) {")
      printBlock(statement.blocks[0])
      if !statement.blocks[1].isEmpty {
        line("} else {")
        printBlock(statement.blocks[1])
      }
      line("}")
    case .loop(let loop, let counter, let mask): printLoop(statement, loop, counter, mask)
    case .choose(let labels): printChoice(statement, labels)
    case .leaveScope: line("break;")
    case .nextRound: line("continue;")
    case .leave: line(expressions.isEmpty ? "return;" : "return \(string(expressions[0]));")
    case .block:
      line("{")
      printBlock(statement.blocks[0])
      line("}")
    case .exchange(let distance):
      line("barrier();")
      line("exchanged[gl_LocalInvocationIndex] = \(string(expressions[1]));")
      line("barrier();")
      line("\(string(expressions[0])) = exchanged[(gl_LocalInvocationIndex + \(distance)u) % \(program.workgroupSize)u];")
    case .gather(let gathering):
      let count = Statement.Gathering.wordCount
      line("barrier();")
      line("if (gl_LocalInvocationIndex == 0u) for (int word = 0; word < \(count); word++) exchanged[word] = \(gathering.start)u;")
      line("barrier();")
      line("\(gathering.rawValue)(exchanged[\(string(expressions[2])) % \(count)u], \(string(expressions[1])));")
      line("barrier();")
      line("\(string(expressions[0])) = exchanged[\(string(expressions[3])) % \(count)u];")
    }
  }

  private mutating func printLoop(_ statement: Statement, _ loop: Statement.Loop, _ counter: Int, _ mask: UInt32) {
    let name = "v\(counter)", limit = "(\(string(statement.expressions[0])) & \(mask)u)"
    var condition = "\(name) < \(limit)"
    if statement.expressions[1].kind != .literal([1]) { condition += " && \(string(statement.expressions[1]))" }
    switch loop {
    case .counted:
      line("for (uint \(name) = 0u; \(condition); \(name)++) {")
      printBlock(statement.blocks[0])
      line("}")
    case .endless:
      line("for (uint \(name) = 0u;; \(name)++) {")
      line("  if (!(\(condition))) break;")
      printBlock(statement.blocks[0])
      line("}")
    case .whileFirst, .whileLast:
      line("{")
      indent += 1
      line("uint \(name) = 0u;")
      line(loop == .whileFirst ? "while (\(condition)) {" : "do {")
      line("  \(name)++;")
      printBlock(statement.blocks[0])
      line(loop == .whileFirst ? "}" : "} while (\(condition));")
      indent -= 1
      line("}")
    }
  }

  private mutating func printChoice(_ statement: Statement, _ labels: [[Int32?]]) {
    line("switch (\(string(statement.expressions[0]))) {")
    for (group, block) in zip(labels, statement.blocks) {
      for label in group { line(label.map { "case \($0):" } ?? "default:") }
      printBlock(block)
    }
    // GLSL wants a statement behind the last label.
    if statement.blocks.last?.isEmpty ?? false { line("  break;") }
    line("}")
  }

  // MARK: Expressions

  static func text(of words: [UInt32], _ type: ProgramType) -> String {
    if case .vector(let scalar, 1) = type {
      switch scalar {
      case .int: return words[0] == 1 << 31 ? "(-2147483647 - 1)" : "\(Int32(bitPattern: words[0]))"
      case .uint: return "\(words[0])u"
      case .bool: return words[0] == 0 ? "false" : "true"
      case .float: return "\(Float(bitPattern: words[0]))"
      }
    }
    var first = 0
    let parts = type.parts.map { part in
      defer { first += part.wordCount }
      return text(of: Array(words[first..<first + part.wordCount]), part)
    }
    return "\(type.name)(\(parts.joined(separator: ", ")))"
  }

  private func string(_ expression: ProgramExpression) -> String {
    func operand(_ index: Int) -> String { string(expression.operands[index]) }
    switch expression.kind {
    case .literal(let words): return Self.text(of: words, expression.type)
    case .variable(let variable): return "v\(variable)"
    case .uniform(let scalar, let component):
      return (scalar == .int ? "signed" : scalar == .uint ? "unsigned" : "float") + "Uniform[\(component)]"
    case .swizzle(let components): return operand(0) + "." + components.map { "xyzw".map(String.init)[$0] }.joined()
    case .member(let member): return "\(operand(0)).m\(member)"
    case .element: return element(expression)
    case .construct, .convert: return "\(expression.type.name)(\(expression.operands.map(string).joined(separator: ", ")))"
    case .unary(let unary): return string(unary, operand(0), expression)
    case .binary(let binary): return string(binary, operand(0), operand(1), expression)
    case .select: return "(\(operand(0)) ? \(operand(1)) : \(operand(2)))"
    case .mix: return "mix(\(operand(1)), \(operand(2)), \(operand(0)))"
    case .clamp: return "clamp(\(operand(0)), \(operand(1)), \(operand(2)))"
    case .call(let function): return "f\(function)(\(expression.operands.map(string).joined(separator: ", ")))"
    case .texel:
      let side = RandomProgram.textureSide
      return "texelFetch(picture, ivec2(\(operand(0)) % \(side)u, \(operand(1)) % \(side)u), 0)"
    case .costlyZero:
      let x = operand(0)
      return "int(sin(\(x)) + cos(\(x) * 2.0) + exp(\(x) * 0.0078125) > 100.0)"
    case .quadSwap(let direction): return "subgroupQuadSwap\(["Horizontal", "Vertical", "Diagonal"][direction - 1])(\(operand(0)))"
    case .subgroup(let operation): return "\(operation.rawValue)(\(operand(0)))"
    }
  }

  private func element(_ expression: ProgramExpression) -> String {
    let base = expression.operands[0], index = expression.operands[1]
    let count = base.type.elements?.count ?? 1
    var place = "\(string(index)) % \(count)u"
    if case .literal(let words) = index.kind { place = "\(words[0] % UInt32(count))" }
    if case .variable(let number) = base.kind, case .scratch(let first) = program.variables[number].storage {
      return "scratch[placeInScratch() * \(program.scratchCount)u + \(first)u + \(place)]"
    }
    return "\(string(base))[\(place)]"
  }

  private func string(_ unary: ProgramExpression.Unary, _ x: String, _ expression: ProgramExpression) -> String {
    switch unary {
    case .negate, .complement: return "(\(unary.rawValue)(\(x)))"
    case .not: return expression.type.isVector ? "not(\(x))" : "!(\(x))"
    case .bitCount, .findLSB, .findMSB: return "\(expression.type.name)(\(unary.rawValue)(\(x)))"
    case .bits: return "bitsOf(\(x))"
    case .reduce:
      let integers = ProgramType.vector(.int, expression.type.wordCount).name
      return "(\(expression.type.name)((\(integers)(floor(\(x))) & 511) - 256) * 0.5)"
    case .abs, .sign, .floor, .fract, .bitfieldReverse, .any, .all, .transpose: return "\(unary.rawValue)(\(x))"
    }
  }

  private func string(_ binary: ProgramExpression.Binary, _ x: String, _ y: String, _ expression: ProgramExpression) -> String {
    let left = expression.operands[0].type, right = expression.operands[1].type
    let suffix = right.scalar == .uint ? "u" : ""
    switch binary {
    case .divide: return "(\(x) / ((\(y) & 15\(suffix)) + 1\(suffix)))"
    case .remainder:
      return left.scalar == .uint ? "(\(x) % ((\(y) & 15u) + 1u))" : "((\(x) & 2147483647) % ((\(y) & 15) + 1))"
    case .shiftLeft, .shiftRight: return "(\(x) \(binary.rawValue) (\(y) & 31\(suffix)))"
    case .min, .max, .dot, .step: return "\(binary.rawValue)(\(x), \(y))"
    case .less, .lessEqual, .greater, .greaterEqual, .equal, .notEqual:
      guard expression.type.isVector else { return "(\(x) \(binary.rawValue) \(y))" }
      let names: [ProgramExpression.Binary: String] = [
        .less: "lessThan", .lessEqual: "lessThanEqual", .greater: "greaterThan", .greaterEqual: "greaterThanEqual", .equal: "equal",
        .notEqual: "notEqual",
      ]
      return "\(names[binary] ?? "")(\(x), \(y))"
    default: return "(\(x) \(binary.rawValue) \(y))"
    }
  }
}

extension RandomProgram {
  /// The invocations of a workgroup.
  var workgroupSize: Int { if case .workgroups(let size, _) = coverage { size } else { 256 } }

  /// The invocations in a row of the scratch buffer: those of the picture, and those of a workgroup that begins at its last column.
  var scratchWidth: Int { if case .picture(let width, _, _) = coverage { width + 16 } else { 0 } }

  /// The bytes of the scratch buffer.
  var scratchByteCount: Int {
    switch coverage {
    case .picture(_, let height, _): scratchWidth * (height + 16) * scratchCount * 4
    case .workgroups(let size, let count): size * count * scratchCount * 4
    }
  }
}
