import EtalonDiagnostics
import EtalonRegression
import Foundation
import Testing

/// What is found, and what is told when nothing is.
@Suite struct SelectionTests {
  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\ncases:\n  dark: { values: { level: 0 } }\n  light: { values: { level: 1 } }\n")
    try folder.write("loose.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(p.x / iResolution.x); }\n")
    return folder
  }

  @Test func aFolderHasTheCasesOfItsFilters() throws {
    let folder = try folder()
    #expect(try folder.selection("").cases.map(\.name) == ["dark", "light", "loose"])
    #expect(try folder.selection("ramp").cases.map(\.name) == ["dark", "light"])
    #expect(try folder.selection("ramp/ramp.glsl").cases.map(\.name) == ["dark", "light"])
    #expect(try folder.selection("ramp/tests/basics.yaml:light").cases.map(\.name) == ["light"])
    #expect(try folder.selection("loose.glsl").cases.map(\.isPlain) == [true])
  }

  @Test func aMisspeltListOfCasesIsRecognized() throws {
    let folder = try folder()
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\ncasess:\n  dark: { values: { level: 0 } }\n")
    let selection = try folder.selection("ramp")
    #expect(selection.diagnostics.map(\.help) == [["did you mean 'cases'?"]])
    #expect(selection.diagnosticResults.map(\.isNoCase) == [true] && selection.cases.isEmpty)
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\ncases:\n  dark: { cases: { a: {} } }\n")
    #expect(try folder.selection("ramp").diagnostics.map(\.id) == ["case.unknown-key"], "cases have no cases")
  }

  @Test(arguments: ["ramp/tests/more", "tests"]) func casesBehindLinksAreRun(link: String) throws {
    let folder = try folder()
    try folder.write("shared/more.yaml", "size: 8x8\nfilter: ramp\n")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(link)", withDestinationPath: "\(folder.path)/shared")
    let selection = try folder.selection("")
    #expect(Set(selection.cases.map(\.name)) == ["dark", "light", "loose", "more"])
    #expect(selection.diagnostics.isEmpty, "\(selection.diagnostics.map(\.message))")
  }

  @Test func aLinkToAFolderIsTheFolder() throws {
    let folder = try folder()
    try FileManager.default.createDirectory(atPath: "\(folder.path)/links", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/links/ramp", withDestinationPath: "\(folder.path)/ramp")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/links/other", withDestinationPath: "\(folder.path)/ramp/tests")
    #expect(try folder.selection("links/ramp").cases.map(\.name) == ["dark", "light"])
    #expect(try folder.selection("links").cases.map(\.name) == ["dark", "light"])
  }

  @Test func whatIsNotLookedAtInAFolderOfTestsIsTold() throws {
    let folder = try folder()
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/ramp/tests/gone.yaml", withDestinationPath: "nothing")
    let told = try folder.selection("ramp").diagnostics
    #expect(told.map(\.id) == ["test.unreadable"] && told[0].severity == .error)
    #expect(told.first?.message.hasSuffix("ramp/tests/gone.yaml' is a link to nothing: no case in it is run") ?? false)
  }

  @Test func casesBesideASingleFileBelongToIt() throws {
    let folder = try folder()
    try folder.write("tests/loose/small.yaml", "size: 8x8\n")
    #expect(try folder.selection("").cases.map(\.name) == ["dark", "light", "small"])
    #expect(try folder.selection("loose.glsl").cases.map(\.subjectName) == ["loose"])
  }

  @Test func aFolderThatHoldsOnlyCasesIsTested() throws {
    let folder = try folder()
    try folder.write("tests/loose/small.yaml", "size: 8x8\n")
    try folder.write("mine/dark.yaml", "filter: ../ramp/ramp.glsl\nsize: 8x8\n")
    try folder.write("mine/more.yaml", "size: 8x8\ncases:\n  one: { filter: ../ramp/ramp.glsl }\n")
    try folder.write("theirs/deep/own/light.yaml", "filter: ../../../ramp/ramp.glsl\nsize: 8x8\n")
    for (word, names) in [
      ("ramp/tests", ["dark", "light"]), ("ramp/tests/", ["dark", "light"]), ("tests/loose", ["small"]), ("mine", ["dark", "one"]),
      ("theirs", ["light"]),
      ("mine/dark.yaml", ["dark"]), ("mine/more.yaml:one", ["one"]),
    ] {
      let selection = try folder.selection(word)
      #expect(selection.cases.map(\.name) == names && selection.diagnostics.isEmpty, "\(word): \(selection.diagnostics.map(\.message))")
    }
    #expect(try folder.selection("tests/loose").cases.map(\.subjectName) == ["loose"])
  }

  @Test func aFolderOfCasesAboutNothingSaysWhatIsMissing() throws {
    let folder = try folder()
    try folder.write("mine/dark.yaml", "size: 8x8\n")
    let found = try #require(try folder.selection("mine").diagnostics.first)
    #expect(
      found.id == "test.nothing" && found.message.hasSuffix("mine/dark.yaml' does not say what it is about, and lies beside no filter"))
    #expect(found.help.first?.contains("write 'filter: PATH' into it") ?? false)
    try folder.write("empty/readme.md", "Nothing.\n")
    #expect(try folder.selection("empty").diagnostics.first?.message.hasSuffix("/empty'") ?? false)
  }

  @Test func foldersOfCasesHaveTheNameOfTheFileOrOfTheFilter() throws {
    let folder = try folder()
    for name in ["WaveScrawler", "Bad TV"] {
      try folder.write("\(name).glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(p.x); }\n")
    }
    try folder.write("tests/wave-scrawler/small.yaml", "size: 8x8\n")
    try folder.write("tests/Bad TV/small.yaml", "size: 8x8\n")
    #expect(try folder.selection("").cases.filter { $0.name == "small" }.count == 2)
    #expect(try folder.selection("WaveScrawler.glsl").cases.map(\.name) == ["small"])
    #expect(try folder.selection("Bad TV.glsl").cases.map(\.name) == ["small"])
  }

  @Test func everyCaseRunsInOneShard() throws {
    let cases = try folder().selection("").cases
    let parts = (1...2).map { CaseFilter(shard: .init(index: $0, count: 2)).cases(of: cases).map(\.name) }
    #expect(parts == [["dark", "loose"], ["light"]])
    #expect(CaseFilter(pattern: "*:li*").cases(of: cases).map(\.name) == ["light"])
    #expect(CaseFilter(pattern: "BASICS").cases(of: cases).count == 2)
  }

  @Test func nothingPassesByAccident() throws {
    let folder = try folder()
    try folder.write("empty/notes.txt", "nothing\n")
    #expect(try folder.selection("empty").diagnostics.map(\.id) == ["test.nothing"])
    #expect(
      try folder.selection("ramp/tests/basics.yaml:ligth").diagnostics.first?.help == [
        "did you mean '\(folder.path)/ramp/tests/basics.yaml:light'?"
      ])
    try folder.writePicture("ramp/tests/old.png")
    #expect(try folder.selection("").diagnostics.map(\.id) == ["test.orphan"])
    try folder.write("elsewhere/tests/x.yaml", "size: 8x8\n")
    #expect(try folder.selection("elsewhere").diagnostics.map(\.id) == ["case.missing-key"])
  }

  /// A picture is named by a case, whatever names lead to its folder.
  @Test func picturesBehindLinksAreNoOrphans() throws {
    let folder = try folder()
    try folder.writePicture("shared/approved.png")
    for name in ["new", "old"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/ramp/tests/\(name)", withDestinationPath: "\(folder.path)/shared")
    }
    try folder.write("ramp/tests/linked.yaml", "size: 8x8\nreference: old/approved.png\n")
    #expect(try folder.selection("").diagnostics.isEmpty)
  }

  /// What a file with an error reads is not known, and its references are not to be removed.
  @Test(arguments: [
    "size: 8x8\nreference: approved.png\nframez: 0\n", "size: 8x8\nreference: [approved.png\nframes: 0\n",
    "size: 8x8\nreferense: approved.png\n", "- approved.png\n", "cases:\n  one: { size: 8x8 }\n  two words: { reference: approved.png }\n",
    "size: 8\nreference: approved.png\n",
  ])
  func picturesOfACaseWithAnErrorAreNoOrphans(text: String) throws {
    let folder = try folder()
    try folder.write("ramp/tests/mistaken.yaml", text)
    for name in ["approved", "approved@vulkan", "mistaken", "two words"] { try folder.writePicture("ramp/tests/\(name).png") }
    for word in ["", "ramp", "ramp/ramp.glsl"] {
      let found = try folder.selection(word).diagnostics
      #expect(!found.isEmpty && !found.contains { $0.id == "test.orphan" }, "\(found.map(\.message))")
    }
    try folder.write("ramp/tests/mistaken.yaml", "size: 8x8\nreference: approved.png\n")
    #expect(try folder.selection("").diagnostics.map(\.id) == ["test.orphan", "test.orphan"], "two are left over")
  }

  @Test func picturesOfACaseThatCannotBeOpenedAreNoOrphans() throws {
    let folder = try folder()
    try folder.write("ramp/tests/large.yaml", String(repeating: "# large\n", count: (1 << 17) + 1))
    try folder.writePicture("ramp/tests/large.png")
    let found = try folder.selection("").diagnostics
    #expect(found.count == 1 && found.first?.id != "test.orphan", "\(found.map(\.message))")
  }

  /// A name that nothing is called would be a picture that is never compared.
  @Test(arguments: [
    ("llvmpip", ["error: did you mean '@llvmpipe' in 'light@llvmpip.png'?"]),
    ("vulcan", ["error: did you mean '@vulkan' in 'light@vulcan.png'?"]),
    ("nosuch", ["warning: behind the @ stands what a device, its driver or its backend is called"]),
    ("llvmpipe (LLVM 15.0.6, 256 bits)", []), ("NVIDIA GeForce RTX 4090", []), ("cpu", []),
  ])
  func picturesForDevicesHaveNamesOfDevices(_ key: String, _ expected: [String]) throws {
    let folder = try folder()
    try folder.writePicture("ramp/tests/light@\(key).png")
    #expect(try folder.selection("").diagnostics.map { "\($0.severity): \($0.help.joined())" } == expected)
  }

  /// A condition that never holds would skip its case for ever.
  @Test func aMisspeltDriverIsAnError() throws {
    let folder = try folder()
    try folder.write("ramp/tests/basics.yaml", "size: 8x8\nwhen: { driver: llvmpip }\n")
    #expect(try folder.selection("").diagnostics.first?.help.first == "did you mean 'llvmpipe'?")
    for pattern in ["NVIDIA*", "llvmpip*", "*radeo*", "Radeo? RX", "somebody's"] {
      try folder.write("ramp/tests/basics.yaml", "size: 8x8\nwhen: { driver: \"\(pattern)\" }\n")
      #expect(try folder.selection("").diagnostics.isEmpty, "\(pattern)")
    }
  }

  /// Cases in a folder of another name would not run, so that it is reported.
  @Test(arguments: ["test", "Tests"]) func aFolderOfCasesByAnotherNameIsTold(_ name: String) throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("loose.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(p.x / iResolution.x); }\n")
    try folder.write("ramp/\(name)/basics.yaml", "size: 16x12\n")
    let selection = try folder.selection("")
    #expect(selection.diagnostics.map(\.id) == ["test.folder"])
    #expect(selection.diagnostics[0].help[0].hasSuffix("mv \(folder.path)/ramp/\(name) \(folder.path)/ramp/tests"))
    #expect(selection.diagnosticResults.map(\.verdict) == [.warning])
    #expect(try folder.run().cases.first { $0.name == "ramp" }?.notes.first?.hasPrefix("rename '\(folder.path)/ramp/\(name)'") ?? false)
    try folder.write("\(name)/loose/basics.yaml", "size: 16x12\n")
    #expect(try folder.selection("loose.glsl").diagnosticResults.map(\.path) == ["\(folder.path)/\(name)/loose"])
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\n")
    #expect(try folder.selection("ramp").diagnostics.isEmpty, "it has cases")
  }

  @Test func fixturesInOtherFoldersAreNoCases() throws {
    let folder = try folder()
    try folder.write("test/loose/fixture.png", "")
    try folder.write("Tests/fixture.json", "{}")
    #expect(try folder.selection("").diagnostics.isEmpty)
  }
}
