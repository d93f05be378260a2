internal import EtalonSystem
internal import Foundation

/// Ends a process that works for another one as soon as that one is gone: nobody would read what it finds, and it may keep a device busy for hours.
///
/// A process that is killed cannot end those that work for it, and a terminal tells only processes of the group in front of ^C.
enum ParentWatch {
  /// In seconds.
  private static let pause = 0.1
  /// Held by whoever ends the process.
  private static let ending = NSLock()

  /// Watches from a thread of its own; does nothing in a process that somebody started by hand.
  ///
  /// - Parameter taskFile: lies in the folder that both share, which goes with the last of them.
  static func begin(taskFile: String) {
    guard let parent = ProcessInfo.processInfo.environment[ChildProcess.parentVariable].flatMap({ pid_t($0) }) else { return }
    let folder = URL(filePath: taskFile).deletingLastPathComponent()
    // Without a thread the process works on to its end.
    try? SystemThread.start {
      while getppid() == parent { Thread.sleep(forTimeInterval: pause) }
      ending.lock()
      if TemporaryFiles.isName(folder.lastPathComponent) { try? FileManager.default.removeItem(at: folder) }
      kill(getpid(), SIGKILL)
    }
  }

  /// Keeps a process whose folder is being removed from ending, as it would when it finds no files any more.
  static func letEnd() { ending.withLock {} }
}
