internal import EtalonDiagnostics
internal import EtalonSystem
internal import Foundation
internal import Glibc
internal import Synchronization

/// Stands between browsers and the HTTP server: it listens on the loopback interface, and passes on what is not larger than pages send it.
///
/// The server behind it reads the lines of a request byte by byte, and copies each as often as it is long: an address of a megabyte, which every page of
/// the web can ask for, would keep it busy for an hour. Here a head has a limit, a time in which it has to come, and a connection of its own; the
/// messages of a page have the limit of requests; and no more connections are open than pages need.
///
/// **Concurrency**: usable from every thread. Each connection has two threads, one for each direction.
final class Gate: Sendable {
  /// What passes.
  struct Limits: Sendable {
    /// Bytes of a request without its body.
    var head = 16 << 10
    /// Seconds in which it has to come, and in which each part of its body follows.
    var patience = 10.0
    /// Bytes of a message of a page, in all its frames.
    var message = PageRequest.mostBytes + (1 << 20)
    /// Connections at the same time: a page has one, and a browser loads a few files at once.
    var connections = 128
  }

  /// The port that it listens on.
  let port: UInt16
  private let listener: Int32
  /// The socket of the server.
  private let path: String
  private let limits: Limits
  private let state = Mutex((isOver: false, count: 0))

