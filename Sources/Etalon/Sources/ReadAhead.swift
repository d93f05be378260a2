internal import Dispatch
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSystem
internal import Synchronization

/// Reads the pictures that will show next on other threads, and keeps those that showed last.
///
/// At most four pictures are kept, however long the sequence is.
///
/// **Concurrency**: usable from every thread.
final class ReadAhead: Sendable {
  fileprivate static let capacity = 4
  private let read: @Sendable (Int) throws(RenderError) -> FramePicture
  private let state = Mutex(State())

  fileprivate struct State {
    var entries: [Int: Entry] = [:]
    /// The numbers of the entries, the one that was asked for last at the end.
    var order: [Int] = []
  }

  /// A picture that is being read or was.
  fileprivate final class Entry: Sendable {
    let done = DispatchGroup()
    let result = Mutex<Result<FramePicture, RenderError>?>(nil)
  }

  /// - Parameter read: reads the picture of a number, on any thread.
  init(_ read: @escaping @Sendable (Int) throws(RenderError) -> FramePicture) { self.read = read }

  /// Takes a picture that was read already.
  func keep(_ picture: FramePicture, as number: Int) {
    let entry = Entry()
    entry.result.withLock { $0 = .success(picture) }
    state.withLock { $0.insert(entry, as: number) }
  }

  /// The picture of a number; the next ones are begun meanwhile.
  func picture(_ number: Int, next: [Int]) throws(RenderError) -> FramePicture {
    let (entry, isUnread) = state.withLock { state in
      for other in next.reversed() { _ = begin(other, &state, mayBeLeft: true) }
      return begin(number, &state, mayBeLeft: false)
    }
    if isUnread { fill(entry, number) }
    entry.done.wait()
    guard let result = entry.result.withLock({ $0 }) else { preconditionFailure("a picture that nobody read") }
    return try result.get()
  }

  /// Begins to read a picture on another thread, unless that has begun; says whether there was no thread, so that it has to be read here.
  ///
  /// - Parameter mayBeLeft: whether a picture that gets no thread is not wanted yet.
  private func begin(_ number: Int, _ state: inout sending State, mayBeLeft: Bool) -> (Entry, isUnread: Bool) {
    if let entry = state.entries[number] {
      state.insert(entry, as: number)
      return (entry, false)
    }
    let entry = Entry()
    entry.done.enter()
    let hasThread = (try? SystemThread.start { [self] in fill(entry, number) }) != nil
    if hasThread || !mayBeLeft { state.insert(entry, as: number) }
    return (entry, !hasThread)
  }

  private func fill(_ entry: Entry, _ number: Int) {
    let result = Result { () throws(RenderError) in try read(number) }
    entry.result.withLock { $0 = result }
    entry.done.leave()
  }
}

extension ReadAhead.State {
  /// Puts an entry at the end; what was asked for longest ago goes.
  fileprivate mutating func insert(_ entry: ReadAhead.Entry, as number: Int) {
    entries[number] = entry
    order.removeAll { $0 == number }
    order.append(number)
    while order.count > ReadAhead.capacity { entries[order.removeFirst()] = nil }
  }
}
