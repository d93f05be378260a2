import Foundation
import Synchronization

/// Runs inputs in processes of their own, because some end them, and keeps what shows a defect.
struct InputCampaign: Sendable {
  struct Settings: Sendable {
    let source: String
    let output: String
    let count: Int
    let timeLimit: Double?
    let jobs: Int
    let patience: Double
    let executable: String
  }

  /// How many inputs a process runs at most, because what libraries keep grows.
  private static let largestChunk = 1000

  private let order: InputOrder
  private let settings: Settings

  init(_ order: InputOrder, _ settings: Settings) { (self.order, self.settings) = (order, settings) }

  private struct State {
    var next = 0
    var tally = InputTally()
    var failure: (any Error)?
  }

  /// Runs them all.
  ///
  /// - Parameter tell: called with a line for each defect.
  func run(_ tell: @escaping @Sendable (String) -> Void) throws -> InputTally {
    let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-fuzz-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let state = Mutex(State())
    let end = settings.timeLimit.map { ContinuousClock.now + .seconds($0) }
    let count = settings.count
    let chunk = max(1, min(Self.largestChunk, (count + settings.jobs - 1) / settings.jobs))
    let tree = "\(folder)/tree", list = "\(folder)/specimens"
    try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try SpecimenTree.make(at: tree, from: settings.source)
    try SpecimenTree(at: tree).write(to: list)
    DispatchQueue.concurrentPerform(iterations: settings.jobs) { job in
      do {
        let slot = InputSlot(folder: "\(folder)/\(job)", tree: tree, list: list, order: order, settings: settings)
        try slot.prepare()
        while end.map({ ContinuousClock.now < $0 }) ?? true {
          let chunk = state.withLock { state -> Range<Int> in
            let begin = state.next
            state.next = min(count, begin + chunk)
            return begin..<state.next
          }
          guard !chunk.isEmpty else { return }
          try slot.run(chunk, until: end) { index, outcome, details in
            let (kind, seed) = order[index]
            guard case .defect(let text) = outcome else { return state.withLock { $0.tally.add(kind, outcome) } }
            let signature = "\(text.prefix(300))\(CrashReport(details).place.map { " at \($0)" } ?? "")"
            let place = try slot.keepDefect(kind, seed, text, details)
            state.withLock { state in
              state.tally.add(kind, outcome)
              state.tally.addDefect(signature, at: place)
            }
            tell("defect: \(kind.rawValue) \(seed): \(signature)")
          }
        }
      } catch {
        state.withLock { $0.failure = error }
      }
    }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.tally
    }
  }
}

/// What a process wrote about its end.
struct CrashReport {
  /// The first place in our sources; nil where none is told.
  let place: String?

  init(_ text: String) {
    let lines = text.split(separator: "\n")
    place = lines.lazy.compactMap { line -> String? in
      guard let range = line.range(of: "Sources/"), line.contains(" in ") || line.contains(" at ") else { return nil }
      return line[range.upperBound...].split(separator: " ").first.map(String.init)
    }.first { !$0.hasPrefix("EtalonFuzz/") }
  }
}
