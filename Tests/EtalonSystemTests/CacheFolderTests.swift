import EtalonDiagnostics
import EtalonSystem
import Foundation
import Testing

@Suite(.serialized) struct CacheFolderTests {
  private let cache = CacheFolder(path: FileManager.default.temporaryDirectory.appending(path: "etalon-cache-\(UUID().uuidString)").path)
  private let content = [UInt8]((0..<200).map { UInt8($0) })

  private func path(_ name: String) -> String { "\(cache.path)/\(name)" }
  private func read(_ name: String = "a.bin", key: String = "a") -> [UInt8]? { cache.read(name, key: key, limit: 1 << 20) }
  private func remove() { try? FileManager.default.removeItem(atPath: cache.path) }
  private var notes: [String] { CacheNotes.takeAll().map(\.message).filter { $0.contains(cache.path) } }

  @Test func givesBackWhatWasWritten() throws {
    defer { remove() }
    #expect(read() == nil)
    #expect(cache.write(content, as: "a.bin", key: "a"))
    #expect(read() == content)
    #expect(cache.read("a.bin", key: "a", limit: 100) == nil)
    #expect(cache.files.map(\.name) == ["a.bin"])
    #expect(notes == [])
  }

  /// A file that was copied to the name of another key is whole, and not what was asked for.
  @Test func belongsToItsKey() throws {
    defer { remove() }
    cache.write(content, as: "a.bin", key: "a")
    try FileManager.default.copyItem(atPath: path("a.bin"), toPath: path("b.bin"))
    #expect(read("b.bin", key: "b") == nil)
    #expect(read("b.bin", key: "a") == content)
  }

  @Test func damagedFilesCountAsMissing() throws {
    defer { remove() }
    cache.write(content, as: "a.bin", key: "a")
    let whole = try Data(contentsOf: URL(filePath: path("a.bin")))
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 0x10
      try damaged.write(to: URL(filePath: path("a.bin")))
      #expect(read() == nil, "byte \(place)")
    }
    try whole.dropLast().write(to: URL(filePath: path("a.bin")))
    #expect(read() == nil)
  }

  /// Opening a pipe waits for a writer; a link leads to where others write.
  @Test(arguments: ["pipe", "link", "folder"]) func onlyRegularFilesAreRead(kind: String) throws {
    defer { remove() }
    cache.write(content, as: "a.bin", key: "a")
    switch kind {
    case "pipe": #expect(unsafe mkfifo(path("b.bin"), 0o600) == 0)
    case "link": try FileManager.default.createSymbolicLink(atPath: path("b.bin"), withDestinationPath: path("a.bin"))
    default: try FileManager.default.createDirectory(atPath: path("b.bin"), withIntermediateDirectories: false)
    }
    #expect(read("b.bin") == nil)
    #expect(notes.count == 1)
    guard kind != "folder" else { return }
    #expect(cache.write(content, as: "b.bin", key: "b"))
    #expect(read("b.bin", key: "b") == content)
  }

  @Test(arguments: [0o020, 0o002]) func nothingIsReadThatOthersMayWrite(mode: Int) throws {
    defer { remove() }
    cache.write(content, as: "a.bin", key: "a")
    try FileManager.default.setAttributes([.posixPermissions: 0o600 | mode], ofItemAtPath: path("a.bin"))
    #expect(read() == nil)
    #expect(read() == nil)
    #expect(notes == ["the cache '\(path("a.bin"))' is not used: others may write to it (mode \(String(0o600 | mode, radix: 8)))"])
    cache.write(content, as: "a.bin", key: "a")
    #expect(read() == content)
    try FileManager.default.setAttributes([.posixPermissions: 0o700 | mode], ofItemAtPath: cache.path)
    #expect(read() == nil)
    #expect(!cache.write(content, as: "b.bin", key: "b"))
    #expect(notes == ["the cache '\(cache.path)' is not used: others may write to it (mode \(String(0o700 | mode, radix: 8)))"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away")) func nothingIsReadThatBelongsToOthers() throws {
    defer { remove() }
    cache.write(content, as: "a.bin", key: "a")
    #expect(unsafe chown(path("a.bin"), 12345, 12345) == 0)
    #expect(read() == nil)
    #expect(notes.first?.hasSuffix("is not used: it belongs to another user (12345, not 0)") == true)
    #expect(unsafe chown(cache.path, 12345, 12345) == 0)
    #expect(!cache.write(content, as: "a.bin", key: "a"))
    #expect(notes.count == 1)
  }

  @Test func liesWhereTheUserKeepsCaches() {
    #expect(CacheFolder(ofUser: "x", environment: [:]) == nil)
    #expect(CacheFolder(ofUser: "x", environment: ["HOME": "/home/me"])?.path == "/home/me/.cache/etalon/x")
    #expect(CacheFolder(ofUser: "x", environment: ["HOME": "/home/me", "XDG_CACHE_HOME": "/var/me"])?.path == "/var/me/etalon/x")
    #expect(CacheFolder(ofUser: "x", environment: ["HOME": "/home/me", "XDG_CACHE_HOME": "here"])?.path == "/home/me/.cache/etalon/x")
  }

  @Test func prunesWhatIsUnusedForLongest() throws {
    defer { remove() }
    for number in 0..<6 {
      cache.write(content, as: "\(number).bin", key: "a")
      let date = Date(timeIntervalSinceNow: Double(number - 100))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path("\(number).bin"))
    }
    cache.markAsUsed("0.bin")
    let size = cache.files[0].size
    cache.prune(".bin", toBytes: 4 * size)
    #expect(cache.files.map(\.name).sorted() == ["0.bin", "3.bin", "4.bin", "5.bin"])
    cache.prune(".bin", toBytes: .max, count: 2)
    #expect(cache.files.map(\.name).sorted() == ["0.bin", "5.bin"])
  }
}
