internal import EtalonDiagnostics
internal import Synchronization

/// One page that looks at a session: a window of a browser, or a program that shows pictures in its own.
///
/// Requests and messages are JSON; the article <doc:Preview> lists them. A page is sent the next picture when it has said that it showed the last one,
/// so that a slow page never piles up pictures.
///
/// **Concurrency**: usable from every thread; `messages` is read by one task.
public final class PreviewPage: Sendable {
  /// What a page is told.
  public enum Message: Sendable {
    /// A line of JSON.
    case text(String)
    /// A picture: four bytes with the little-endian length of a header in JSON, the header, and the pixels.
    case picture([UInt8])
  }

  /// What the page is told, from its first state on; ends with the session, or when the page leaves.
  public let messages: AsyncStream<Message>
  private let number: Int
  private let inbox: Inbox
  /// So many messages wait for a page; one that does not read for longer leaves, and is told everything when it comes back.
  static let mostWaiting = 1000

  init(_ number: Int, _ inbox: Inbox) {
    (self.number, self.inbox) = (number, inbox)
    let (stream, continuation) = AsyncStream.makeStream(of: Message.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
    messages = stream
    inbox.post(.joined(number, PageOutlet(continuation) { inbox.post(.left(number)) }))
  }

  /// Hands over a request: an object of JSON.
  ///
  /// What is wrong with it is told as a message.
  public func send(_ request: String) {
    do throws(DiagnosticsError) { inbox.post(.request(number, try PageRequest.reading(request))) } catch {
      inbox.post(.unreadable(number, error.description))
    }
  }

  /// Ends the messages; what the page asked for and was not done yet is still done.
  public func leave() { inbox.post(.left(number)) }
}

/// The way to a page.
struct PageOutlet: Sendable {
  private let continuation: AsyncStream<PreviewPage.Message>.Continuation
  /// Called where the page does not read what it is told.
  private let giveUp: @Sendable () -> Void

  init(_ continuation: AsyncStream<PreviewPage.Message>.Continuation, giveUp: @escaping @Sendable () -> Void) {
    (self.continuation, self.giveUp) = (continuation, giveUp)
  }

  func send(_ message: PageMessage) { send(.text(message.text)) }

  func send(picture: [UInt8]) { send(.picture(picture)) }

  private func send(_ message: PreviewPage.Message) {
    guard case .dropped = continuation.yield(message) else { return }
    continuation.finish()
    giveUp()
  }

  func close() { continuation.finish() }
}
