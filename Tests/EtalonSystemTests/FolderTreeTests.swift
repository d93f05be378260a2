import EtalonSystem
import Foundation
import Testing

/// Walks over folders.
@Suite struct FolderTreeTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "etalon-tree-\(UUID().uuidString)").path

  private func write(_ path: String) throws {
    let file = URL(filePath: "\(root)/\(path)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data([1]).write(to: file)
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(root)/\(path)", withDestinationPath: target)
  }

  @Test func linksLeadIntoEachFolderOnce() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    for path in ["a/one", "a/b/two", "a/.hidden/three", "c/four", "c/d/five"] { try write(path) }
    try link("a/again", to: "b")
    try link("a/circle", to: ".")
    try link("a/up", to: "../..")
    try link("a/e", to: "../c")
    try link("a/file", to: "../c/four")
    try link("c/back", to: "../a")
    try link("linked", to: "a")
    for name in ["a", "linked"] {
      let tree = FolderTree("\(root)/\(name)")
      #expect(tree.files == ["b/two", "e/d/five", "e/four", "file", "one"])
      #expect(tree.folders == ["again", "b", "circle", "e", "e/back", "e/d", "up"])
      #expect(tree.unreadable.isEmpty)
    }
    #expect(FolderTree("\(root)/a") { $0 == "b" }.files == ["b/two", "file", "one"])
    // A name that is not entered takes the folder from no other name.
    try link("a/entered", to: "../c")
    #expect(FolderTree("\(root)/a") { $0 != "e" && $0 != "back" }.files == ["b/two", "entered/d/five", "entered/four", "file", "one"])
  }

  @Test func linksToOtherFileSystemsAreTold() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try write("a/one")
    try link("a/processes", to: "/proc")
    let tree = FolderTree("\(root)/a")
    #expect(tree.files == ["one"] && tree.folders.isEmpty)
    #expect(tree.unreadable.map(\.kind) == ["a link to another file system"])
  }

  @Test func whatIsNotLookedAtIsTold() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try write("a/one")
    try link("a/gone", to: "nothing")
    try link("a/self", to: "self")
    #expect(unsafe mkfifo("\(root)/a/pipe", 0o600) == 0)
    let tree = FolderTree("\(root)/a")
    #expect(tree.files == ["one"])
    #expect(
      tree.unreadable.map { "\($0.path): \($0.kind)" } == ["gone: a link to nothing", "pipe: no regular file", "self: a link to nothing"])
    #expect(FolderTree("\(root)/none").unreadable.map(\.kind) == ["a folder that cannot be read"])
  }
}
