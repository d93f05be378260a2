internal import CLaneKernels

/// Finds sums of whole texels, such as blurs and convolutions are made of, and makes each texel one operation with all of its channels.
///
/// ```
/// %10 = fetch %x %y                       %10 = sum_texels %x %y %w %r %g %b %a
/// %11 … %14 = parts of %10                %21 … %24 = parts of %10
/// %21 = fmadd %w %11 %r
/// …
/// %24 = fmadd %w %14 %a
/// ```
///
/// A sum that is needed for the next one only is a link of that one, and both are emitted as one instruction. Texels that are added to no others
/// stay as they are: their channels have to get apart either way.
extension Fusion {
  /// What a `sum_texels` makes of its texel: bits of the node's `second`.
  struct TexelSum: OptionSet, Sendable {
    let rawValue: UInt32
    /// The third argument is a weight.
    static let isWeighted = TexelSum(rawValue: 1)
    /// The last four arguments are what it is added to.
    static let isContinued = TexelSum(rawValue: 2)
    /// It is emitted with the sum that continues it.
    static let isLink = TexelSum(rawValue: 4)
  }

  /// The positions of a node's arguments.
  static let texelSumWeight = 2
  static let texelSumChannels = 3

  mutating func fuseTexelSums() {
    // What watches look at stays as it is.
    guard graph.origins.isEmpty, graph.nodes.contains(where: { $0.operation == ShaderOperation(LANE_OP_fetch) }) else { return }
    let parts = partsByRead(), users = usersOfParts()
    for region in graph.regions.indices {
      let chains = TexelChains(in: region, of: self, parts, users)
      for sum in chains.sums { makeSum(sum) }
      place(chains.sums, in: region)
    }
  }

  private func partsByRead() -> [Int32: [ValueId?]] {
    var parts: [Int32: [ValueId?]] = [:]
    for (index, node) in graph.nodes.enumerated() where node.operation == .part && uses[index] > 0 {
      parts[node.arguments[0], default: [nil, nil, nil, nil]][Int(node.immediate)] = ValueId(index)
    }
    return parts
  }

  /// An operation that uses each part of a read.
  private func usersOfParts() -> [Int32: ValueId] {
    var users: [Int32: ValueId] = [:]
    for region in graph.regions {
      for case .operation(let value) in region {
        for argument in graph[value].argumentIds where graph[argument].operation == .part { users[argument.index] = value }
      }
    }
    return users
  }

  /// Whether a value is a texel of the first level and layer, read for every lane, which nothing writes meanwhile.
  fileprivate func isWholeTexel(_ value: ValueId) -> Bool {
    let node = graph[value]
    return node.operation == ShaderOperation(LANE_OP_fetch) && !node.isOrdered && uniformity[value] == .lane
      && graph.constantWord(node.argument(2)) == 0 && graph.constantWord(node.argument(3)) == 0
  }

  private mutating func makeSum(_ sum: SumOfTexel) {
    let node = graph[sum.read]
    var kind: TexelSum = sum.isLink ? .isLink : []
    var arguments = SIMD8<Int32>(repeating: -1)
    for axis in 0..<2 { arguments[axis] = node.arguments[axis] }
    for axis in 2..<4 { uses[Int(node.arguments[axis])] -= 1 }
    if let weight = sum.weight {
      kind.insert(.isWeighted)
      arguments[Self.texelSumWeight] = weight.index
      uses[weight.position] -= Int32(sum.channels.count - 1)
    }
    for channel in sum.channels where channel.result != channel.part {
      if let addend = channel.addend {
        kind.insert(.isContinued)
        arguments[Self.texelSumChannels + channel.number] = addend.index
      }
      uses[channel.part.position] -= 1
      graph.nodes[channel.result.position] = graph[channel.part]
    }
    graph.nodes[sum.read.position] = ShaderGraph.Node(
      operation: ShaderOperation(LANE_OP_sum_texels), arguments: arguments, immediate: node.immediate, second: kind.rawValue)
  }

  /// Puts sums where the last of their channels was computed.
  private mutating func place(_ sums: [SumOfTexel], in region: Int) {
    guard !sums.isEmpty else { return }
    let items = graph.regions[region]
    var moved: [Int: ValueId] = [:]
    var isTaken = Set<ValueId>()
    for sum in sums {
      guard let place = sum.place else { continue }
      moved[place] = sum.read
      isTaken.formUnion(sum.channels.map(\.result) + [sum.read])
    }
    graph.regions[region] = items.enumerated().compactMap { position, item in
      if let read = moved[position] { return .operation(read) }
      if case .operation(let value) = item, isTaken.contains(value) { return nil }
      return item
    }
  }
}

extension ShaderGraph.Node {
  /// What a `sum_texels` makes of its texel.
  var texelSum: Fusion.TexelSum { Fusion.TexelSum(rawValue: second) }
}

// MARK: - Chains

/// The texels of a region that are added to one another.
private struct TexelChains {
  private(set) var sums: [SumOfTexel] = []

