import EtalonDiagnostics
import EtalonPlan
import EtalonTypes
import Glibc
import Testing

@testable import EtalonVulkan

/// Where things lie: in blocks of memory, in the uniform buffer, in the cache on disk.
@Suite struct MemoryTests {
  @Test func rangesAreTakenAlignedAndMergedAgain() {
    var free = FreeRanges(byteCount: 100)
    #expect(free.take(10, alignment: 1) == 0)
    #expect(free.take(20, alignment: 16) == 16)
    #expect(free.ranges == [10..<16, 36..<100])
    #expect(free.take(65, alignment: 1) == nil)
    #expect(free.take(6, alignment: 2) == 10)
    free.give(0..<10)
    free.give(16..<36)
    #expect(free.ranges == [0..<10, 16..<100])
    #expect(!free.isAllFree)
    free.give(10..<16)
    #expect(free.isAllFree)
  }

  @Test func uniformBlocksStartAligned() throws {
    let kernels = try [4, nil, 20].map { size in
      try TestKernels.make("k", "void main() {}", resources: [], uniformSize: size)
    }
    let plan = Plan(
      textures: [], outputs: [], kernels: kernels,
      passes: [0, 1, 2, 0].map { Plan.Pass(name: "p", kernel: $0, size: Size(1, 1), bindings: [:]) })
    let layout = UniformLayout(of: plan.passes, in: plan, alignment: 64)
    #expect(layout.offsets == [0, 64, 64, 128])
    #expect(layout.byteCount == 144)
  }

  @Test func tooMuchMemory() throws {
    let picture = try TestKernels.generator("huge", size: Size(1 << 20, 1 << 20), "color = vec4(1);")
    let error = #expect(throws: RenderError.self) { try render(picture) }
    #expect(error?.code == .outOfMemory)
    #expect(error?.message.hasPrefix("a frame takes 4194304 MiB, and '") == true)
  }

  @Test func cacheFilesThatWereChangedAreDropped() throws {
    let folder = "/tmp/etalon-cache-test-\(getpid())/a/b"
    let file = PipelineCacheFile(folder: folder, name: "device.bin", key: "device")
    defer {
      for path in ["\(folder)/device.bin", folder, "/tmp/etalon-cache-test-\(getpid())/a", "/tmp/etalon-cache-test-\(getpid())"] {
        unsafe remove(path)
      }
    }
    #expect(file.load() == nil)
    let data = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    file.store(data)
    #expect(file.load() == data)
    #expect(PipelineCacheFile(folder: folder, name: "device.bin", key: "another device").load() == nil)
    let handle = unsafe open("\(folder)/device.bin", O_WRONLY)
    unsafe pwrite(handle, [UInt8(1)], 1, 500)
    close(handle)
    #expect(file.load() == nil)
    file.store(data)
    unsafe truncate("\(folder)/device.bin", 300)
    #expect(file.load() == nil)
    PipelineCacheFile(folder: "/proc/nowhere", name: "device.bin", key: "device").store(data)
  }
}
