import EtalonDiagnostics
import Foundation
import Testing

@testable import EtalonSystem

@Suite struct TemporaryFileTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "etalon-temporary-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
  private var now: Int { Int(Date().timeIntervalSince1970) }

  private func write(_ name: String, age: Double = 0) throws {
    _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data([1]))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: "\(folder)/\(name)")
  }

  /// The name that a process would choose which has these parts.
  private func name(space: String? = nil, process: pid_t, start: String = "1") -> String {
    let own = "\(ProcessIdentity.current)".split(separator: "-")
    return ".a.png.\(space ?? String(own[0]))-\(process)-\(start).0123456789abcdef.tmp"
  }

  /// Two processes may have one number, in containers that share a folder; their files must not meet.
  @Test func noTwoFilesHaveOneName() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let made = try (0..<50).map { _ in try #require(TemporaryFiles.makeFile(for: "\(folder)/a.png")) }
    #expect(Set(made.map(\.path)).count == 50)
    #expect(names.allSatisfy { TemporaryFiles.isName($0) && $0.hasPrefix(".a.png.") })
    for (path, descriptor) in made {
      close(descriptor)
      TemporaryFiles.remove(path)
    }
    #expect(names == [])
  }

  @Test func longNamesFit() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let long = String(repeating: "ä", count: 127)
    let made = try #require(TemporaryFiles.makeFile(for: "\(folder)/\(long)"))
    close(made.descriptor)
    #expect(unsafe rename(made.path, "\(folder)/\(long)") == 0)
    TemporaryFiles.release(made.path)
  }

  @Test func removesOnlyWhatWasLeftBehind() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let child = try ChildProcess("/bin/true", [], output: "/dev/null", errors: "/dev/null")
    _ = child.wait(20)
    let dead = name(process: 999_999_999), reused = name(process: getpid(), start: "3"), other = name(space: "0123456789abcdef", process: 1)
    let living = ".a.png.\(ProcessIdentity.current).0123456789abcdef.tmp"
    let lapsed = ".b.png." + other.dropFirst(".a.png.".count)
    try write(dead)
    try write(reused)
    try write(other, age: 1800)
    try write(lapsed, age: 7200)
    try write(living, age: 7200)
    for name in ["a.png", ".a.png.4711.tmp", ".a.tmp", "notes.tmp"] { try write(name, age: 7200) }
    TemporaryFiles.sweep(folder, now: now)
    #expect(names == [".a.png.4711.tmp", ".a.tmp", living, other, "a.png", "notes.tmp"].sorted())
  }

  /// The clock of a machine may be wrong; that of the file system counts.
  @Test func ageIsToldByTheFileSystem() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let other = name(space: "0123456789abcdef", process: 1)
    try write(other, age: 7200)
    TemporaryFiles.sweep(folder, now: now - 7200)
    #expect(names == [other])
    let made = try #require(TemporaryFiles.makeFile(for: "\(folder)/a.png"))
    close(made.descriptor)
    TemporaryFiles.remove(made.path)
    #expect(names == [])
  }

  @Test func foldersGoWithTheirFiles() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let made = try #require(TemporaryFiles.makeFolder(for: "\(folder)/new"))
    _ = FileManager.default.createFile(atPath: "\(made)/a.txt", contents: Data())
    TemporaryFiles.remove(made)
    #expect(names == [])
  }
}
