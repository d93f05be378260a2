import EtalonDiagnostics
import EtalonDialects
import EtalonManifest
import Foundation
import Testing

@testable import Etalon

/// What nodes of a graph share that apply the same filter.
@Suite struct FilterMemoryTests {
  private let folder: TemporaryFolder
  private let memory = FilterMemory()

  init() throws {
    folder = try TemporaryFolder()
    try "#define SPEED 2.0\nvoid mainImage(out vec4 color, in vec2 p) { color = vec4(SPEED * iTime); }\n".write(
      toFile: folder.file("speed.glsl"), atomically: true, encoding: .utf8)
  }

  /// What a file says when some values are given; counts how often it is read.
  private func manifest(_ values: [String: String], _ count: inout Int) throws -> FilterManifest {
    var options = FilterReader.Options()
    options.values = values
    let location = RenderRequest.FilterLocation.file(folder.file("speed.glsl"))
    let text = try memory.text(location)
    var isRead = false
    defer { if isRead { count += 1 } }
    return try memory.reading(location, options) { () throws(DiagnosticsError) in
      isRead = true
      return try FilterReader(files: text.files).read(text.source, options: options)
    }.reading.manifest
  }

  @Test func onlyValuesOfConstantsMakeAnotherReading() throws {
    var count = 0
    let plain = try manifest([:], &count)
    #expect(try manifest(["unknown": "3"], &count) == plain)
    #expect(count == 1)
    let fast = try manifest(["SPEED": "4"], &count)
    #expect(fast != plain && count == 2)
    #expect(try manifest(["SPEED": "4", "other": "1"], &count) == fast)
    #expect(count == 2)
  }

  /// The file is gone when the second node asks for it.
  @Test func textsAreReadOnce() throws {
    let location = RenderRequest.FilterLocation.file(folder.file("speed.glsl"))
    _ = try memory.text(location)
    try FileManager.default.removeItem(atPath: folder.file("speed.glsl"))
    #expect(try memory.text(location).name == "speed")
  }
}
