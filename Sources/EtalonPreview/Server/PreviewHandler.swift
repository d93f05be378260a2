internal import EtalonDiagnostics
internal import FlyingFox
internal import Foundation
internal import Synchronization

/// Answers the requests of browsers.
final class PreviewHandler: HTTPHandler {
  private let session: PreviewSession
  private let access = Mutex<PageAccess?>(nil)

  init(_ session: PreviewSession) { self.session = session }

  /// Answers from now on.
  func open(with access: PageAccess) { self.access.withLock { $0 = access } }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let access = access.withLock(\.self), access.isOwn(request) else {
      return Self.text(403, "Forbidden", "this address is not one of the preview")
    }
    if request.method == .GET, request.path == "/", let key = request.query.first(where: { $0.name == "key" })?.value {
      return Self.exchanged(key, request, access)
    }
    guard access.isKnown(request) else {
      return Self.text(403, "Forbidden", "open the address that 'etalon preview' printed last; each is good for one browser")
    }
    switch (request.method, request.path) {
    case (.GET, "/"): return Self.file("page.html")
    case (.GET, "/socket"):
      let pages = MessageFrameWSHandler(handler: PageSocket(session: session), frameSize: 1 << 30)
      return try await WebSocketHTTPHandler(handler: pages).handleRequest(request)
    case (.GET, "/sound"): return sound(request)
    case (.POST, "/upload"): return await upload(request)
    case (.GET, let path) where path.hasPrefix("/page/"): return Self.file(String(path.dropFirst("/page/".count)))
    case (.GET, _): return Self.text(404, "Not Found", "there is nothing at this address")
    default: return Self.text(405, "Method Not Allowed", "only GET and POST are understood")
    }
  }

  private static func exchanged(_ key: String, _ request: HTTPRequest, _ access: PageAccess) -> HTTPResponse {
    var headers = [HTTPHeader.location: "/"]
    if let cookie = access.cookie(for: key) {
      headers[.setCookie] = cookie
    } else if !access.isKnown(request) {
      return text(403, "Forbidden", "this address was used, or is that of another preview; open the one that was printed last")
    }
    return response(303, "See Other", headers, Data())
  }

  // MARK: answers

  /// What pages of the preview may do: load what comes from here, and nothing else.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:", "media-src 'self' blob:",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  private static func response(_ code: Int, _ phrase: String, _ headers: [HTTPHeader: String], _ body: Data) -> HTTPResponse {
    var all = headers
    all[HTTPHeader("Content-Security-Policy")] = policy
    all[HTTPHeader("Referrer-Policy")] = "no-referrer"
    all[HTTPHeader("X-Content-Type-Options")] = "nosniff"
    all[HTTPHeader("Cross-Origin-Resource-Policy")] = "same-origin"
    all[HTTPHeader("Cross-Origin-Opener-Policy")] = "same-origin"
    all[.cacheControl] = "no-store"
    // The gate passes one request on for each connection.
    all[.connection] = "close"
    return HTTPResponse(
      statusCode: HTTPStatusCode(code, phrase: phrase), headers: HTTPHeaders(all),
      body: HTTPBodySequence(data: body, suggestedBufferSize: 1 << 20))
  }

  private static func text(_ code: Int, _ phrase: String, _ text: String) -> HTTPResponse {
    response(code, phrase, [.contentType: "text/plain; charset=utf-8"], Data((text + "\n").utf8))
  }

  private static func file(_ name: String) -> HTTPResponse {
    guard let bytes = PageFiles.bytes(of: name) else { return text(404, "Not Found", "there is nothing at this address") }
    return response(200, "OK", [.contentType: PageFiles.type(of: name)], bytes)
  }

  private static func json(_ code: Int, _ phrase: String, _ value: [String: String]) -> HTTPResponse {
    let body = (try? JSONEncoder().encode(value)) ?? Data()
    return response(code, phrase, [.contentType: "application/json"], body)
  }

  // MARK: sound

  /// The sound that is heard as a WAV file, or a part of it.
  private func sound(_ request: HTTPRequest) -> HTTPResponse {
    guard let bytes = session.place.heardSound else { return Self.text(404, "Not Found", "nothing is heard") }
    var headers = [HTTPHeader.contentType: "audio/wav", .acceptRanges: "bytes"]
    guard let wanted = request.headers[.range], let range = Self.range(wanted, of: bytes.count) else {
      return Self.response(200, "OK", headers, Data(bytes))
    }
    headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
    return Self.response(206, "Partial Content", headers, Data(bytes[range]))
  }

  /// The bytes that `bytes=100-` or `bytes=100-199` means; nil for everything else, which is answered with the whole.
  static func range(_ text: String, of count: Int) -> Range<Int>? {
    guard let match = text.wholeMatch(of: /bytes=(\d+)-(\d*)/), let start = Int(match.output.1), start < count else { return nil }
    let last = match.output.2.isEmpty ? count - 1 : min(Int(match.output.2) ?? count - 1, count - 1)
    return last >= start ? start..<last + 1 : nil
  }

  // MARK: uploads

  /// Keeps a picture, a video or a sound that a page brings in the folder of the session.
  private func upload(_ request: HTTPRequest) async -> HTTPResponse {
    func value(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
    let limit = session.largestUpload
    let length = request.headers[.contentLength].flatMap { Int($0) }
    guard length ?? 0 <= limit else {
      return Self.json(
        413, "Content Too Large",
        ["diagnostic": "a file of \(length ?? 0) bytes is larger than the \(limit >> 20) MiB that a page may bring"])
    }
    do {
      let path = try session.place.pathForUpload(named: value("file") ?? "file", sequence: value("sequence"))
      var (count, isKept) = (0, false)
      defer {
        if !isKept {
          try? FileManager.default.removeItem(atPath: path)
          session.place.giveRoomBack(count)
        }
      }
      guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path) else {
        return Self.json(507, "Insufficient Storage", ["diagnostic": "cannot write '\(path)'"])
      }
      defer { try? file.close() }
      for try await chunk in request.bodySequence {
        guard session.place.takeRoom(chunk.count) else {
          return Self.json(
            413, "Content Too Large", ["diagnostic": "pages have brought as much as a session keeps; start the preview anew"])
        }
        count += chunk.count
        guard count <= limit else {
          return Self.json(413, "Content Too Large", ["diagnostic": "a file is larger than the \(limit >> 20) MiB that a page may bring"])
        }
        try file.write(contentsOf: chunk)
      }
      isKept = true
      return Self.json(200, "OK", ["path": path])
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
      return Self.json(
        507, "Insufficient Storage",
        [
          "diagnostic":
            "cannot keep the file: no space is left in '\(session.place.temporary)'; free some, or export TMPDIR with another folder"
        ])
    } catch {
      return Self.json(500, "Internal Server Error", ["diagnostic": diagnostics(of: error).map(\.message).joined(separator: "\n")])
    }
  }
}

/// One page at the other end of a WebSocket.
private struct PageSocket: WSMessageHandler {
  let session: PreviewSession

  func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
    let page = session.connect()
    // Nothing is taken from the page before the socket sends it: what waits is counted there.
    let messages = AsyncStream<WSMessage> {
      for await message in page.messages {
        switch message {
        case .text(let text): return .text(text)
        case .picture(let bytes): return .data(Data(bytes))
        }
      }
      return nil
    }
    Task {
      for await message in client {
        if case .text(let text) = message { page.send(text) }
      }
      page.leave()
    }
    return messages
  }
}
