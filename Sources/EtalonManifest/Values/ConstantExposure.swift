package import EtalonDiagnostics
package import EtalonGLSL
internal import EtalonTypes

/// Makes constants of a text parameters: each use of the constant reads a uniform instead, and the rest of the text stays as it is.
///
/// Where the compiler needs the value, it stays a literal, which gets the user's value when the text is read: lengths of arrays and other
/// things in brackets, conditions of `#if`, labels of `switch`.
package struct ConstantExposure {
  /// The constants that have become uniforms.
  package private(set) var uniforms: [Uniform] = []
  package private(set) var names: Set<String> = []

  /// Rewrites the constants of the given names.
  package init(of exposed: [ExposedConstant], at places: [ConstantPlace], in tokens: inout [Token]) {
    for constant in exposed {
      let own = places.filter { $0.constant.name == constant.name }
      guard let first = own.first else { continue }
      let dependents = Self.dependents(of: constant.name, in: tokens)
      guard !Self.isFixed(dependents, in: tokens) else { continue }
      names.insert(constant.name)
      let uniform = "etalonValue_\(constant.name)"
      uniforms.append(Uniform(name: uniform, type: first.constant.value.type, meaning: .parameter(constant.name)))
      Self.dropConst(from: dependents, in: &tokens)
      for place in own { Self.replace(place.literal, by: uniform, in: &tokens) }
    }
  }

  /// The names whose value depends on a constant: itself, macros that mention it, constants that are computed from it.
  private static func dependents(of name: String, in tokens: [Token]) -> Set<String> {
    let macros = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }.map { ($0.name, $0.body) }
    let constants = tokens.indices.filter { tokens[$0].isName("const") && !tokens[$0].isInDirective }.flatMap {
      declarators(after: $0, tokens)
    }
    var names: Set<String> = [name]
    var count = 0
    while names.count > count {
      count = names.count
      for (other, places) in macros + constants where places.contains(where: { names.contains(tokens[$0].text) }) { names.insert(other) }
    }
    return names
  }

  /// The names that a `const` declares, each with its initialiser.
  private static func declarators(after const: Int, _ tokens: [Token]) -> [(String, [Int])] {
    var places: [Int] = []
    var place = tokens.next(after: const)
    var brackets = BracketDepth()
    while let current = place, places.count < 4096 {
      if brackets.depth == 0, tokens[current].isMark(";") || tokens[current].isMark(")") { break }
      brackets.follow(tokens[current])
      places.append(current)
      place = tokens.next(after: current)
    }
    return declarators(ofTyped: places, tokens)
  }

  /// The names behind a type, which may have brackets of its own: `mat2[] a = …`.
  private static func declarators(ofTyped places: some Collection<Int>, _ tokens: [Token]) -> [(String, [Int])] {
    var rest = Array(places.dropFirst())
    if let first = rest.first, tokens[first].isMark("["), let end = rest.firstIndex(where: { tokens[$0].isMark("]") }) {
      rest.removeFirst(end + 1)
    }
    return DeclaratorList(rest, in: tokens).declarators.map { (tokens[$0.name].text, $0.initializer) }
  }

  /// Whether one of the names stands where the compiler needs a literal.
  private static func isFixed(_ names: Set<String>, in tokens: [Token]) -> Bool {
    let conditions = Directive.all(in: tokens).filter { ["if", "elif"].contains($0.name) }.flatMap(\.operands)
    if conditions.contains(where: { names.contains(tokens[$0].text) }) { return true }
    var open = 0
    for index in tokens.indices where tokens[index].isSignificant {
      if tokens[index].isMark("[") { open += 1 }
      if tokens[index].isMark("]") { open -= 1 }
      guard names.contains(tokens[index].text), tokens[index].kind == .identifier else { continue }
      if open > 0 || tokens.previous(before: index).map({ tokens[$0].isName("case") }) ?? false { return true }
    }
    return false
  }

  /// Constants outside of functions must be known to the compiler; one that depends on a uniform is not.
  private static func dropConst(from names: Set<String>, in tokens: inout [Token]) {
    for declaration in FileScope(tokens).declarations {
      guard let first = declaration.tokens.first, tokens[first].isName("const") else { continue }
      let isConcerned = declarators(ofTyped: declaration.tokens.dropFirst(), tokens).contains { names.contains($0.0) }
      if isConcerned { tokens.erase(first...first) }
    }
  }

  private static func replace(_ literal: [Int], by uniform: String, in tokens: inout [Token]) {
    guard let first = literal.first, let last = literal.last else { return }
    let written = tokens[first]
    tokens.erase(first...last)
    tokens[first] = Token(.identifier, uniform, origin: written.origin, isInDirective: written.isInDirective)
  }
}

