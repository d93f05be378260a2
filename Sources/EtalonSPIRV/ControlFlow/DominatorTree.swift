/// Which blocks every path from the entry to a block goes through.
struct DominatorTree {
  /// When a walk of the tree enters and leaves each block; (0, 0) for blocks that cannot be reached.
  private let spans: [(enter: Int, leave: Int)]

  /// From the successors of each block; block 0 is the entry.
  init(successors: [[Int]]) {
    let walk = DepthFirstWalk(successors)
    let parents = ImmediateDominators(walk, successors).find()
    var children = [[Int]](repeating: [], count: walk.order.count)
    for (number, parent) in parents.enumerated().dropFirst() { children[parent].append(number) }
    var spans = [(enter: Int, leave: Int)](repeating: (0, 0), count: successors.count)
    var clock = 1
    var stack: [(number: Int, next: Int)] = [(0, 0)]
    spans[0].enter = clock
    while let (number, next) = stack.last {
      clock += 1
      if next == children[number].count {
        spans[walk.order[number]].leave = clock
        stack.removeLast()
      } else {
        stack[stack.count - 1].next += 1
        spans[walk.order[children[number][next]]].enter = clock
        stack.append((children[number][next], 0))
      }
    }
    self.spans = spans
  }

  func isReachable(_ block: Int) -> Bool { spans[block].enter > 0 }

  /// Whether every path to `b` goes through `a`; a block dominates itself.
  ///
  /// Both must be reachable.
  func dominates(_ a: Int, _ b: Int) -> Bool { spans[a].enter <= spans[b].enter && spans[b].leave <= spans[a].leave }
}

/// Blocks numbered in the order in which a walk from the entry first gets to them.
private struct DepthFirstWalk {
  /// From a number to the block.
  private(set) var order: [Int] = [0]
  /// From a number to that of the block that the walk came from.
  private(set) var parents: [Int] = [0]
  /// From a block to its number, -1 when it cannot be reached.
  private(set) var numbers: [Int]

  init(_ successors: [[Int]]) {
    numbers = [Int](repeating: -1, count: successors.count)
    numbers[0] = 0
    var stack: [(block: Int, next: Int)] = [(0, 0)]
    while let (block, next) = stack.last {
      if next == successors[block].count {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let successor = successors[block][next]
      if numbers[successor] < 0 {
        numbers[successor] = order.count
        order.append(successor)
        parents.append(numbers[block])
        stack.append((successor, 0))
      }
    }
  }
}

/// The algorithm of Lengauer and Tarjan, whose time hardly depends on the shape of the graph, on blocks by their numbers.
private struct ImmediateDominators {
  private let walk: DepthFirstWalk
  private var predecessors: [[Int]]
  private var semi: [Int]
  /// The block with the smallest semidominator on the path to the root of the forest that was linked so far.
  private var best: [Int]
  private var ancestors: [Int]

  init(_ walk: DepthFirstWalk, _ successors: [[Int]]) {
    self.walk = walk
    let count = walk.order.count
    predecessors = [[Int]](repeating: [], count: count)
    for (number, block) in walk.order.enumerated() {
      for successor in successors[block] { predecessors[walk.numbers[successor]].append(number) }
    }
    semi = Array(0..<count)
    best = semi
    ancestors = [Int](repeating: -1, count: count)
  }

  /// From a number to that of the immediate dominator.
  consuming func find() -> [Int] {
    let count = walk.order.count
    var dominators = [Int](repeating: 0, count: count)
    var buckets = [[Int]](repeating: [], count: count)
    for block in stride(from: count - 1, to: 0, by: -1) {
      for predecessor in predecessors[block] { semi[block] = min(semi[block], semi[evaluate(predecessor)]) }
      buckets[semi[block]].append(block)
      let parent = walk.parents[block]
      ancestors[block] = parent
      for other in buckets[parent] {
        let candidate = evaluate(other)
        dominators[other] = semi[candidate] < semi[other] ? candidate : parent
      }
      buckets[parent] = []
    }
    for block in 0..<count where block > 0 && dominators[block] != semi[block] { dominators[block] = dominators[dominators[block]] }
    return dominators
  }

  private mutating func evaluate(_ block: Int) -> Int {
    var path: [Int] = []
    var at = block
    while ancestors[at] >= 0, ancestors[ancestors[at]] >= 0 {
      path.append(at)
      at = ancestors[at]
    }
    for at in path.reversed() {
      if semi[best[ancestors[at]]] < semi[best[at]] { best[at] = best[ancestors[at]] }
      ancestors[at] = ancestors[ancestors[at]]
    }
    return best[block]
  }
}
