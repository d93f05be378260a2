internal import EtalonDiagnostics
internal import EtalonTypes

/// The parameters that a project makes of constants, with what is wrong about their bounds.
struct ExposedParameters {
  private(set) var parameters: [FilterParameter] = []
  private(set) var diagnostics: [Diagnostic] = []

  /// - Parameter constants: those of all passes; a name may occur several times.
  init(_ exposed: [ExposedConstant], among constants: [SettableConstant]) {
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
    let text = constant.place.map { [Diagnostic.Label($0.source, $0.range, "\(constant.value.type.rawValue) here")] } ?? []
    diagnostics.append(
      Diagnostic(id, message, labels: [.init(declaration.place.source, declaration.place.range, label)] + text))
  }

  private mutating func report(unknown declaration: ExposedConstant, _ constants: [SettableConstant]) {
    let names = constants.firstOfEachName.map(\.name)
    diagnostics.append(
      Diagnostic(
        "project.unknown-constant", "no pass has a constant '\(declaration.name)'",
        labels: [.init(declaration.place.source, declaration.place.range, "unknown")],
        help: NearestName.find(declaration.name, in: names).map { ["did you mean '\($0)'?"] } ?? [],
        notes: names.isEmpty
          ? ["constants are '#define NAME 1.0' and 'const float NAME = 1.0;'"] : ["constants: " + names.joined(separator: ", ")]))
  }
}
