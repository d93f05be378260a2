internal import CVulkan
internal import EtalonDiagnostics

/// Owns one `VkEvent` for each pass of a frame slot, set when the pass is complete: so a time-out can name the pass that did not end.
@safe
final class PassMarks: @unchecked Sendable {
  private let device: Device
  private var events: [VkEvent?] = unsafe []

  init(count: Int, on device: Device) throws(RenderError) {
    self.device = device
    for _ in 0..<count {
      var info = unsafe VkEventCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO
      var event: VkEvent?
      try check(unsafe device.vk.pointee.CreateEvent(device.handle, &info, nil, &event), "vkCreateEvent", "cannot watch the passes")
      unsafe events.append(event)
    }
  }

  /// Forgets the frame before; no submission may be running.
  func reset() {
    for index in unsafe events.indices { _ = unsafe device.vk.pointee.ResetEvent(device.handle, events[index]) }
  }

  /// Records that a pass is complete.
  func recordEnd(of pass: Int, _ commands: CommandBuffer) {
    unsafe device.vk.pointee.CmdSetEvent(commands.handle, events[pass], VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.rawValue)
  }

  /// The first pass that is not complete.
  var firstUnfinished: Int? {
    unsafe events.firstIndex { unsafe device.vk.pointee.GetEventStatus(device.handle, $0) != VK_EVENT_SET }
  }

  deinit {
    guard !device.isAbandoned else { return }
    for index in unsafe events.indices { unsafe device.vk.pointee.DestroyEvent(device.handle, events[index], nil) }
  }
}
