/// Computes how large text becomes through its macros, without expanding anything.
///
/// Every macro is a linear function of the sizes of its arguments, so one look at each definition is enough. A name that is defined several
/// times counts with the largest of its definitions, and a macro that mentions itself counts as a plain name there, as the preprocessor has it.
struct MacroSizes {
  /// Macros that mention macros that mention macros, and so on.
  private static let deepestChain = 256

  private let tokens: [Token]
  private let definitions: [String: [MacroDefinition]]
  private var forms: [String: ExpansionForm] = [:]
  private var inProgress: Set<String> = []

  init(_ tokens: [Token]) {
    self.tokens = tokens
    let all = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }
    definitions = Dictionary(grouping: all, by: \.name)
  }

  /// The size of some visible tokens after expansion.
  mutating func measure(_ places: ArraySlice<Int>) -> ExpansionMeasure {
    form(of: places, parameters: []).constant
  }

  private mutating func form(of places: ArraySlice<Int>, parameters: [String]) -> ExpansionForm {
    var sum = ExpansionForm(parameterCount: parameters.count)
    var place = places.startIndex
    while place < places.endIndex {
      let token = tokens[places[place]]
      if let parameter = parameters.firstIndex(of: token.text), token.kind == .identifier {
        sum.occurrences[parameter] = min(sum.occurrences[parameter] + 1, ExpansionMeasure.largest)
      } else if token.kind == .identifier, definitions[token.text] != nil, !inProgress.contains(token.text) {
        place = add(callOf: token.text, at: place, in: places, parameters: parameters, to: &sum)
      } else {
        let joins = token.kind == .punctuator && Punctuators.joiningOperators.contains(token.text)
        sum.constant = sum.constant + ExpansionMeasure(tokens: 1, operators: joins ? 1 : 0)
      }
      place += 1
    }
    return sum
  }

  /// Adds a macro with its arguments, and returns the last place that belongs to the call.
  private mutating func add(
    callOf name: String, at place: Int, in places: ArraySlice<Int>, parameters: [String], to sum: inout ExpansionForm
  ) -> Int {
    let macro = form(ofMacro: name)
    sum.add(ExpansionForm(constant: macro.constant))
    guard !macro.occurrences.isEmpty, let (arguments, end) = arguments(after: place, in: places) else { return place }
    for (argument, count) in zip(arguments, macro.occurrences) {
      sum.add(form(of: argument, parameters: parameters), times: count)
    }
    return end
  }

  private mutating func form(ofMacro name: String) -> ExpansionForm {
    if let known = forms[name] { return known }
    guard inProgress.count < Self.deepestChain else { return ExpansionForm(constant: .init(tokens: ExpansionMeasure.largest)) }
    inProgress.insert(name)
    let candidates = (definitions[name] ?? []).map { form(of: $0.body[...], parameters: $0.parameters ?? []) }
    inProgress.remove(name)
    var largest = ExpansionForm(parameterCount: candidates.map(\.occurrences.count).max() ?? 0)
    for candidate in candidates {
      largest.constant = .larger(largest.constant, candidate.constant)
      for (index, count) in candidate.occurrences.enumerated() { largest.occurrences[index] = max(largest.occurrences[index], count) }
    }
    forms[name] = largest
    return largest
  }

  private func arguments(after place: Int, in places: ArraySlice<Int>) -> (arguments: [ArraySlice<Int>], end: Int)? {
    guard place + 1 < places.endIndex, tokens[places[place + 1]].isMark("(") else { return nil }
    var arguments: [ArraySlice<Int>] = []
    var start = place + 2
    var depth = 0
    for index in start..<max(start, places.endIndex) {
      let token = tokens[places[index]]
      guard token.kind == .punctuator else { continue }
      if depth == 0, token.text == "," || token.text == ")" {
        arguments.append(places[start..<index])
        start = index + 1
        if token.text == ")" { return (arguments, index) }
      }
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
    }
    return nil
  }
}

extension ExpansionForm {
  fileprivate init(constant: ExpansionMeasure) {
    self.constant = constant
    occurrences = []
  }
}
