internal import EtalonCPU

extension PictureMap {
  private static let bandCount = 8

  /// How many operations on single numbers each pixel takes, in equal bands from the fewest to the most.
  init(operations: PixelNumbers) {
    let numbers = operations.numbers, least = Int(numbers.min() ?? 0), most = Int(numbers.max() ?? 0)
    let width = max((most - least + Self.bandCount) / Self.bandCount, 1)
    let entries = numbers.map { min((Int($0) - least) / width, Self.bandCount - 1) }
    let legend = zip(0..., Self.ramp(Self.bandCount)).map { band, color in
      let low = least + band * width, high = min(low + width - 1, most)
      return (text: low >= high ? "\(high) operations" : "\(low) to \(high) operations", color: color)
    }
    let used = (entries.max() ?? 0) + 1
    let mean = numbers.isEmpty ? 0 : numbers.reduce(0) { $0 + Int($1) } / numbers.count
    self.init(
      .instructions, pass: operations.pass, frame: operations.frame, size: operations.size, entries, Array(legend.prefix(used)),
      notes: ["\(mean) operations for a pixel on average"])
  }
}