  init(in region: Int, of fusion: Fusion, _ parts: [Int32: [ValueId?]], _ users: [Int32: ValueId]) {
    let items = fusion.graph.regions[region]
    var positions: [ValueId: Int] = [:]
    for (position, item) in items.enumerated() {
      if case .operation(let value) = item { positions[value] = position }
    }
    var found: [SumOfTexel] = []
    var placed: [Int: Int] = [:]
    for case .operation(let read) in items {
      guard fusion.isWholeTexel(read), let parts = parts[read.index] else { continue }
      guard var sum = SumOfTexel(of: read, parts, users, in: fusion), let place = sum.place(positions, items, in: fusion) else {
        found.append(SumOfTexel(texel: read, parts))
        continue
      }
      sum.place = place
      // Of two texels that are added to each other the first one stays as it is.
      if let first = placed.updateValue(found.count, forKey: place) { found[first] = found[first].asTexel }
      found.append(sum)
    }
    found.sort { ($0.place ?? -1) < ($1.place ?? -1) }
    var numbers: [ValueId: Int] = [:]
    for index in found.indices { numbers[found[index].channels[0].result] = index }
    for index in found.indices {
      guard let before = found[index].channels[0].addend.flatMap({ numbers[$0] }), found[index].continues(found[before], in: fusion) else {
        continue
      }
      found[index].length += found[before].length
      found[index].hasLink = true
      found[before].isLink = true
    }
    sums = found.filter { $0.isLink || $0.hasLink }
  }
}

/// What becomes of the channels of a texel: the same product, sum or both for each of at least three; or nothing.
private struct SumOfTexel {
  struct Channel {
    let number: Int
    let part: ValueId
    /// The operation that uses the part, or the part.
    let result: ValueId
    let addend: ValueId?

    init(number: Int, part: ValueId, result: ValueId, addend: ValueId?) {
      self.number = number
      self.part = part
      self.result = result
      self.addend = addend
    }

    /// A channel of a texel as it is.
    init(number: Int, texel part: ValueId) { self.init(number: number, part: part, result: part, addend: nil) }
  }

  let read: ValueId
  let channels: [Channel]
  let weight: ValueId?
  /// The item after which all channels are computed; nil for a texel as it is.
  var place: Int?
  var length = 1
  var isLink = false
  var hasLink = false

  init(texel: ValueId, _ parts: [ValueId?]) {
    self.init(texel: texel, parts.enumerated().compactMap { number, part in part.map { Channel(number: number, texel: $0) } })
  }

  private init(texel: ValueId, _ channels: [Channel]) {
    read = texel
    weight = nil
    self.channels = channels
  }

  /// The texel without what becomes of it.
  var asTexel: SumOfTexel { SumOfTexel(texel: read, channels.map { Channel(number: $0.number, texel: $0.part) }) }

  init?(of read: ValueId, _ parts: [ValueId?], _ users: [Int32: ValueId], in fusion: Fusion) {
    var channels: [Channel] = []
    var weights: Set<ValueId?> = []
    var operations: Set<ShaderOperation> = []
    for case (let number, let part?) in parts.enumerated() {
      guard fusion.uses[part.position] == 1, let result = users[part.index] else { return nil }
      let node = fusion.graph[result]
      let other = node.arguments[0] == part.index ? node.argument(1) : node.argument(0)
      operations.insert(node.operation)
      var addend: ValueId?
      switch node.operation {
      case ShaderOperation(LANE_OP_fmadd):
        guard node.argument(2) != part else { return nil }
        weights.insert(other)
        addend = node.argument(2)
      case ShaderOperation(LANE_OP_fmul): weights.insert(other)
      case ShaderOperation(LANE_OP_fadd):
        weights.insert(nil)
        addend = other
      default: return nil
      }
      channels.append(Channel(number: number, part: part, result: result, addend: addend))
    }
    guard channels.count >= 3, operations.count == 1, Set(channels.map(\.result)).count == channels.count, weights.count == 1,
      let weight = weights.first
    else { return nil }
    self.read = read
    self.channels = channels
    self.weight = weight
  }

  /// The item after which all channels may be computed: all are in the region, and nothing there needs one before the last is computed.
  func place(_ positions: [ValueId: Int], _ items: [ShaderGraph.Item], in fusion: Fusion) -> Int? {
    let places = channels.compactMap { positions[$0.result] }, results = Set(channels.map(\.result))
    guard places.count == channels.count, let first = places.min(), let last = places.max() else { return nil }
    let isUnused = items[first...last].allSatisfy { item in
      guard case .operation(let value) = item else { return false }
      return !fusion.graph[value].argumentIds.contains { results.contains($0) }
    }
    return isUnused ? last : nil
  }

  /// Whether another sum is needed for this one only.
  func continues(_ other: SumOfTexel, in fusion: Fusion) -> Bool {
    guard other.channels.count == channels.count, other.length < LANE_SUM_TAPS else { return false }
    return zip(channels, other.channels).allSatisfy { own, before in
      own.number == before.number && own.addend == before.result && fusion.uses[before.result.position] == 1
    }
  }
}
