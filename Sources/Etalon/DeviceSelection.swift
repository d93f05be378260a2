internal import EtalonCPU
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonVulkan

/// The executor that renders, and how it was chosen.
enum DeviceSelection: Sendable {
  case cpu(CPUBackend)
  case vulkan(VulkanBackend)

  /// What `--device` calls Etalon's own executor.
  static let cpuName = "cpu"

  /// What `--device` calls the preferred Vulkan device.
  static let vulkanName = "vulkan"

  /// Opens the device that a text names: `cpu`, `vulkan`, or the number or a part of the name of a Vulkan device.
  ///
  /// Without a text a graphics unit comes first; on a machine that has none, Etalon's own executor: it needs less time than a software driver
  /// and gives the same bits everywhere.
  init(_ text: String?, timeout: Duration?) throws(RenderError) {
    let vulkan = VulkanBackend.Options(timeout: timeout)
    if text == Self.vulkanName {
      self = .vulkan(try VulkanBackend(options: vulkan))
    } else if let text {
      if let options = try CPUBackend.Options(deviceText: text, timeout: timeout) {
        self = .cpu(CPUBackend(options))
      } else {
        self = .vulkan(try VulkanBackend(DeviceChoice(text), options: vulkan))
      }
    } else if let devices = try? VulkanDevices(validationLog: vulkan.validates ? ValidationLog() : nil), devices.hasGraphicsUnit {
      self = .vulkan(try VulkanBackend(.preferred, of: devices, options: vulkan))
    } else {
      self = .cpu(CPUBackend(.init(timeout: timeout)))
    }
  }

  var backend: any Backend {
    switch self {
    case .cpu(let backend): backend
    case .vulkan(let backend): backend
    }
  }

  /// Throws when a validation layer that was asked for had anything to say.
  func checkValidation() throws(RenderError) {
    if case .vulkan(let backend) = self { try backend.checkValidation() }
  }
}

extension VulkanDevices {
  /// Whether the preferred device is more than a software driver.
  fileprivate var hasGraphicsUnit: Bool { descriptions.first?.isGraphicsUnit ?? false }
}

extension DeviceDescription {
  /// Whether it can be used and is more than a software driver.
  var isGraphicsUnit: Bool { unusableBecause == nil && kind != .cpu }
}

extension CPUBackend.Options {
  /// Reads `cpu`, or `cpu:` with what the comparison of the executors needs: `cpu:last-place=3`, `cpu:specification=1`, `cpu:steps=65535`,
  /// `cpu:threads=1,instructions=baseline`.
  ///
  /// Nil for a text that names no CPU executor.
  fileprivate init?(deviceText text: String, timeout: Duration?) throws(RenderError) {
    self.init(timeout: timeout)
    if text == DeviceSelection.cpuName { return }
    guard text.hasPrefix("\(DeviceSelection.cpuName):") else { return nil }
    for word in text.dropFirst(DeviceSelection.cpuName.count + 1).split(separator: ",", omittingEmptySubsequences: false) {
      if let perturbation = Perturbation(word) {
        self.perturbation = perturbation
      } else if word.hasPrefix("steps="), let steps = Int(word.dropFirst(6)), steps > 0 {
        stepLimit = steps
      } else if word.hasPrefix("threads="), let threads = Int(word.dropFirst(8)), (1...256).contains(threads) {
        threadCount = threads
      } else if word.hasPrefix("instructions="), let set = InstructionSet(rawValue: String(word.dropFirst(13))), set.isSupported {
        instructionSet = set
      } else {
        throw RenderError(
          .usage, "the CPU executor has no option '\(word)'",
          help: [
            "its options are last-place=SEED, specification=SEED, undefined=SEED, sampling=SEED, steps=NUMBER, threads=NUMBER and "
              + "instructions=baseline, as in '--device cpu:steps=65535'"
          ])
      }
    }
  }
}
