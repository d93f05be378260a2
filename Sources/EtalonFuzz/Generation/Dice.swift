/// Numbers that are random enough and the same on every machine and in every run (SplitMix64).
struct Dice: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// One of `0..<count`.
  mutating func pick(_ count: Int) -> Int { Int((next() >> 33) % UInt64(max(count, 1))) }
  mutating func pick(_ range: ClosedRange<Int>) -> Int { range.lowerBound + pick(range.count) }
  mutating func pick<Element>(from all: [Element]) -> Element { all[pick(all.count)] }
  /// True in so many of a hundred cases.
  mutating func happens(_ percent: Int) -> Bool { pick(100) < percent }

  /// One of several choices by their weights; choices with a weight of 0 never come.
  mutating func pick<Choice>(weighted choices: [(Int, Choice)]) -> Choice {
    var number = pick(choices.reduce(0) { $0 + $1.0 })
    for (weight, choice) in choices {
      number -= weight
      if number < 0 { return choice }
    }
    return choices[choices.count - 1].1
  }
}
