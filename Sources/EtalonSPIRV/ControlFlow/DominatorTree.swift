/// Which blocks every path from the entry to a block goes through.
struct DominatorTree {
  /// The nearest other block that dominates a block; nil for the entry and for blocks that cannot be reached.
  private let parents: [Int?]
  /// When a walk of the tree enters and leaves each block; (0, 0) for blocks that cannot be reached.
  private var spans: [(enter: Int, leave: Int)]

  /// From the successors of each block; block 0 is the entry.
  init(successors: [[Int]]) {
    let order = Self.reversePostorder(successors)
    parents = Self.immediateDominators(successors, order)
    spans = Self.spans(parents, order)
  }

  func isReachable(_ block: Int) -> Bool { spans[block].enter > 0 }

  /// Whether every path to `b` goes through `a`; a block dominates itself.
  ///
  /// Both must be reachable.
  func dominates(_ a: Int, _ b: Int) -> Bool { spans[a].enter <= spans[b].enter && spans[b].leave <= spans[a].leave }

  private static func reversePostorder(_ successors: [[Int]]) -> [Int] {
    var isSeen = [Bool](repeating: false, count: successors.count)
    var postorder: [Int] = []
    var stack: [(block: Int, next: Int)] = [(0, 0)]
    isSeen[0] = true
    while let (block, next) = stack.last {
      if next == successors[block].count {
        postorder.append(block)
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let successor = successors[block][next]
      if !isSeen[successor] {
        isSeen[successor] = true
        stack.append((successor, 0))
      }
    }
    return postorder.reversed()
  }

  /// By the iteration of Cooper, Harvey and Kennedy.
  private static func immediateDominators(_ successors: [[Int]], _ order: [Int]) -> [Int?] {
    var ranks = [Int](repeating: .max, count: successors.count)
    for (rank, block) in order.enumerated() { ranks[block] = rank }
    var predecessors = [[Int]](repeating: [], count: successors.count)
    for block in order { for successor in successors[block] { predecessors[successor].append(block) } }
    var parents = [Int?](repeating: nil, count: successors.count)
    parents[0] = 0
    var changed = true
    while changed {
      changed = false
      for block in order.dropFirst() {
        var nearest: Int?
        for predecessor in predecessors[block] where parents[predecessor] != nil {
          nearest = nearest.map { common($0, predecessor, parents, ranks) } ?? predecessor
        }
        if parents[block] != nearest {
          parents[block] = nearest
          changed = true
        }
      }
    }
    parents[0] = nil
    return parents
  }

  private static func common(_ a: Int, _ b: Int, _ parents: [Int?], _ ranks: [Int]) -> Int {
    var a = a
    var b = b
    while a != b {
      while ranks[a] > ranks[b] { a = parents[a] ?? 0 }
      while ranks[b] > ranks[a] { b = parents[b] ?? 0 }
    }
    return a
  }

  private static func spans(_ parents: [Int?], _ order: [Int]) -> [(enter: Int, leave: Int)] {
    var children = [[Int]](repeating: [], count: parents.count)
    for block in order { if let parent = parents[block] { children[parent].append(block) } }
    var spans = [(enter: Int, leave: Int)](repeating: (0, 0), count: parents.count)
    var clock = 1
    var stack: [(block: Int, next: Int)] = [(0, 0)]
    spans[0].enter = clock
    while let (block, next) = stack.last {
      clock += 1
      if next == children[block].count {
        spans[block].leave = clock
        stack.removeLast()
      } else {
        stack[stack.count - 1].next += 1
        spans[children[block][next]].enter = clock
        stack.append((children[block][next], 0))
      }
    }
    return spans
  }
}
