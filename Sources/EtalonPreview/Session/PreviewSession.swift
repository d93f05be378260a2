public import EtalonDiagnostics
internal import EtalonSystem
internal import Foundation
internal import Synchronization

/// Shows a filter, a graph or a video while a person works on it: pages ask for frames, change values and texts, and are told what changed on disk.
///
/// ```swift
/// let session = try PreviewSession(file: "plasma.glsl")
/// let server = try await PreviewServer(session)
/// print(server.address)
/// await server.wait()
/// ```
/// A program may do without the server and `connect` pages of its own.
///
/// **Concurrency**: usable from every thread. Rendering happens on a thread of the session; requests of several pages are done in the order in which they come.
public final class PreviewSession: Sendable {
  private let inbox = Inbox()
  let place: SessionPlace
  let largestUpload: Int
  /// What people call what is shown.
  public let title: String
  private let pageCount = Atomic(0)
  private let isFinished = Atomic(false)
  private let hasEnded = Atomic(false)
  private let engine: ThreadTask<Void>

  /// How often files are looked at, and frames that take too long.
  private static let interval = 0.05

  /// Previews a filter file, a graph document, or a filter by its name.
  ///
  /// What is wrong with the file is told to pages, which wait for a change of it. Throws `RenderError` where no thread or temporary folder can be had.
  public convenience init(file: String, settings: PreviewSettings = PreviewSettings()) throws(RenderError) {
    try self.init(FileSource(file, device: settings.device), settings)
  }

  /// - Parameter tellStart: called once, with what is wrong with the files at start; not called where nothing is.
  package init(
    _ source: any PreviewSource, _ settings: PreviewSettings, tellStart: @escaping @Sendable ([Diagnostic]) -> Void = { _ in }
  ) throws(RenderError) {
    let (most, overflow) = settings.largestUpload.multipliedReportingOverflow(by: 4)
    let place = try SessionPlace(folders: settings.folders, mostUploaded: overflow ? .max : most)
    let inbox = inbox
    (self.place, title, largestUpload) = (place, source.title, settings.largestUpload)
    engine = try ThreadTask(.deep) {
      PreviewEngine(source, settings, inbox, place).run(tellStart)
      place.remove()
    }
    try SystemThread.start { [weak self] in
      // A frame that is rendered while the session ends is still cancelled.
      while let session = self, !session.hasEnded.load(ordering: .relaxed) {
        inbox.watch.look()
        let changes = place.takeChanges()
        if !changes.isEmpty { inbox.post(.changed(changes)) }
        Thread.sleep(forTimeInterval: Self.interval)
      }
    }
  }

  /// A new page, which is told the state first.
  public func connect() -> PreviewPage { PreviewPage(pageCount.wrappingAdd(1, ordering: .relaxed).newValue, inbox) }

  /// Ends the session: cancels what is being rendered, ends the messages of all pages, and removes temporary files; blocks until that is done.
  public func finish() {
    guard !isFinished.exchange(true, ordering: .relaxed) else { return }
    inbox.post(.finish)
    engine.wait()
    hasEnded.store(true, ordering: .relaxed)
  }

  /// A session that is dropped ends, too; its thread does so by itself.
  deinit { if !isFinished.load(ordering: .relaxed) { inbox.post(.finish) } }
}
