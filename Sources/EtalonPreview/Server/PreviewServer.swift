public import EtalonDiagnostics
internal import FlyingFox
internal import FlyingSocks
internal import Foundation
internal import Glibc
internal import Synchronization

/// Serves the page of a session to browsers of this machine, over HTTP and a WebSocket on the loopback interface.
///
/// ```swift
/// let server = try await PreviewServer(session, port: 8000)
/// print(server.address)
/// ```
/// Every request needs a cookie, which is given in exchange for the secret of the address, once. Requests with another `Host`, and those of other
/// pages, are refused.
///
/// **Concurrency**: usable from every task.
public final class PreviewServer: Sendable {
  /// The port that it listens on.
  public let port: UInt16
  private let gate: Gate
  private let http: HTTPServer
  private let running: Task<Void, Never>
  private let access: PageAccess
  private let end: End

  /// Whether serving ended.
  private final class End: Sendable {
    let isReached = Atomic(false)
  }

  /// Starts to serve a session.
  ///
  /// Throws `RenderError` where the port is taken or not allowed.
  ///
  /// - Parameter port: 0 is one that is free.
  public init(_ session: PreviewSession, port: UInt16 = 0) async throws(RenderError) {
    let handler = PreviewHandler(session)
    let path = "\(session.place.temporary)/server-\(UInt32.random(in: 0 ... .max))"
    guard path.utf8.count < Self.longestPath else {
      throw RenderError(
        .cannotWrite, "the folder for temporary files has too long a path for a socket: '\(session.place.temporary)'",
        help: ["choose another one: export TMPDIR=/tmp"])
    }
    let gate = try Gate(port: port, to: path)
    let http = HTTPServer(
      config: .init(address: sockaddr_un.unix(path: path), timeout: 3600, pool: try PromptSockets(), logger: .disabled), handler: handler)
    let (events, continuation) = AsyncStream.makeStream(of: (any Error)?.self)
    let end = End()
    self.end = end
    running = Task {
      do { try await http.run() } catch { continuation.yield(error) }
      end.isReached.store(true, ordering: .relaxed)
      continuation.finish()
    }
    Task {
      try? await http.waitUntilListening(timeout: 30)
      continuation.yield(nil)
    }
    if let failure = await events.first(where: { _ in true }) ?? nil {
      gate.stop()
      throw RenderError(.tryAgain, "the preview cannot be served", underlying: "\(failure)".lowercased())
    }
    (self.http, self.gate, self.port) = (http, gate, gate.port)
    access = PageAccess(port: gate.port)
    handler.open(with: access)
    try gate.open()
  }

  /// Paths of sockets are shorter than this, in bytes.
  private static let longestPath = 100

  /// The address that opens a page, once; it then becomes another.
  public var address: String { access.address }

  /// Whether serving ended, by `stop` or by itself.
  package var hasEnded: Bool { end.isReached.load(ordering: .relaxed) }

  /// Waits for the end of serving.
  public func wait() async { await running.value }

  /// Ends serving; pages are told nothing more.
  public func stop() async {
    gate.stop()
    await http.stop()
    running.cancel()
    await running.value
  }
}
