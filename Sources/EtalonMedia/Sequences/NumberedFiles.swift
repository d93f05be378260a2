package import EtalonDiagnostics

/// The files of a sequence by their numbers: which are there, and which stand in for those that are not.
///
/// **Concurrency**: an immutable value; the folder is listed once.
package struct NumberedFiles: Sendable, Hashable {
  package let pattern: FramePattern
  /// The numbers that are there, sorted.
  package let numbers: [Int]

  /// Lists the files whose names fit a pattern; fails when there are none.
  package init(_ pattern: FramePattern) throws(RenderError) {
    self.pattern = pattern
    numbers = try pattern.framesOnDisk().map(\.frame)
    guard !numbers.isEmpty else {
      throw RenderError(.missingInput, "there is no picture of the sequence '\(pattern)'", help: try Self.help(pattern))
    }
  }

  /// Often only the number of digits is wrong.
  private static func help(_ pattern: FramePattern) throws(RenderError) -> [String] {
    for padding in 1...10 where padding != pattern.padding {
      let other = FramePattern(folder: pattern.folder, prefix: pattern.prefix, padding: padding, suffix: pattern.suffix)
      guard let file = try other.framesOnDisk().first else { continue }
      return ["'\(file.path)' is there: type '\(other)'"]
    }
    return ["each '#' stands for a digit: 'plate.####.png' means 'plate.0001.png' and so on"]
  }

  /// Whether a number is there.
  package func contains(_ number: Int) -> Bool {
    let index = place(of: number)
    return index < numbers.count && numbers[index] == number
  }

  /// The number next to one that is not there, within a range: a lower one if there is one, or a higher one if that is preferred.
  package func neighbor(of number: Int, within range: ClosedRange<Int>, prefersHigher: Bool) -> Int? {
    let index = place(of: number)
    let lower = index > 0 && numbers[index - 1] >= range.lowerBound ? numbers[index - 1] : nil
    let higher = index < numbers.count && numbers[index] <= range.upperBound ? numbers[index] : nil
    return prefersHigher ? higher ?? lower : lower ?? higher
  }

  /// The index of the first number that is not below this one.
  private func place(of number: Int) -> Int {
    var low = 0, high = numbers.count
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
