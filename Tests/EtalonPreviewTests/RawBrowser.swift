import FlyingSocks
import Foundation

/// Speaks HTTP over a socket of its own, so that requests can be as no browser would send them.
struct RawBrowser: Sendable {
  struct Answer: Sendable {
    let code: Int
    /// By names in small letters.
    let headers: [String: String]
    let body: Data
  }

  let port: UInt16
  var cookie: String?

  /// Sends a request, and returns what comes before the other side ends the connection.
  ///
  /// - Parameter headers: beside `Host`, unless they hold one, and the cookie.
  func send(
    _ method: String = "GET", _ target: String, _ headers: [String: String] = [:], body: Data = Data(), readsAll: Bool = true
  ) async throws -> Answer {
    let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port), timeout: 60)
    defer { try? socket.close() }
    var all = ["Host": "127.0.0.1:\(port)", "Connection": "close", "Content-Length": "\(body.count)"]
    if let cookie { all["Cookie"] = cookie }
    all.merge(headers) { _, new in new }
    let head = "\(method) \(target) HTTP/1.1\r\n" + all.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    try await socket.write(Data(head.utf8) + body)
    var bytes = Data()
    let end = Data("\r\n\r\n".utf8)
    while readsAll || bytes.range(of: end) == nil {
      guard let chunk = try? await socket.read(atMost: 4096), !chunk.isEmpty else { break }
      bytes.append(contentsOf: chunk)
    }
    guard let split = bytes.range(of: end) else { throw SocketError.disconnected }
    let lines = String(decoding: bytes[..<split.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let pairs = lines.dropFirst().compactMap { line -> (String, String)? in
      let parts = line.split(separator: ":", maxSplits: 1)
      return parts.count == 2 ? (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces)) : nil
    }
    return Answer(
      code: lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0,
      headers: Dictionary(pairs) { first, _ in first }, body: bytes[split.upperBound...])
  }

  /// The same browser with the cookie that the secret of an address is exchanged for.
  func entered(_ address: String) async throws -> RawBrowser {
    let target = address.replacing("http://127.0.0.1:\(port)", with: "")
    let answer = try await send("GET", target)
    var browser = self
    browser.cookie = answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init)
    return browser
  }

  /// Opens the WebSocket.
  func socket(_ headers: [String: String] = [:]) async throws -> RawSocket {
    let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port), timeout: 60)
    var all = [
      "Host": "127.0.0.1:\(port)", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": Data(repeating: 7, count: 16).base64EncodedString(), "Cookie": cookie ?? "",
    ]
    all.merge(headers) { _, new in new }
    try await socket.write(Data(("GET /socket HTTP/1.1\r\n" + all.map { "\($0): \($1)\r\n" }.joined() + "\r\n").utf8))
    var head = Data()
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) { head.append(try await socket.read()) }
    guard head.starts(with: "HTTP/1.1 101".utf8) else {
      try? socket.close()
      throw SocketError.disconnected
    }
    return RawSocket(socket: socket)
  }
}

/// A WebSocket from the side of a page.
struct RawSocket: Sendable {
  let socket: AsyncSocket

  func send(_ text: String) async throws {
    let payload = Array(text.utf8)
    precondition(payload.count < 126, "a test sends short messages")
    // A mask of zeros changes nothing.
    try await socket.write(Data([0x81, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload))
  }

  /// The next message, and whether it is binary.
  func next() async throws -> (bytes: [UInt8], isBinary: Bool) {
    let head = try await socket.read(bytes: 2)
    var length = Int(head[1] & 0x7F)
    if length >= 126 {
      length = try await socket.read(bytes: length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
    }
    return (try await socket.read(bytes: length), head[0] & 0x0F == 2)
  }

  /// The next picture.
  func picture() async throws -> [UInt8] {
    while true {
      let message = try await next()
      if message.isBinary { return message.bytes }
    }
  }

  func close() { try? socket.close() }
}
