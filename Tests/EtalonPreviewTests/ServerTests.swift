import EtalonDiagnostics
import FlyingSocks
import Foundation
import Testing

@testable import EtalonPreview

/// The server over real sockets: who may ask, and what it answers.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServerTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func served(_ body: (PreviewServer, PreviewSession, RawBrowser) async throws -> Void) async throws {
    try workshop.write("level.fs", Workshop.level)
    let session = try workshop.session("level.fs") { $0.largestUpload = 1 << 20 }
    let server = try await PreviewServer(session)
    try await body(server, session, RawBrowser(port: server.port))
    session.finish()
    await server.stop()
  }

  @Test func theSecretIsExchangedOnceForACookie() async throws {
    try await served { server, _, browser in
      let address = server.address
      let target = address.replacing("http://127.0.0.1:\(server.port)", with: "")
      #expect(try await browser.send("GET", "/").code == 403)
      #expect(try await browser.send("GET", "/?key=0123").code == 403)
      let answer = try await browser.send("GET", target)
      #expect(answer.code == 303)
      #expect(answer.headers["location"] == "/")
      let cookie = try #require(answer.headers["set-cookie"])
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
      #expect(answer.headers["referrer-policy"] == "no-referrer")
      #expect(answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
      // The address is of no use any more, and another one is.
      #expect(try await browser.send("GET", target).code == 403)
      #expect(server.address != address)
      let known = RawBrowser(port: server.port, cookie: cookie.split(separator: ";").first.map(String.init))
      let page = try await known.send("GET", "/")
      #expect(page.code == 200)
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
      #expect(page.headers["cache-control"] == "no-store")
      // Whoever is known already need not bring a secret that is good.
      #expect(try await known.send("GET", target).code == 303)
    }
  }

  @Test(arguments: ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:PORT", "[::1]:PORT"]) func aForgedHostIsRefused(
    host: String
  ) async throws {
    try await served { server, _, browser in
      let known = try await browser.entered(server.address)
      let name = host.replacing("PORT", with: "\(server.port)")
      #expect(try await known.send("GET", "/", ["Host": name]).code == 403)
      #expect(try await known.send("GET", "/", ["Host": "localhost:\(server.port)"]).code == 200)
    }
  }

  @Test func aForeignOriginIsRefused() async throws {
    try await served { server, _, browser in
      let known = try await browser.entered(server.address)
      for origin in ["http://evil.example", "null", "https://127.0.0.1:\(server.port)", "http://127.0.0.1:\(server.port &+ 1)"] {
        #expect(try await known.send("GET", "/", ["Origin": origin]).code == 403, "\(origin)")
        #expect(try await known.send("POST", "/upload?file=a.png", ["Origin": origin]).code == 403, "\(origin)")
        await #expect(throws: (any Error).self, "\(origin)") { try await known.socket(["Origin": origin]) }
      }
      #expect(try await known.send("GET", "/", ["Sec-Fetch-Site": "cross-site"]).code == 403)
      #expect(try await known.send("GET", "/", ["Origin": "http://127.0.0.1:\(server.port)"]).code == 200)
    }
  }

  @Test func aLinkElsewhereDoesNotUseTheSecretUp() async throws {
    try await served { server, _, browser in
      let address = server.address
      let target = address.replacing("http://127.0.0.1:\(server.port)", with: "")
      let answer = try await browser.send("GET", target, ["Sec-Fetch-Site": "cross-site"])
      #expect(answer.code == 403)
      #expect(server.address == address)
      #expect(try await browser.send("GET", target, ["Sec-Fetch-Site": "none"]).code == 303)
    }
  }

  @Test func withoutTheCookieNothingIsAnswered() async throws {
    try await served { _, _, browser in
      for target in ["/", "/page/main.js", "/sound", "/nothing"] {
        let answer = try await browser.send("GET", target)
        #expect(answer.code == 403, "\(target)")
      }
      #expect(try await browser.send("POST", "/upload?file=a.png", body: Data([1])).code == 403)
      await #expect(throws: (any Error).self) { try await browser.socket() }
      let guessed = RawBrowser(port: browser.port, cookie: "etalon-preview-\(browser.port)=0")
      #expect(try await guessed.send("GET", "/").code == 403)
    }
  }

  @Test(arguments: [
    "/page/../page.html", "/page/..%2fPackage.swift", "/page/%2e%2e/%2e%2e/etc/passwd", "/page//etc/passwd", "/page/./../../etc/passwd",
    "/../../etc/passwd", "/page/", "/page/no.js",
  ]) func addressesDoNotLeadToFiles(target: String) async throws {
    try await served { server, _, browser in
      let known = try await browser.entered(server.address)
      let answer = try await known.send("GET", target)
      #expect(answer.code == 404 || answer.code == 403)
      #expect(try await known.send("GET", "/page/main.js").code == 200)
    }
  }

  @Test func otherMethodsAreRefused() async throws {
    try await served { server, _, browser in
      let known = try await browser.entered(server.address)
      for method in ["PUT", "DELETE", "POST", "OPTIONS"] { #expect(try await known.send(method, "/").code == 405, "\(method)") }
    }
  }

  @Test func aPageIsServedOverTheSocket() async throws {
    try await served { server, _, browser in
      let socket = try await browser.entered(server.address).socket(["Origin": "http://localhost:\(server.port)"])
      let state = try await socket.next()
      #expect(String(decoding: state.bytes, as: UTF8.self).contains("\"level\""))
      try await socket.send("{\"do\":\"view\",\"number\":1,\"width\":64,\"height\":64,\"encoding\":\"raw\"}")
      #expect(try await socket.picture().count > 64 * 36 * 4)
      try await socket.send("no JSON")
      while true {
        let message = try await socket.next()
        if String(decoding: message.bytes, as: UTF8.self).contains("\"is\":\"refused\"") { break }
      }
      socket.close()
    }
  }

  @Test func aPageThatIsClosedMidwayHarmsNoOther() async throws {
    try await served { server, session, browser in
      let known = try await browser.entered(server.address)
      for _ in 0..<5 {
        let socket = try await known.socket()
        try await socket.send("{\"do\":\"view\",\"number\":1,\"width\":4000,\"height\":4000,\"encoding\":\"raw\"}")
        try await socket.send("{\"do\":\"play\",\"number\":2,\"rate\":1}")
        socket.close()
      }
      let socket = try await known.socket()
      try await socket.send("{\"do\":\"view\",\"number\":1,\"width\":64,\"height\":64,\"encoding\":\"raw\"}")
      #expect(try await socket.picture().count > 0)
      socket.close()
      let page = TestPage(session.connect())
      page.view()
      #expect(try await page.picture().width == 64)
    }
  }

  @Test func whatAPageBringsIsKeptUnderAHarmlessName() async throws {
    try await served { server, session, browser in
      let known = try await browser.entered(server.address)
      let answer = try await known.send("POST", "/upload?input=a&file=..%2F..%2Fevil%00%20name.png", body: Data([1, 2, 3]))
      #expect(answer.code == 200)
      let path = try #require(try JSONDecoder().decode([String: String].self, from: answer.body)["path"])
      #expect(path.hasPrefix(session.place.temporary) && !path.contains(".."))
      #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
      let tooLarge = try await known.send("POST", "/upload?file=a.png", body: Data(count: (1 << 20) + 1))
      #expect(tooLarge.code == 413)
      // Pictures of a sequence lie in one folder.
      let paths = try await ["a.01.png", "a.02.png"].asyncMap { name in
        let answer = try await known.send("POST", "/upload?file=\(name)&sequence=s1", body: Data([1]))
        return try JSONDecoder().decode([String: String].self, from: answer.body)["path"] ?? ""
      }
      #expect(Set(paths.map { URL(filePath: $0).deletingLastPathComponent().path }).count == 1)
      // One that is there already is not replaced.
      #expect(try await known.send("POST", "/upload?file=a.02.png&sequence=s1", body: Data([2])).code == 500)
      #expect(FileManager.default.contents(atPath: paths[1]) == Data([1]))
      // All together may be four times as much as one.
      let whole = Data(count: 1 << 20)
      for _ in 0..<3 { #expect(try await known.send("POST", "/upload?file=a.png", body: whole).code == 200) }
      #expect(try await known.send("POST", "/upload?file=a.png", body: whole).code == 413)
    }
  }

  // MARK: what is too large

  /// Named, because the log prints every argument.
  private static let longHeads = [
    "request line": "GET /\(String(repeating: "a", count: 1 << 22)) HTTP/1.1\r\n\r\n",
    "header": "GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 1 << 22))\r\n\r\n",
    "headers": "GET / HTTP/1.1\r\n\(String(repeating: "X: y\r\n", count: 100_000))\r\n", "zeros": String(repeating: "\0", count: 1 << 20),
  ]

  @Test(arguments: longHeads.keys.sorted()) func aHeadThatIsTooLongIsRefusedAndHoldsNothingUp(name: String) async throws {
    let text = try #require(Self.longHeads[name])
    try await served { server, _, browser in
      let known = try await browser.entered(server.address)
      for _ in 0..<3 {
        let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: server.port), timeout: 60)
        try? await socket.write(Data(text.utf8))
        if let answer = try? await socket.read(atMost: 4096) { #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 431")) }
        try? socket.close()
      }
      let start = ContinuousClock.now
      #expect(try await known.send("GET", "/").code == 200)
      #expect(ContinuousClock.now - start < .seconds(10))
    }
  }

  @Test(arguments: [
    "Content-Length: -5", "Content-Length: 99999999999999999999", "Content-Length: 1, 2", "Content-Length:", "Transfer-Encoding: chunked",
    "Content-Length: 3\r\nContent-Length: 4",
  ]) func bodiesWithoutALengthAreRefused(header: String) async throws {
    try await served { server, _, _ in
      let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: server.port), timeout: 60)
      defer { try? socket.close() }
      try await socket.write(Data("POST /upload HTTP/1.1\r\n\(header)\r\n\r\nabc".utf8))
      #expect(String(decoding: try await socket.read(atMost: 4096), as: UTF8.self).hasPrefix("HTTP/1.1 400"))
    }
  }

  @Test func connectionsThatSayNothingHaveAnEnd() async throws {
    try await served { server, _, browser in
      let known = try await browser.entered(server.address)
      var silent: [AsyncSocket] = []
      for index in 0..<200 {
        let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: server.port), timeout: 60)
        if index % 2 == 0 { try? await socket.write(Data("GET / HT".utf8)) }
        silent.append(socket)
      }
      // Those that are too many are told so; the others lose their places after a while, also without leaving.
      var code = 0
      let end = ContinuousClock.now + .seconds(60)
      while code != 200, ContinuousClock.now < end { code = (try? await known.send("GET", "/").code) ?? 0 }
      #expect(code == 200)
      for socket in silent { try? socket.close() }
    }
  }

  @Test(
    arguments: [
      [0x81, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0x81, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0],
      [0x81, 0xFF, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0],
      [0x89, 0xFE, 0, 200, 0, 0, 0, 0],
    ] as [[UInt8]]) func framesThatAreTooLongEndThePage(frame: [UInt8]) async throws
  {
    try await served { server, session, browser in
      let known = try await browser.entered(server.address)
      let socket = try await known.socket()
      try await socket.socket.write(Data(frame))
      await #expect(throws: (any Error).self) { while true { _ = try await socket.next() } }
      let other = try await known.socket()
      #expect(String(decoding: try await other.next().bytes, as: UTF8.self).contains("\"level\""))
      other.close()
    }
  }

  @Test func framesOfOneMessageAreCountedTogether() async throws {
    try await served { server, _, browser in
      let known = try await browser.entered(server.address)
      let socket = try await known.socket()
      let megabyte = Data([0x01, 0xFF, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0x20, count: 1 << 20))
      await #expect(throws: (any Error).self) {
        for index in 0..<40 { try await socket.socket.write(index == 0 ? megabyte : Data([0x00]) + megabyte.dropFirst()) }
        while true { _ = try await socket.next() }
      }
      #expect(try await known.send("GET", "/").code == 200)
    }
  }

  @Test func headsOfRequestsAreRead() throws {
    func head(_ lines: String...) -> RequestHead? { RequestHead(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)) }
    let plain = try #require(head("GET / HTTP/1.1", "Host: x"))
    #expect((plain.bodyCount, plain.isUpgrade) == (0, false))
    #expect(String(decoding: plain.passed, as: UTF8.self) == "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(head("POST / HTTP/1.1", "content-length : 12")?.bodyCount == 12)
    let upgrade = try #require(head("GET /socket HTTP/1.1", "Connection: Upgrade", "UPGRADE: WebSocket"))
    #expect(upgrade.isUpgrade && upgrade.passed.suffix(6).elementsEqual("et\r\n\r\n".utf8))
    #expect(head("GET /") == nil)
    #expect(head("") == nil)
  }

  @Test func aPortThatIsTakenIsTold() async throws {
    try await served { server, session, _ in
      let error = await #expect(throws: RenderError.self) { _ = try await PreviewServer(session, port: server.port) }
      #expect(error?.message == "cannot listen on port \(server.port)")
      #expect(error?.help.first?.contains("another program uses it") == true)
    }
  }

  @Test(arguments: [("bytes=0-3", 0..<4), ("bytes=4-", 4..<10), ("bytes=4-100", 4..<10)]) func rangesOfSoundsAreRead(
    text: String, range: Range<Int>
  ) {
    #expect(PreviewHandler.range(text, of: 10) == range)
  }

  @Test(arguments: ["bytes=10-", "bytes=5-2", "bytes=-3", "bytes=0-1,3-4", "lines=0-1"]) func otherRangesMeanTheWhole(text: String) {
    #expect(PreviewHandler.range(text, of: 10) == nil)
  }
}

extension Sequence where Element: Sendable {
  /// What something gives for each, one after the other.
  fileprivate func asyncMap<Result: Sendable>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
