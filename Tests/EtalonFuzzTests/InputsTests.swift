import Foundation
import Testing

@testable import EtalonFuzz

/// Damaged files: they are the same in every run, about half of them are accepted, and nothing that they say ends the process or is a defect of Etalon.
@Suite struct InputsTests {
  private static let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path
  /// The command lies beside the tests.
  private static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "etalon-fuzz").path

  private static func temporaryFolder() -> String {
    FileManager.default.temporaryDirectory.appending(path: "etalon-inputs-\(UUID().uuidString)").path
  }

  private static func tally(
    _ kinds: [InputKind], seed: UInt64, count: Int, output: String, executable: String = executable
  ) throws -> InputTally {
    let settings = InputCampaign.Settings(
      source: source, output: output, count: count, timeLimit: nil, jobs: 2, patience: 6, executable: executable)
    return try InputCampaign(InputOrder(kinds: kinds, seed: seed), settings).run { _ in }
  }

  /// A few inputs of every kind; `Scripts/fuzz inputs` runs thousands.
  @Test func noDefects() throws {
    let output = Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: output) }
    let tally = try Self.tally(InputKind.allCases, seed: 1, count: 10 * InputKind.allCases.count, output: output)
    #expect(tally.defectCount == 0, "\(tally.text(withRefusals: false))")
    for kind in InputKind.allCases {
      let counts = try #require(tally.kinds[kind])
      #expect(counts.missing == 0 && counts.total == 10)
      #expect(counts.refused > 0 || counts.ran > 0)
      #expect(counts.ran + counts.stopped > 0, "no input of \(kind.rawValue) was accepted")
    }
    let accepted = tally.kinds.values.reduce(0) { $0 + $1.ran + $1.stopped }, total = tally.kinds.values.reduce(0) { $0 + $1.total }
    #expect((total * 35 / 100...total * 80 / 100).contains(accepted), "\(tally.text(withRefusals: true))")
  }

  @Test func inputsAreTheSameInEveryRun() throws {
    let root = Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try SpecimenTree.make(at: root, from: Self.source)
    let trees = [SpecimenTree(at: root), SpecimenTree(at: root)]
    for kind in InputKind.allCases {
      #expect(trees[0].specimens[kind]?.isEmpty == false, "there is nothing to damage for \(kind.rawValue)")
      var contents: Set<[String: [UInt8]]> = []
      for seed in 0..<8 as Range<UInt64> {
        let inputs = try trees.map { try #require(try $0.input(kind, seed: seed)).input }
        #expect(inputs[0].specimen == inputs[1].specimen && inputs[0].files == inputs[1].files)
        contents.insert(inputs[0].files)
      }
      let isMadeWhenRun = [.module, .cache, .checkpoint, .sidecar].contains(kind)
      #expect(contents.count > (isMadeWhenRun ? 0 : 6))
    }
  }

  /// Sums are right after damage, and wrong sums are seen.
  @Test func sumsAreMended() {
    var dice = Dice(seed: 3)
    var file = PNGMaker.file(&dice)
    let whole = file
    file[20] ^= 1
    let broken = file
    PNGSums.mend(&file)
    #expect(file != broken)
    file[20] ^= 1
    PNGSums.mend(&file)
    #expect(file == whole)
    #expect(PNGSums.crc(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    #expect(PNGSums.adler(Array("Wikipedia".utf8)) == 0x11E6_0398)
  }

  /// A process that dies is seen as such, and the run goes on behind the input that ended it.
  @Test func deathsAreAttributed() throws {
    let folder = Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // It runs its inputs like a worker, told how long they may take, and dies at every fifth.
    let script = """
      #!/bin/bash
      while [ $# -gt 0 ]; do
        case $1 in --first) first=$2; shift ;; --count) count=$2; shift ;; --patience) patience=$2; shift ;; esac
        shift
      done
      [ "$patience" = 6.0 ] || exit 64
      for ((i = first; i < first + count; i++)); do
        echo "b $i"
        if [ $((i % 5)) = 3 ]; then echo 'frame in etalon-fuzz at /x/Sources/EtalonMedia/PNG.swift:7:1' >&2; kill -SEGV $$; fi
        echo "e $i 100 $([ $((i % 2)) = 0 ] && echo 'ran ' || echo 'refused json.number')"
      done
      """
    let command = "\(folder)/worker"
    #expect(FileManager.default.createFile(atPath: command, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755]))
    let tally = try Self.tally([.png], seed: 7, count: 20, output: "\(folder)/output", executable: command)
    let counts = try #require(tally.kinds[.png])
    #expect(counts.defects == 4 && counts.ran == 8 && counts.refused == 8)
    #expect(tally.defects.count == 1)
    #expect(tally.defects.keys.first?.contains("signal 11 at EtalonMedia/PNG.swift:7:1") == true, "\(tally.defects.keys)")
    let note = try String(contentsOfFile: "\(folder)/output/png-10/defect.txt", encoding: .utf8)
    #expect(note.contains("etalon-fuzz inputs --kinds png --seed 10 --count 1"))
  }

  /// Libraries whose index is damaged are small, so that listing them takes no longer than an input may.
  @Test func librariesOfCachesAreSmall() {
    let names = (0..<100).map { "filter-\($0).fs" } + ["filter-42.vs", "filter-43.vs", "picture.png"]
    let chosen = InputTrial.libraryFiles(of: "filter-42.fs", among: names.reversed())
    #expect(chosen == ["filter-42.fs", "filter-42.vs", "filter-0.fs", "filter-1.fs", "filter-10.fs", "filter-11.fs", "filter-12.fs"])
    #expect(InputTrial.libraryFiles(of: "coral", among: ["coral", "halo.fs", "readme.md"]) == ["coral", "halo.fs"])
  }

  /// An outcome that the tally does not know, and kinds of which nothing is accepted or nearly everything is stopped are told.
  @Test func talliesTellWhatTestsNothing() {
    var tally = InputTally()
    for _ in 0..<50 { tally.add(.wav, .refused("invalidInput")) }
    for number in 0..<50 { tally.add(.png, number % 2 == 0 ? .ran : .refused("invalidInput")) }
    for number in 0..<50 { tally.add(.document, number < 2 ? .ran : number < 30 ? .stopped("timedOut") : .refused("graph.size")) }
    tally.add(.jpeg, nil)
    #expect(tally.idleKinds == [.document, .jpeg, .wav])
    #expect(tally.text(withRefusals: false).contains("'wav' tests nothing, 0 % are accepted"))
    #expect(tally.text(withRefusals: false).contains("'document' tests nothing, 93 % of what is accepted is stopped"))
    #expect(tally.text(withRefusals: true).contains("28  timedOut"))
    #expect(InputOutcome(line: InputOutcome.defect("a\nb").line[...]) == .defect("a b"))
  }
}
