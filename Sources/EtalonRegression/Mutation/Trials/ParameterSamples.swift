internal import Etalon

/// Values of parameters to look at a filter with: each alone at its ends and between them, and all of them at random.
struct ParameterSamples {
  private static let randomSets = 2

  private(set) var sets: [[String: String]] = []

  init(_ parameters: [FilterDescription.Parameter], _ generator: inout SeededGenerator) {
    let open = parameters.filter { !$0.followsClock }
    for parameter in open {
      var texts = Self.ends(of: parameter)
      texts.append(Self.random(parameter, &generator))
      var known: Set<String> = []
      for text in texts where known.insert(text).inserted { sets.append([parameter.name: text]) }
    }
    guard open.count > 1 else { return }
    for _ in 0..<Self.randomSets {
      sets.append(Dictionary(uniqueKeysWithValues: open.map { ($0.name, Self.random($0, &generator)) }))
    }
  }

  private static func ends(of parameter: FilterDescription.Parameter) -> [String] {
    if parameter.type == "bool" { return ["false", "true"] }
    if let choices = parameter.choices { return choices.map { "\($0.value)" } }
    return [parameter.minimum, parameter.maximum].compactMap { $0?.exactText }
  }

  private static func random(_ parameter: FilterDescription.Parameter, _ generator: inout SeededGenerator) -> String {
    if parameter.type == "bool" { return Bool.random(using: &generator) ? "true" : "false" }
    if let choice = parameter.choices?.randomElement(using: &generator) { return "\(choice.value)" }
    let usual = numbers(parameter.default)
    let (least, most) = (parameter.minimum.map(numbers), parameter.maximum.map(numbers))
    let isWhole = parameter.type.hasPrefix("i") || parameter.type.hasPrefix("u")
    return usual.indices.map { index in
      // Where nothing is said: around the usual value, or between 0 and 1.
      let low = least.map { $0[min(index, $0.count - 1)] } ?? min(0, usual[index] * 2)
      let high = most.map { $0[min(index, $0.count - 1)] } ?? max(1, usual[index] * 2)
      let number = low + (high - low) * generator.unit()
      return isWhole ? "\(Int(number.rounded()))" : DescribedValue.shortText(number)
    }.joined(separator: ",")
  }

  private static func numbers(_ value: DescribedValue) -> [Double] { value.exactText.split(separator: ",").compactMap { Double($0) } }
}
