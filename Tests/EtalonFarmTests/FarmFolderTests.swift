import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes
import Foundation
import Testing

@testable import EtalonFarm

/// The folder of a job.
@Suite struct FarmFolderTests {
  private func job() throws -> FarmJob {
    let outline = ShotOutline(
      frames: Array(0...3), shot: 0...3, clock: ShotClock(first: 0, start: .zero, rate: 24), size: Size(16, 16), isLive: false,
      name: "plasma",
      files: [], memory: .none, stateShare: 0, dependsOnRange: false, outputNames: ["main"])
    return FarmJob(
      .slurm, name: "turn", command: ["plasma", "-o", "a.####.png"], folder: "/tmp", frames: "0-3", shot: "0-3", size: "16x16", rate: "24",
      cut: try JobCut(.auto, of: outline, .init()), outputs: [.init(path: "/tmp/a.####.png", isVideo: false)], records: "/tmp/records")
  }

  @Test func jobsAreWrittenAndRead() throws {
    let place = try TestPlace(), folder = FarmFolder("\(place.path)/jobs/turn"), job = try job()
    try folder.check(overwrites: false)
    try folder.write(job, [.init("submit", "#!/bin/bash\n", isExecutable: true)])
    #expect(try folder.job() == job)
    #expect(FileManager.default.isExecutableFile(atPath: folder.path(of: "submit")))
    // A later job takes its place, and nothing of it is left but records and logs.
    try Data().write(to: URL(filePath: folder.path(of: "jobs.json")))
    try FileManager.default.createDirectory(atPath: folder.path(of: "records"), withIntermediateDirectories: true)
    #expect(throws: RenderError.self) { try folder.check(overwrites: false) }
    try folder.check(overwrites: true)
    try folder.write(job, [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["job.json", "records"])
  }

  @Test func otherFoldersAreNotTouched() throws {
    let place = try TestPlace()
    try place.write("notes.txt", "mine")
    let folder = FarmFolder(place.path)
    let error = #expect(throws: RenderError.self) { try folder.check(overwrites: false) }
    #expect(error?.code == .cannotWrite)
    try folder.check(overwrites: true)
    #expect(throws: RenderError.self) { try FarmFolder("\(place.path)/notes.txt").check(overwrites: true) }
  }

  @Test func whatIsNoJobIsRefused() throws {
    let place = try TestPlace()
    let none = #expect(throws: RenderError.self) { try FarmFolder(place.path).job() }
    #expect(none?.code == .missingInput)
    try place.write("job.json", "{}")
    let damaged = #expect(throws: RenderError.self) { try FarmFolder(place.path).job() }
    #expect(damaged?.code == .invalidInput)
  }
}
