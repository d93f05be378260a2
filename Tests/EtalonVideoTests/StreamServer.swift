import Foundation
import Glibc
import Synchronization

/// A server of HTTP for tests, on a port of its own: each request gets an answer that a test makes.
final class StreamServer: Sendable {
  /// What a request gets.
  enum Answer: Sendable {
    /// Bytes, or the part of them that was asked for.
    case bytes([UInt8], type: String = "application/octet-stream")
    /// The first half of the bytes, and then the connection breaks.
    case half([UInt8])
    case redirect(String)
    case missing
    /// Nothing, for so many seconds.
    case silence(Double)
  }

  let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (String) -> Answer

  init(_ answer: @escaping @Sendable (String) -> Answer) throws {
    signal(SIGPIPE, SIG_IGN)
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(listener, pointer, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, pointer, &length) == 0
      }
    }
    guard result else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    self.answer = answer
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { [self] in
          serve(connection)
          close(connection)
        }
      }
    }
  }

  /// Ends listening.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  func address(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  private func serve(_ connection: Int32) {
    var request = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !request.contains("\r\n\r\n") {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(connection, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      request += String(decoding: buffer[..<count], as: UTF8.self)
    }
    let path = request.split(separator: " ").dropFirst().first.map { String($0.dropFirst()) } ?? ""
    let first = request.firstMatch(of: /[Rr]ange: bytes=(\d+)-/).flatMap { Int($0.output.1) }
    switch answer(path) {
    case .bytes(let bytes, let type): send(bytes, from: first, type, whole: true, connection)
    case .half(let bytes): send(bytes, from: first, "video/mp2t", whole: false, connection)
    case .redirect(let place):
      write("HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", connection)
    case .missing: write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", connection)
    case .silence(let seconds): usleep(UInt32(seconds * 1_000_000))
    }
  }

  private func send(_ bytes: [UInt8], from first: Int?, _ type: String, whole: Bool, _ connection: Int32) {
    let start = min(first ?? 0, bytes.count)
    let status = first == nil ? "200 OK" : "206 Partial Content\r\nContent-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
    write(
      "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nAccept-Ranges: bytes\r\nContent-Length: \(bytes.count - start)\r\nConnection: close\r\n\r\n",
      connection)
    write(Array(bytes[start..<(whole ? bytes.count : start + (bytes.count - start) / 2)]), connection)
  }

  private func write(_ text: String, _ connection: Int32) { write(Array(text.utf8), connection) }

  private func write(_ bytes: [UInt8], _ connection: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(connection, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
