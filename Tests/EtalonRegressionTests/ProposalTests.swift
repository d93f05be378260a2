import Etalon
import EtalonComparison
import EtalonRegression
import EtalonTypes
import Testing

/// Tolerances that cases need for devices and for errors that devices may make.
@Suite struct ProposalTests {
  private func proposal(_ name: String, _ expression: String, _ rest: String = "", records: Bool = true) throws -> CaseProposal {
    let folder = try TestFolder()
    try folder.writeFilter(name, expression)
    try folder.write("\(name)/tests/basics.yaml", "size: 16x12\n\(rest)")
    if records { _ = try folder.run(record: .missing) }
    let selection = try folder.selection("")
    let library = FilterLibrary(try LibrarySearch(named: [folder.path], environment: [:]))
    let proposer = try CaseProposer(device: "cpu", library: library, timeout: 60)
    let testCase = try #require(selection.cases.first)
    let found = try proposer.propose(testCase)
    guard found.isUseful else { return found }
    // What is proposed is what the file of cases takes, and it holds where it was measured.
    try folder.write("\(name)/tests/basics.yaml", "size: 16x12\n\(rest)\(found.lines.joined(separator: "\n"))\n")
    if records {
      for device in ["cpu", "cpu:specification=1", "cpu:last-place=2"] {
        #expect(try folder.run(device: device).verdicts == ["basics": .passed], "\(found.lines)")
      }
    }
    return found
  }

  @Test func errorsOfSinesAreBorneAndNamed() throws {
    let found = try proposal("wave", "vec4(0.5 + 0.5 * sin(6.0 * uv.x), uv, 1.0)")
    let limits = try #require(found.proposal).limits
    #expect(limits.first?.key == "channel" && limits.first?.level == 2 && limits.first?.source.hasPrefix("cpu:specification=") ?? false)
    #expect(found.devices.first == "cpu" && found.devices.contains("cpu:undefined=3"))
    #expect(found.lines.contains { $0.contains("basics.png': ") } && found.lines.contains("tolerance:"))
  }

  @Test func whatHasNoErrorsIsExact() throws {
    let found = try proposal("ramp", "vec4(position * 0.0625, 0.25, 1.0)")
    #expect(found.lines.suffix(2) == ["  channel: 0             # equal everywhere", "  alpha: { channel: 0 }  # equal everywhere"])
    #expect(found.notes == [])
  }

  @Test func hashesOfSinesHaveNoTolerance() throws {
    let found = try proposal("hash", "vec4(vec3(fract(sin(dot(position, vec2(12.9898, 78.233))) * 43758.5453)), 1.0)")
    #expect(!found.isUseful && found.proposal?.obstacle?.isNoise ?? false)
    #expect(found.findings.contains { $0.contains("hash.glsl:2: noise from a magnified sine") }, "\(found.findings)")
    #expect(found.lines.contains { $0.hasPrefix("# no tolerance makes sense: up to ") })
    #expect(found.sanitize.contains("hash/hash.glsl") && !found.lines.contains("tolerance:"))
  }

  @Test func withoutAReferenceTheCPUDeviceStandsIn() throws {
    let found = try proposal("wave", "vec4(0.5 + 0.5 * sin(6.0 * uv.x), uv, 1.0)", records: false)
    #expect(found.isUseful && found.reference == "device cpu" && found.notes.contains { $0.contains("stand in") })
  }

  @Test func floatsHaveLevelsOfTheirOwn() throws {
    let found = try proposal("wave", "vec4(8.0 + 8.0 * sin(6.0 * uv.x), uv, 1.0)", "reference: wave.exr\n")
    let channel = try #require(found.proposal?.tolerance?.channel?.fail)
    #expect(channel > 0 && channel < 0.1)
  }

  @Test func aChangeIsToldBeforeItIsBorne() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\n")
    _ = try folder.run(record: .missing)
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { level: 0.52 }\n")
    let library = FilterLibrary(try LibrarySearch(named: [folder.path], environment: [:]))
    let found = try CaseProposer(device: "cpu", library: library, timeout: 60).propose(try #require(try folder.selection("").cases.first))
    #expect(found.notes.contains { $0.contains("the CPU device does not show the reference") })
  }

  @Test func casesWithoutReferencesSaySo() throws {
    let found = try proposal("ramp", "vec4(uv, level, 1.0)", "invariants: crop\n", records: false)
    #expect(found.proposal == nil && found.notes.count == 1)
  }
}

extension CaseProposal {
  /// Whether the proposal can be taken over.
  fileprivate var isUseful: Bool { proposal?.tolerance != nil }
}