  /// Listens; connections wait until it is opened.
  ///
  /// - Parameters:
  ///   - port: 0 is one that is free.
  ///   - path: the socket of the server in the file system.
  init(port: UInt16, to path: String, _ limits: Limits = Limits()) throws(RenderError) {
    (self.path, self.limits) = (path, limits)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw Self.refusal(of: port, "socket") }
    Self.set(listener, SOL_SOCKET, SO_REUSEADDR)
    // Connections have the options of the socket that listens for them: a picture does not wait until what was sent before has arrived.
    Self.set(listener, Int32(IPPROTO_TCP), TCP_NODELAY)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    (address.sin_port, address.sin_addr.s_addr) = (port.bigEndian, UInt32(0x7F00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed: String? = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        if unsafe bind(listener, address, length) != 0 { return "bind" }
        if listen(listener, 256) != 0 { return "listen" }
        return unsafe getsockname(listener, address, &length) != 0 ? "getsockname" : nil
      }
    }
    if let failed {
      let error = Self.refusal(of: port, failed)
      close(listener)
      throw error
    }
    (self.listener, self.port) = (listener, UInt16(bigEndian: address.sin_port))
  }

  private static func refusal(of port: UInt16, _ operation: String) -> RenderError {
    let code = errno
    return RenderError(
      .noDevice, "cannot listen on port \(port)", operation: operation, underlying: unsafe String(cString: strerror(code)).lowercased(),
      help: code == EADDRINUSE
        ? ["another program uses it; leave out '--port' for one that is free"]
        : code == EACCES ? ["ports below 1024 are for the system; type '--port 8000'"] : [])
  }

  private static func set(_ socket: Int32, _ level: Int32, _ option: Int32) {
    var one: Int32 = 1
    _ = unsafe setsockopt(socket, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Lets connections in from now on, on a thread of its own.
  func open() throws(RenderError) {
    try SystemThread.start { [self] in
      while true {
        let client = accept(listener, nil, nil)
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        if state.withLock(\.isOver) {
          if client >= 0 { Glibc.close(client) }
          break
        }
        guard client >= 0 else {
          // The process has no more files for now, or the browser left.
          Thread.sleep(forTimeInterval: 0.02)
          continue
        }
        // Those that are refused have as many places again, so that the answer waits in a thread of its own; beyond that nothing is answered.
        let place = state.withLock { state -> Int? in
          guard state.count < 2 * limits.connections else { return nil }
          state.count += 1
          return state.count
        }
        guard let place else {
          Glibc.close(client)
          continue
        }
        do throws(RenderError) {
          try SystemThread.start { [self] in
            if place <= limits.connections {
              serve(client)
            } else {
              Stream(client).answer(503, "Service Unavailable", "too many connections are open; close other pages of the preview")
            }
            Glibc.close(client)
            state.withLock { $0.count -= 1 }
          }
        } catch {
          Glibc.close(client)
          state.withLock { $0.count -= 1 }
        }
      }
      Glibc.close(listener)
    }
  }

  /// Lets nothing in any more; open connections end with the server.
  func stop() {
    state.withLock { $0.isOver = true }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  // MARK: connections

  /// Passes one request and its answer on, or the messages of a page.
  private func serve(_ client: Int32) {
    let stream = Stream(client)
    guard let head = stream.head(atMost: limits.head, within: limits.patience) else { return }
    let request: RequestHead
    switch head {
    case .complete(let bytes):
      guard let read = RequestHead(bytes) else { return stream.answer(400, "Bad Request", "the request makes no sense") }
      request = read
    case .tooLong:
      return stream.answer(431, "Request Header Fields Too Large", "an address or its headers are longer than those of a preview")
    }
    let server = connect()
    guard server >= 0 else { return stream.answer(502, "Bad Gateway", "the preview has ended") }
    defer { Glibc.close(server) }
    let answers = try? ThreadTask {
      Stream(server).copy(to: client)
      // The other direction may wait for more of a request.
      shutdown(client, Int32(SHUT_RDWR))
    }
    guard let answers else { return }
    let isWhole = Stream.write(request.passed, to: server) && stream.copy(request.bodyCount, to: server, within: limits.patience)
    if isWhole, request.isUpgrade { passMessages(from: stream, to: server) }
    // Without the rest of a body, or without its page, the server has nothing to wait for.
    if !isWhole || request.isUpgrade { shutdown(server, Int32(SHUT_RDWR)) }
    answers.wait()
  }

  private func connect() -> Int32 {
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard server >= 0 else { return -1 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      for (index, byte) in bytes.enumerated().prefix(place.count - 1) { unsafe place[index] = byte }
    }
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if code == 0 { return server }
    Glibc.close(server)
    return -1
  }

  /// Passes frames of a WebSocket on until one is longer than messages are, or the page leaves.
  private func passMessages(from stream: Stream, to server: Int32) {
    var message = 0
    while let start = stream.read(exactly: 2) {
      let control = start[0] & 0x08 != 0
      var header = start
      var length = Int(start[1] & 0x7F)
      if length >= 126 {
        guard let more = stream.read(exactly: length == 126 ? 2 : 8), more.count == 2 || more[0] == 0 else { return }
        header += more
        length = more.reduce(0) { $0 << 8 | Int($1) }
      }
      if start[1] & 0x80 != 0 {
        guard let mask = stream.read(exactly: 4) else { return }
        header += mask
      }
      if !control { message += length }
      guard length <= (control ? 125 : limits.message), message <= limits.message else { return }
      guard Stream.write(header, to: server), stream.copy(length, to: server) else { return }
      if !control, start[0] & 0x80 != 0 { message = 0 }
    }
  }
}

/// The first lines of a request, as far as the gate has to know them.
struct RequestHead: Equatable {
  /// What the server is told: the same, with a connection that ends behind the answer.
  let passed: [UInt8]
  let bodyCount: Int
  /// Whether messages of a WebSocket follow.
  let isUpgrade: Bool

  /// Reads a head with the empty line at its end; nil for a length that is none, and for bodies without one.
  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
    func values(_ name: String) -> [String] {
      lines.dropFirst().compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces).lowercased() == name else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    let lengths = values("content-length")
    guard lines.first?.split(separator: " ").count == 3, values("transfer-encoding").isEmpty, lengths.count <= 1 else { return nil }
    guard lengths.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }) else { return nil }
    guard let count = lengths.isEmpty ? 0 : Int(lengths[0]) else { return nil }
    bodyCount = count
    isUpgrade = count == 0 && values("upgrade").contains { $0.lowercased() == "websocket" }
    // Of several headers of a name the last one counts.
    passed = isUpgrade ? bytes : bytes.dropLast(2) + Array("Connection: close\r\n\r\n".utf8)
  }
}

