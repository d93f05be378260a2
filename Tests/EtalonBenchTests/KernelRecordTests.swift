import CLaneKernels
import EtalonCPU
import Foundation
import Testing

@testable import EtalonBench

/// The record of how long lane kernels take is complete and readable; nothing is timed here.
@Suite struct KernelRecordTests {
  private static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Benchmarks/kernel-ratios.txt").path

  @Test func everyOperationHasACase() {
    let covered = Set(LaneKernelCase.all.map(\.operation.rawValue))
    let missing = (0..<LANE_OP_COUNT.rawValue).filter { !covered.contains($0) }.map { LaneKernelCase.name(of: lane_op(rawValue: $0)) }
    #expect(missing.isEmpty, "describe how to time these in LaneKernelCase.swift")
  }

  @Test func namesAreDistinct() {
    let names = LaneKernelCase.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(LaneKernelCase.unit.name == "fadd vv")
  }

  @Test func everyKernelHasARecordedRatio() throws {
    let record = try KernelRecord(text: String(contentsOfFile: Self.path, encoding: .utf8))
    let names = Set(LaneKernelCase.all.map(\.name))
    let incomplete = names.filter { record.ratios[$0]?.count != 3 }.sorted()
    #expect(incomplete.isEmpty, "type 'etalon-bench kernels --record' on a machine with AVX-512")
    #expect(record.ratios.keys.filter { !names.contains($0) }.sorted() == [], "recorded, but no kernels")
  }

  @Test func theTextIsReadAsItWasWritten() throws {
    var record = KernelRecord()
    record.set(1.25, of: "fadd vs", .avx2)
    record.set(40, of: "sample_2d linear-clamp", .baseline)
    let text = record.text(["fadd vs", "sample_2d linear-clamp"])
    let read = try KernelRecord(text: text)
    #expect(read.ratios == record.ratios)
    #expect(throws: BenchmarkError.self) { try KernelRecord(text: "fadd vv 1.00 fast 1.00\n") }
    #expect(throws: BenchmarkError.self) { try KernelRecord(text: "fadd 1.00\n") }
  }
}
