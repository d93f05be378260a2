import EtalonDiagnostics
import EtalonPlan
import EtalonSystem
import EtalonTypes
import Glibc
import Testing

@testable import EtalonVulkan

/// Kernels that take too long.
///
/// Each test runs in a process of its own, which then ends at once although the device is still busy.
@Suite struct TimeoutTests {
  /// 60,000 iterations of 512 operations for each of a million pixels: hours on a processor.
  private static let longBody = """
    #define OPS1 x = fract(x * 1.37 + 0.1);
    #define OPS8 OPS1 OPS1 OPS1 OPS1 OPS1 OPS1 OPS1 OPS1
    #define OPS64 OPS8 OPS8 OPS8 OPS8 OPS8 OPS8 OPS8 OPS8
    float x = position.x;
    for (int i = 0; i < 60000; i++) { OPS64 OPS64 OPS64 OPS64 OPS64 OPS64 OPS64 OPS64 }
    color = vec4(x);

    """

  /// Renders two frames and ends the process with the exit code of what came of it, as a command would.
  private static func renderAndExit() {
    do {
      let backend = try makeBackend(timeout: .milliseconds(300))
      let plan = try PlanChecker().check(TestKernels.generator("forever.image", size: Size(1024, 1024), longBody))
      let execution = try backend.prepare(plan, imports: [], framesInFlight: 3)
      let frames = try (7...8).map { try execution.submit(FrameValues(frame: $0, uniforms: [[]])) }
      do throws(RenderError) {
        try frames[1].wait()
      } catch {
        // Everything that is dropped from here on must not touch the device.
        for frame in frames { frame.release() }
        let again = #expect(throws: RenderError.self) { try execution.submit(FrameValues(frame: 9, uniforms: [[]])) }
        printError(error.text + (again?.text ?? ""))
        _exit(ExitCode(error.code).rawValue)
      }
      _exit(0)
    } catch {
      printError("\(error)\n")
      _exit(1)
    }
  }

  @Test func anEndlessKernelIsGivenUp() async throws {
    let result = await #expect(processExitsWith: .exitCode(75), observing: [\.standardErrorContent]) { Self.renderAndExit() }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("error: frame 7 in pass 'image' ('forever.image') took longer than 300 ms\n"))
    #expect(text.contains("was given up after a time-out"))
  }

  /// Ends the process with the exit code of what came of the first frame when the process was to end, then of the next one.
  private static func renderAndInterrupt() {
    do {
      let backend = try makeBackend()
      let plan = try PlanChecker().check(TestKernels.generator("forever.image", size: Size(1024, 1024), longBody))
      let execution = try backend.prepare(plan, imports: [], framesInFlight: 3)
      let cancellation = Cancellation(endsProcess: true)
      let frames = try (0...1).map { number in
        var values = FrameValues(frame: number, uniforms: [[]])
        values.cancellation = cancellation
        return try execution.submit(values)
      }
      cancellation.cancel()
      let errors = frames.map { frame in #expect(throws: RenderError.self) { try frame.wait() } }
      let third = #expect(throws: RenderError.self) { try execution.submit(FrameValues(frame: 2, uniforms: [[]])) }
      printError((errors + [third]).map { $0?.text ?? "" }.joined())
      _exit((errors + [third]).allSatisfy { $0?.code == .interrupted } ? 130 : 1)
    } catch {
      printError("\(error)\n")
      _exit(1)
    }
  }

  @Test func allThatWaitsForAnInterruptedDeviceIsInterrupted() async throws {
    let result = await #expect(processExitsWith: .exitCode(130), observing: [\.standardErrorContent]) { Self.renderAndInterrupt() }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("frame 0 in pass 'image' ('forever.image') was to end early"))
    #expect(text.contains("was given up, because the program was to end"))
  }

  @Test func aTaskThatIsNotDoneInTime() throws {
    let task = try ThreadTask { sleep(3600) }
    #expect(task.wait(within: .milliseconds(10)) == nil)
    #expect(try ThreadTask { 7 }.wait(within: nil) == 7)
  }
}
