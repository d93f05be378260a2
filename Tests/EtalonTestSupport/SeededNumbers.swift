internal import EtalonTypes

/// Numbers that are random enough and the same on every machine and in every run.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  package mutating func next() -> UInt64 { generator.next() }
}
