/// Finds what a person probably meant to type.
public enum NearestName {
  /// The candidate that takes the fewest edits from `name`, if that is at most a third of its length (at least one edit).
  ///
  /// Case does not count as an edit. Of equally near candidates the one with the same case wins, then the first in alphabetical order.
  public static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    let limit = max(1, wanted.count / 3)
    var best: (distance: Int, changedCases: Int, name: String)?
    for candidate in Set(candidates).sorted() where candidate != name {
      let distance = editDistance(wanted, Array(candidate.lowercased().unicodeScalars))
      guard distance <= limit, distance <= best?.distance ?? .max else { continue }
      let changedCases = editDistance(Array(name.unicodeScalars), Array(candidate.unicodeScalars)) - distance
      if (distance, changedCases) < (best?.distance ?? .max, best?.changedCases ?? .max) { best = (distance, changedCases, candidate) }
    }
    return best?.name
  }

  /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
  private static func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var current = [i + 1]
      for j in b.indices {
        var cost = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforePrevious[j - 1] + 1) }
        current.append(cost)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[b.count]
  }
}
