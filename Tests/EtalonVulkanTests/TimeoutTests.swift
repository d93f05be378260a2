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

  /// Two frames that never end are submitted; the process ends with the code of what becomes of them, as a command would.
  private static func submitAndExit(
    timeout: Duration? = nil, _ cancellation: Cancellation? = nil, _ code: (any PlanExecution, [any PendingFrame]) throws -> Int32
  ) {
    do {
      let backend = try makeBackend(timeout: timeout)
      let plan = try PlanChecker().check(TestKernels.generator("forever.image", size: Size(1024, 1024), longBody))
      let execution = try backend.prepare(plan, imports: [], framesInFlight: 3)
      let frames = try (7...8).map { number in
        var values = FrameValues(frame: number, uniforms: [[]])
        values.cancellation = cancellation
        return try execution.submit(values)
      }
      _exit(try code(execution, frames))
    } catch {
      printError("\(error)\n")
      _exit(1)
    }
  }

  private static func renderAndExit() {
    submitAndExit(timeout: .milliseconds(300)) { execution, frames in
      do throws(RenderError) {
        try frames[1].wait()
      } catch {
        // Everything that is dropped from here on must not touch the device.
        for frame in frames { frame.release() }
        let again = #expect(throws: RenderError.self) { try execution.submit(FrameValues(frame: 9, uniforms: [[]])) }
        printError(error.text + (again?.text ?? ""))
        return ExitCode(error.code).rawValue
      }
      return 0
    }
  }

  @Test func anEndlessKernelIsGivenUp() async throws {
    let result = await #expect(processExitsWith: .exitCode(75), observing: [\.standardErrorContent]) { Self.renderAndExit() }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("error: frame 7 in pass 'image' ('forever.image') took longer than 300 ms\n"))
    #expect(text.contains("was given up after a time-out"))
  }

  private static func renderAndInterrupt() {
    let cancellation = Cancellation(endsProcess: true)
    submitAndExit(cancellation) { execution, frames in
      cancellation.cancel()
      var errors = frames.map { frame in #expect(throws: RenderError.self) { try frame.wait() } }
      errors.append(#expect(throws: RenderError.self) { try execution.submit(FrameValues(frame: 9, uniforms: [[]])) })
      printError(errors.map { $0?.text ?? "" }.joined())
      return errors.allSatisfy { $0?.code == .interrupted } ? 130 : 1
    }
  }

  @Test func allThatWaitsForAnInterruptedDeviceIsInterrupted() async throws {
    let result = await #expect(processExitsWith: .exitCode(130), observing: [\.standardErrorContent]) { Self.renderAndInterrupt() }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("frame 7 in pass 'image' ('forever.image') was to end early"))
    #expect(text.contains("was given up, because the program was to end"))
  }

  @Test func aTaskThatIsNotDoneInTime() throws {
    let task = try ThreadTask { sleep(3600) }
    #expect(task.wait(within: .milliseconds(10)) == nil)
    #expect(try ThreadTask { 7 }.wait(within: nil) == 7)
  }
}
