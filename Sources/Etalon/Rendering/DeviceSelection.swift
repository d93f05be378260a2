internal import EtalonCPU
package import EtalonDiagnostics
internal import EtalonPlan
package import EtalonTypes
internal import EtalonVulkan

/// The executor that renders, and how it was chosen.
enum DeviceSelection: Sendable {
  case cpu(CPUBackend)
  case vulkan(VulkanBackend)

  /// What `--device` calls the preferred Vulkan device.
  fileprivate static let vulkanName = "vulkan"

  /// Opens the device that a text names: `cpu`, `vulkan`, or the number or a part of the name of a Vulkan device.
  ///
  /// Behind a colon there may be options: `vulkan:tiles=24x12`.
  ///
  /// Without a text a graphics unit comes first; on a machine that has none, Etalon's own executor: it needs less time than a software driver
  /// and gives the same bits everywhere.
  init(_ text: String?, timeout: Duration?) throws(RenderError) {
    var vulkan = VulkanBackend.Options(timeout: timeout)
    if let text {
      if let options = try CPUBackend.Options(deviceText: text, timeout: timeout) {
        self = .cpu(CPUBackend(options))
      } else {
        let name = try vulkan.read(optionsOf: text)
        do throws(RenderError) {
          self = .vulkan(try VulkanBackend(name == Self.vulkanName ? .preferred : DeviceChoice(name), options: vulkan))
        } catch {
          throw Self.guess(name).map { error.adding(help: "did you mean '\($0)'?") } ?? error
        }
      }
    } else if let devices = try? VulkanDevices(validationLog: vulkan.validates ? ValidationLog() : nil), devices.hasGraphicsUnit {
      self = .vulkan(try VulkanBackend(.preferred, of: devices, options: vulkan))
    } else {
      self = .cpu(CPUBackend(.init(timeout: timeout)))
    }
  }

