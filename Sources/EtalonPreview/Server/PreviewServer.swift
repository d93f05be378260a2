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
    let address: sockaddr_in
    do { address = try .inet(ip4: "127.0.0.1", port: port) } catch { preconditionFailure("the loopback address is refused: \(error)") }
    let http = HTTPServer(
      config: .init(address: address, timeout: 3600, pool: try PromptSockets(), logger: .disabled), handler: handler)
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
    let failure = await events.first { _ in true } ?? nil
    if let failure { throw Self.refusal(of: port, failure) }
    guard case .ip4(_, let known)? = await http.listeningAddress else { throw Self.refusal(of: port, SocketError.disconnected) }
    (self.http, self.port) = (http, known)
    access = PageAccess(port: known)
    handler.open(with: access)
  }

  private static func refusal(of port: UInt16, _ error: any Error) -> RenderError {
    var (reason, code) = ("\(error)", Int32(0))
    if case .failed(_, let number, let message)? = error as? SocketError { (reason, code) = (message, number) }
    return RenderError(
      .noDevice, "cannot listen on port \(port)", operation: "bind", underlying: reason.lowercased(),
      help: code == EADDRINUSE
        ? ["another program uses it; leave out '--port' for one that is free"]
        : code == EACCES ? ["ports below 1024 are for the system; type '--port 8000'"] : [])
  }

  /// The address that opens a page, once; it then becomes another.
  public var address: String { access.address }

  /// Whether serving ended, by `stop` or by itself.
  package var hasEnded: Bool { end.isReached.load(ordering: .relaxed) }

  /// Waits for the end of serving.
  public func wait() async { await running.value }

  /// Ends serving; pages are told nothing more.
  public func stop() async {
    await http.stop()
    running.cancel()
    await running.value
  }
}