/// A constant of a text that its project offers as a parameter.
package struct ExposedConstant: Sendable, Hashable {
  package let name: String
  package let minimum: [Double]?
  package let maximum: [Double]?
  package let step: Double?
  package let label: String?
  package let help: String?
  package let place: SourceRange

  package init(
    name: String, minimum: [Double]? = nil, maximum: [Double]? = nil, step: Double? = nil, label: String? = nil, help: String? = nil,
    place: SourceRange
  ) {
    self.name = name
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.label = label
    self.help = help
    self.place = place
  }
}

/// The parameters that a project makes of constants, with what is wrong about their bounds.
package struct ExposedParameters {
  package private(set) var parameters: [FilterParameter] = []
  package private(set) var diagnostics: [Diagnostic] = []

  /// - Parameter constants: those of all passes; a name may occur several times.
  package init(_ exposed: [ExposedConstant], among constants: [SettableConstant]) {
    for declaration in exposed {
      guard let constant = constants.first(where: { $0.name == declaration.name }) else {
        report(unknown: declaration, constants)
        continue
      }
      if let several = SettableConstant.severalValues(of: declaration.name, among: constants) {
        diagnostics.append(several)
      } else {
        add(declaration, constant)
      }
    }
  }

  private mutating func add(_ declaration: ExposedConstant, _ constant: SettableConstant) {
    let type = constant.value.type
    let minimum = declaration.minimum.flatMap { ValueConversion.constructed(type, from: $0) }
    let maximum = declaration.maximum.flatMap { ValueConversion.constructed(type, from: $0) }
    if (declaration.minimum != nil && minimum == nil) || (declaration.maximum != nil && maximum == nil) {
      report(declaration, "project.bounds", "the bounds of '\(declaration.name)' do not fit its type", "a \(type.rawValue)", constant)
      return
    }
    let value = constant.value.components
    let isBelow = minimum.map { zip(value, $0.components).contains { $0 < $1 } } ?? false
    let isAbove = maximum.map { zip(value, $0.components).contains { $0 > $1 } } ?? false
    if isBelow || isAbove {
      report(
        declaration, "project.default-out-of-range", "the value of '\(declaration.name)' in the text is out of its range",
        isBelow ? "the minimum is above it" : "the maximum is below it", constant)
      return
    }
    var parameter = FilterParameter(
      name: declaration.name, kind: ParameterKind(type), defaultValue: constant.value, place: constant.place)
    parameter.minimum = minimum
    parameter.maximum = maximum
    parameter.step = declaration.step
    parameter.label = declaration.label
    parameter.help = declaration.help
    parameters.append(parameter)
  }

  private mutating func report(
    _ declaration: ExposedConstant, _ id: String, _ message: String, _ label: String, _ constant: SettableConstant
  ) {
    let text = constant.place.map { [$0.label("\(constant.value.type.rawValue) here")] } ?? []
    diagnostics.append(
      Diagnostic(id, message, labels: [declaration.place.label(label)] + text))
  }

  private mutating func report(unknown declaration: ExposedConstant, _ constants: [SettableConstant]) {
    let names = constants.firstOfEachName.map(\.name)
    diagnostics.append(
      Diagnostic(
        "project.unknown-constant", "no pass has a constant '\(declaration.name)'",
        labels: [declaration.place.label("unknown")],
        help: NearestName.find(declaration.name, in: names).map { ["did you mean '\($0)'?"] } ?? [],
        notes: names.isEmpty
          ? ["constants are '#define NAME 1.0' and 'const float NAME = 1.0;'"] : ["constants: " + names.joined(separator: ", ")]))
  }
}
