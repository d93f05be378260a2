internal import FlyingFox
internal import Foundation
internal import Synchronization

/// Who may ask: the browser that brought the secret of the address, and pages that it loaded from here.
///
/// The secret is good for one exchange; then another one is made, so that an address that is found in a history or a log opens nothing.
///
/// **Concurrency**: usable from every thread.
final class PageAccess: Sendable {
  private let secret = Mutex(PageAccess.random())
  private let token = PageAccess.random()
  private let port: UInt16

  init(port: UInt16) { self.port = port }

  /// The address that opens a page once.
  var address: String { "http://127.0.0.1:\(port)/?key=\(secret.withLock(\.self))" }

  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  // Cookies do not tell ports apart: several previews must not take each other's.
  private var cookieName: String { "etalon-preview-\(port)" }

  /// Takes the secret of an address in exchange for the cookie; nil where it is not the one.
  func cookie(for key: String) -> String? {
    let isRight = secret.withLock { secret in
      guard Self.areEqual(key, secret) else { return false }
      secret = Self.random()
      return true
    }
    return isRight ? "\(cookieName)=\(token); HttpOnly; SameSite=Strict; Path=/" : nil
  }

  /// Whether a request carries the cookie.
  func isKnown(_ request: HTTPRequest) -> Bool {
    let pairs = (request.headers[.cookie] ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    return pairs.contains { Self.areEqual($0, "\(cookieName)=\(token)") }
  }

  /// Whether a request was meant for this server, and comes from no other page: any name can be made to lead here.
  func isOwn(_ request: HTTPRequest) -> Bool {
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host = request.headers[.host], hosts.contains(host.lowercased()) else { return false }
    if let origin = request.headers[HTTPHeader("Origin")], !hosts.contains(where: { origin.lowercased() == "http://\($0)" }) {
      return false
    }
    // Typed addresses have 'none', and programs that are no browsers say nothing. A link elsewhere opens nothing, and leaves the secret good.
    return request.headers[HTTPHeader("Sec-Fetch-Site")].map { ["same-origin", "none"].contains($0.lowercased()) } ?? true
  }

  /// Compares without telling by the time how much is right.
  private static func areEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
