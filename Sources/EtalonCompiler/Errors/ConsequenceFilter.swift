/// Leaves out what only follows from an earlier mistake.
struct ConsequenceFilter {
  private let tokens: TokenListing
  private var damagedStatements: Set<Int> = []
  private var damagedNames: Set<String> = []
  private var damagedBodies: [ClosedRange<Int>] = []
  /// For statements that were searched for damaged names, how many names those were; nil when one was found.
  private var searchedStatements: [Int: Int?] = [:]
  /// Whether nothing more can be told about errors.
  private(set) var isOver = false

  init(_ tokens: TokenListing) { self.tokens = tokens }

  /// Whether a finding is worth telling; remembers what it damages.
  mutating func admits(_ finding: Finding, at token: Int?, isWarning: Bool) -> Bool {
    if isWarning { return true }
    guard !isOver else { return false }
    let statement = token.map { tokens.startOfStatement($0) }
    let isKnown = finding.role == .consequence && (isDamaged(token, statement) || usesDamagedName(statement))
    if finding.damage == .rest { isOver = true }
    guard !isKnown else { return false }
    switch finding.damage {
    case .nothing, .rest: break
    case .statement: if let statement { damagedStatements.insert(statement) }
    case .name(let name):
      damagedNames.insert(name)
      if let statement { damagedStatements.insert(statement) }
    case .nextBody:
      if let token, tokens.text(token + 1) == "{", let close = tokens.partner(of: token + 1) { damagedBodies.append(token...close) }
    }
    return true
  }

  private func isDamaged(_ token: Int?, _ statement: Int?) -> Bool {
    guard let token, let statement else { return false }
    return damagedStatements.contains(statement) || damagedBodies.contains { $0.contains(token) }
  }

  private mutating func usesDamagedName(_ statement: Int?) -> Bool {
    guard let statement, !damagedNames.isEmpty else { return false }
    if let known = searchedStatements[statement], known == nil || known == damagedNames.count { return known == nil }
    var index = statement
    while let text = tokens.text(index), text != ";", text != "}" {
      if damagedNames.contains(text) {
        searchedStatements[statement] = .some(nil)
        return true
      }
      index += 1
    }
    searchedStatements[statement] = damagedNames.count
    return false
  }
}
