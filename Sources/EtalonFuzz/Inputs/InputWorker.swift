import Foundation

/// Runs inputs one after the other in this process, and tells when one begins and what became of it.
///
/// The lines are `b INDEX` and `e INDEX KIBIBYTES OUTCOME`; the second is missing where an input ended the process.
struct InputWorker {
  private let order: InputOrder
  private let slot: String
  private let tree: SpecimenTree
  private let lines: FileHandle

  /// - Parameter slot: a folder with the tree of specimens in `tree` and their list in `specimens`; the files of the current input go to `kept`.
  init(_ order: InputOrder, slot: String) throws {
    (self.order, self.slot) = (order, slot)
    tree = try SpecimenTree(at: "\(slot)/tree", list: "\(slot)/specimens")
    // What libraries print must not stand between the lines.
    lines = FileHandle(fileDescriptor: dup(STDOUT_FILENO), closeOnDealloc: true)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    guard FileManager.default.changeCurrentDirectoryPath(tree.root) else { throw CocoaError(.fileNoSuchFile) }
  }

  func run(_ indexes: Range<Int>) throws {
    for index in indexes {
      let (kind, seed) = order[index]
      let kept = "\(slot)/kept"
      try? FileManager.default.removeItem(atPath: kept)
      write("b \(index)\n")
      ProcessMemory.resetPeak()
      let before = ProcessMemory.now
      let outcome = outcome(kind, seed, kept)
      write("e \(index) \(max(0, ProcessMemory.peak - before)) \(outcome?.line ?? "missing ")\n")
    }
  }

  private func outcome(_ kind: InputKind, _ seed: UInt64, _ kept: String) -> InputOutcome? {
    do {
      guard let (input, dice) = try tree.input(kind, seed: seed, isWhole: order.isWhole) else { return nil }
      var trial = InputTrial(input: input, dice: dice, scratch: "\(slot)/scratch") { path, bytes in
        let place = URL(filePath: "\(kept)/\(path.hasPrefix("/") ? String(path.split(separator: "/").last ?? "file") : path)")
        try? FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? Data(bytes).write(to: place)
      }
      return trial.run()
    } catch {
      return .defect("the fuzzer cannot make the input: \(error)")
    }
  }

  private func write(_ line: String) { try? lines.write(contentsOf: Data(line.utf8)) }
}

/// The memory of this process, in KiB.
enum ProcessMemory {
  static func resetPeak() { try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }

  static var now: Int { field("VmRSS:") }
  static var peak: Int { field("VmHWM:") }

  private static func field(_ name: String) -> Int {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/status"), let data = try? file.readToEnd() else { return 0 }
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { $0.split(whereSeparator: { !$0.isNumber }).first }.flatMap { Int($0) } ?? 0
  }
}
