import CVulkan
import EtalonDiagnostics
import Testing

@testable import EtalonVulkan

/// What became of the device when a call fails.
@Suite struct ResultCodeTests {
  @Test(arguments: [
    (-4, RenderError.Code.deviceLost), (-1, .outOfMemory), (-2, .outOfMemory), (-10, .outOfMemory), (-5, .outOfMemory),
    (-9, .noDevice), (-13, .tryAgain), (-77_777, .tryAgain),
  ]) func codesOfTheDriverAreOurs(result: Int, code: RenderError.Code) throws {
    let error = #expect(throws: RenderError.self) {
      try check(VkResult(rawValue: Int32(result)), "vkQueueSubmit", "cannot submit a frame")
    }
    #expect(error?.code == code)
  }

  @Test func whatIsNoErrorPasses() throws {
    for result in [VK_SUCCESS, VK_NOT_READY, VK_TIMEOUT] { try check(result, "vkWaitSemaphores", "cannot wait") }
  }
}