/// Reads and writes one end of a connection.
private final class Stream {
  enum Head {
    case complete([UInt8])
    case tooLong
  }

  private let socket: Int32
  /// What was read and not used yet.
  private var rest: ArraySlice<UInt8> = []

  init(_ socket: Int32) { self.socket = socket }

  private static let chunk = 1 << 17

  /// More bytes; nil at the end, and where they do not come in time.
  private func more(within seconds: Double? = nil) -> ArraySlice<UInt8>? {
    if let seconds {
      var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard seconds > 0, unsafe poll(&wanted, 1, Int32(seconds * 1000)) > 0 else { return nil }
    }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
      var read = 0
      repeat { read = unsafe recv(socket, buffer.baseAddress, buffer.count, 0) } while read < 0 && errno == EINTR
      count = max(0, read)
    }
    return bytes.isEmpty ? nil : bytes[...]
  }

  /// The first lines of a request, up to the empty one; nil where the browser leaves before, or is silent.
  func head(atMost limit: Int, within patience: Double) -> Head? {
    let end = ContinuousClock.now + .seconds(patience)
    var bytes: [UInt8] = []
    while true {
      guard let more = more(within: (end - .now).seconds) else { return nil }
      let start = max(0, bytes.count - 3)
      bytes += more
      if let place = Self.emptyLine(bytes, from: start) {
        guard place <= limit else { return .tooLong }
        rest = bytes[place...]
        return .complete(Array(bytes[..<place]))
      }
      if bytes.count > limit { return .tooLong }
    }
  }

  /// The place behind the first empty line.
  private static func emptyLine(_ bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= 4 else { return nil }
    let end = Array("\r\n\r\n".utf8)
    return (start...bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(end) }.map { $0 + 4 }
  }

  /// So many bytes; nil where the other side leaves before.
  func read(exactly count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      if rest.isEmpty {
        guard let more = more() else { return nil }
        rest = more
      }
      let part = rest.prefix(count - bytes.count)
      rest = rest.dropFirst(part.count)
      bytes += part
    }
    return bytes
  }

  /// Copies so many bytes to another socket; false where one of both ends before, or the next ones do not come in time.
  func copy(_ count: Int, to other: Int32, within patience: Double? = nil) -> Bool {
    var left = count
    while left > 0 {
      if rest.isEmpty {
        guard let more = more(within: patience) else { return false }
        rest = more
      }
      let part = rest.prefix(left)
      rest = rest.dropFirst(part.count)
      left -= part.count
      guard Self.write(part, to: other) else { return false }
    }
    return true
  }

  /// Copies everything to another socket, until one of both ends.
  func copy(to other: Int32) {
    while let more = more() {
      guard Self.write(more, to: other) else {
        shutdown(socket, Int32(SHUT_RDWR))
        return
      }
    }
  }

  /// Writes everything; false where the other side left.
  static func write(_ bytes: some Collection<UInt8>, to socket: Int32) -> Bool {
    var all = ArraySlice(bytes)
    while !all.isEmpty {
      let count = unsafe all.withUnsafeBytes { unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      all = all.dropFirst(count)
    }
    return true
  }

  /// Answers a request that is not passed on.
  func answer(_ code: Int, _ phrase: String, _ text: String) {
    let lines = [
      "HTTP/1.1 \(code) \(phrase)", "Content-Type: text/plain; charset=utf-8", "Content-Length: \(text.utf8.count + 1)",
      "Connection: close",
    ]
    let head = lines.map { $0 + "\r\n" }.joined() + "\r\n"
    guard Self.write(Array((head + text + "\n").utf8), to: socket) else { return }
    shutdown(socket, Int32(SHUT_WR))
    // A socket that is closed before everything is read takes the answer back; what comes on and on is left.
    let end = ContinuousClock.now + .seconds(1)
    while more(within: (end - .now).seconds) != nil {}
  }
}
