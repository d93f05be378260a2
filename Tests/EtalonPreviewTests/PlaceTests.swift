import EtalonDiagnostics
import Foundation
import Testing

@testable import EtalonPreview

/// Which files pages may have read and written, and which ones changed.
@Suite struct PlaceTests {
  private let workshop: Workshop
  private let outside: Workshop
  private let place: SessionPlace

  init() throws {
    (workshop, outside) = (try Workshop(), try Workshop())
    place = try SessionPlace(folders: [workshop.folder], mostUploaded: 10)
    try FileManager.default.createSymbolicLink(atPath: workshop.path("out"), withDestinationPath: outside.folder)
    try FileManager.default.createSymbolicLink(atPath: workshop.path("nowhere"), withDestinationPath: outside.path("later"))
  }

  @Test(arguments: ["x.png", "new/x.png", "new/new/x.png", "./x.png", "//x.png"]) func filesInTheFoldersAreWritten(name: String) throws {
    defer { place.remove() }
    let real = try #require(place.writable(workshop.path(name)))
    #expect(real.hasPrefix(workshop.folder + "/") && real.hasSuffix("/x.png") && !real.contains("//"))
  }

  @Test(arguments: [
    "", "out", "out/x.png", "out/new/x.png", "out/new/new/x.png", "out/../x.png", "new/../out/x.png", "new/../x.png", "../x.png",
    "nowhere/x.png", "x\0.png",
  ]) func othersAreNot(name: String) {
    defer { place.remove() }
    #expect(place.writable(workshop.path(name)) == nil)
  }

  @Test func aLinkInsideIsWrittenWhereItLeads() throws {
    defer { place.remove() }
    try workshop.write("real.fs", "")
    try FileManager.default.createSymbolicLink(atPath: workshop.path("link.fs"), withDestinationPath: workshop.path("real.fs"))
    #expect(place.writable(workshop.path("link.fs")) == workshop.path("real.fs"))
  }

  @Test func whatChangedWhileItWasReadIsTold() throws {
    defer { place.remove() }
    let path = try workshop.write("a.fs", "")
    place.watch([path], since: .now - 60)
    #expect(place.takeChanges() == [path])
    #expect(place.takeChanges() == [])
    // One that is known already is told once.
    place.watch([path], since: .now - 60)
    #expect(place.takeChanges() == [])
    let other = try workshop.write("b.fs", "")
    place.watch([path, other], since: .now + 60)
    #expect(place.takeChanges() == [])
  }

  @Test(arguments: [
    ("@a.csv:x", "a.csv"), ("@a:b/x.csv:c", "a:b/x.csv"), ("{column: \"track: a.csv\", track: /etc/passwd}", "/etc/passwd"),
    ("{\"track\": \"/etc/passwd\"}", "/etc/passwd"), ("  { track : b.csv }", "b.csv"),
  ]) func tracksAreThoseThatAreOpened(text: String, path: String) { #expect(TypedFiles.track(ofValue: text) == path) }

  @Test(arguments: ["0.5", "(time)", "{0s: 1, 1s: 2}", "track: a.csv", ""]) func otherValuesNameNoFile(text: String) {
    #expect(TypedFiles.track(ofValue: text) == nil)
  }

  @Test func inputsAreJudgedByWhatIsOpened() throws {
    #expect(try TypedFiles.path(ofInput: "/w/a,b.png") == "/w/a,b.png")
    #expect(try TypedFiles.path(ofInput: "/w/a.##.png,rate=24") == "/w/a.##.png")
    #expect(try TypedFiles.path(ofInput: "noise") == nil)
  }

  @Test func whatPagesBringHasRoomAndNames() throws {
    defer { place.remove() }
    let long = try place.pathForUpload(named: String(repeating: "é", count: 200) + ".png", sequence: nil)
    #expect(long.hasSuffix("é.png") && URL(filePath: long).lastPathComponent.utf8.count <= 100)
    let first = try place.pathForUpload(named: "a#1.png", sequence: "s")
    #expect(FileManager.default.createFile(atPath: first, contents: nil))
    #expect(throws: RenderError.self) { try place.pathForUpload(named: "a1.png", sequence: "s") }
    #expect(place.takeRoom(6) && place.takeRoom(4) && !place.takeRoom(1))
    place.giveRoomBack(4)
    #expect(place.takeRoom(3))
  }
}