  /// What a person probably meant by a name that no device has: options behind a colon do not count.
  private static func guess(_ text: String) -> String? {
    let name = text.prefix { $0 != ":" }
    guard name != vulkanName, name != DeviceList.cpuName, Int(name) == nil else { return nil }
    if name.lowercased() == "gpu" { return vulkanName }
    let devices = DeviceList.options().map(\.name)
    let parts = devices.flatMap { $0.split(separator: " ").filter { $0.first?.isLetter ?? false } }.map(String.init)
    return NearestName.find(String(name), in: [DeviceList.cpuName, vulkanName] + devices + parts)
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
  fileprivate var isGraphicsUnit: Bool { unusableBecause == nil && kind != .cpu }
}

extension VulkanBackend.Options {
  /// Reads what stands behind the name of a device, and returns the name; names may hold colons themselves.
  fileprivate mutating func read(optionsOf text: String) throws(RenderError) -> String {
    guard let start = text.firstRange(of: ":tiles=") else { return text }
    let sides = text[start.upperBound...]
    guard let tiles = DispatchTiles(sides) else { throw DeviceSelection.unknownTiles(sides) }
    self.tiles = tiles
    return String(text[..<start.lowerBound])
  }
}

extension RenderError {
  /// The same with something to try first.
  fileprivate func adding(help first: String) -> RenderError {
    RenderError(code, message, operation: operation, underlying: underlying, help: [first] + help, labels: labels)
  }
}

extension DeviceSelection {
  fileprivate static func unknownTiles(_ text: Substring) -> RenderError {
    RenderError(.usage, "expected two even sides for 'tiles', found '\(text)'", help: ["write 'tiles=24x12'"])
  }
}

extension CPUBackend.Options {
  /// Reads `cpu`, or `cpu:` with what the comparison of the executors needs: `cpu:last-place=3`, `cpu:contraction=1,denormals=flush`,
  /// `cpu:steps=65535`, `cpu:threads=1,instructions=baseline`.
  ///
  /// Nil for a text that names no CPU executor.
  fileprivate init?(deviceText text: String, timeout: Duration?) throws(RenderError) {
    self.init(timeout: timeout)
    if text == DeviceList.cpuName { return }
    guard text.hasPrefix("\(DeviceList.cpuName):") else { return nil }
    for word in text.dropFirst(DeviceList.cpuName.count + 1).split(separator: ",", omittingEmptySubsequences: false) {
      if let perturbation = Perturbation(word) {
        guard perturbations[perturbation.kind] == nil else {
          throw RenderError(.usage, "the CPU executor is told '\(perturbation.kind.rawValue)' twice", help: ["keep one of them"])
        }
        perturbations.append(perturbation)
      } else if word == "denormals=keep" {
        continue
      } else if word.hasPrefix("steps="), let steps = Int(word.dropFirst(6)), steps > 0 {
        stepLimit = steps
      } else if word.hasPrefix("threads="), let threads = Int(word.dropFirst(8)), (1...256).contains(threads) {
        threadCount = threads
      } else if word.hasPrefix("instructions="), let set = InstructionSet(rawValue: String(word.dropFirst(13))), set.isSupported {
        instructionSet = set
      } else if word.hasPrefix("tiles=") {
        guard let tiles = DispatchTiles(word.dropFirst(6)) else { throw DeviceSelection.unknownTiles(word.dropFirst(6)) }
        self.tiles = tiles
      } else {
        throw RenderError(
          .usage, "the CPU executor has no option '\(word)'",
          help: [
            "its options are last-place=SEED, specification=SEED, undefined=SEED, sampling=SEED, contraction=SEED, association=SEED, "
              + "denormals=flush, steps=NUMBER, threads=NUMBER, tiles=WIDTHxHEIGHT and instructions=baseline, as in '--device cpu:steps=65535'"
          ])
      }
    }
  }
}

// MARK: devices for people

/// The devices that can render, as text for a person.
package enum DeviceList {
  /// What `--device` calls Etalon's own executor.
  package static let cpuName = "cpu"

  /// What would be used and why, then Etalon's own executor and every Vulkan device with what it lacks.
  ///
  /// A machine without Vulkan has the executor alone; the text then says why there is nothing else.
  package static func text() -> String {
    do throws(RenderError) {
      let devices = try VulkanDevices.list()
      return choice(devices) + "\n\n" + executor + "\n" + devices.map(text).joined(separator: "\n")
    } catch {
      return choice([]) + "\n\n" + executor + "\nNo Vulkan device: \(error.message)\n" + error.help.map { "   help      \($0)\n" }.joined()
    }
  }

  /// What `--device` calls Etalon's own executor and every Vulkan device, each with its name.
  package static func options() -> [(option: String, name: String)] {
    let devices = (try? VulkanDevices.list()) ?? []
    return [(DeviceList.cpuName, CPUBackend().deviceName)] + devices.map { ("\($0.index)", $0.name) }
  }

  private static func choice(_ devices: [DeviceDescription]) -> String {
    if let preferred = devices.first, preferred.isGraphicsUnit {
      return "Without --device, device \(preferred.index) is used: graphics units come first."
    }
    let reason = "there is no graphics unit, and Etalon's own executor needs less time than a software driver"
    return "Without --device, '\(DeviceList.cpuName)' is used: \(devices.isEmpty ? "there is no Vulkan device" : reason)."
  }

  private static var executor: String {
    """
    \(DeviceList.cpuName)  \(CPUBackend().deviceName)
       kind      Etalon's own executor: the same bits on every machine

    """
  }

  private static func text(_ device: DeviceDescription) -> String {
    let heaps = device.memoryHeaps.map { "\(gibibytes($0.byteCount)) GiB\($0.isDeviceLocal ? " on the device" : "")" }
    var out = "\(device.index)  \(device.name)\n"
    out += "   kind      \(device.kind == .cpu ? "software driver" : device.kind.rawValue)\n"
    out += "   driver    \(device.driverName) \(device.driverVersion), Vulkan \(device.apiVersion)\n"
    out += "   memory    \(heaps.joined(separator: ", "))\n"
    out += "   limits    pictures up to \(device.limits.maxTextureSide) pixels a side as inputs, "
    out += "outputs in bands of \(device.limits.maxStorageBufferByteCount >> 20) MiB, subgroups of \(device.subgroupSize)\n"
    if let reason = device.unusableBecause { out += "   unusable  \(reason)\n" }
    for feature in device.missingFeatures { out += "   missing   \(feature.name): \(feature.cost)\n" }
    for note in device.notes { out += "   note      \(note)\n" }
    return out
  }

  private static func gibibytes(_ bytes: Int) -> String {
    let tenths = (bytes * 10) >> 30
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// What a device calls itself, to tell devices apart.
package struct DeviceFacts: Sendable, Hashable {
  /// What Etalon's own executor is called.
  package static let cpuName = "CPU executor"

  /// `cpu` or `vulkan`.
  package let backend: String
  package let name: String
  package let driver: String
  package let driverVersion: String
  /// How finely it filters textures.
  package let samplerPrecision: SamplerPrecision

  /// Whether an option makes Etalon's own executor do something differently on purpose.
  package static func makesErrors(_ option: String) -> Bool {
    option.split { $0 == ":" || $0 == "," }.contains { Perturbation($0) != nil }
  }

  /// Opens the device that `--device` would open; nil chooses.
  package init(_ option: String?) throws(RenderError) {
    switch try DeviceSelection(option, timeout: nil) {
    case .cpu:
      (backend, name, driver, driverVersion) = (DeviceList.cpuName, Self.cpuName, "etalon", EtalonVersion.current)
      samplerPrecision = .usual
    case .vulkan(let opened):
      let facts = opened.description
      (backend, name, driver, driverVersion) = (DeviceSelection.vulkanName, facts.name, facts.driverName, facts.driverVersion)
      samplerPrecision = facts.limits.samplerPrecision
    }
  }
}
