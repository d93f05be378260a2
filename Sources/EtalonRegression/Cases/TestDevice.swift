internal import Etalon
package import EtalonDiagnostics
internal import EtalonGraph

/// A device as cases see it: by the names that conditions and references use.
package struct TestDevice: Sendable, Hashable, Codable {
  /// What `--device` says; nil lets Etalon choose.
  package var option: String?
  /// `cpu` or `vulkan`.
  package var backend: String
  /// What the device calls itself.
  package var device: String
  package var driver: String
  package var driverVersion: String

  static let backends = ["cpu", "vulkan"]

  package init(option: String?, backend: String, device: String, driver: String, driverVersion: String) {
    (self.option, self.backend, self.device, self.driver, self.driverVersion) = (option, backend, device, driver, driverVersion)
  }

  /// Finds the device that an option names.
  package init(option: String?) throws(RenderError) {
    self.init(option: option, try DeviceFacts(option))
  }

  init(option: String?, _ facts: DeviceFacts) {
    self.init(option: option, backend: facts.backend, device: facts.name, driver: facts.driver, driverVersion: facts.driverVersion)
  }

  /// Whether it gives the same bits on every machine: Etalon's own executor, without errors that it makes on purpose.
  package var isReference: Bool {
    backend == "cpu" && !DeviceFacts.makesErrors(option ?? "")
  }

  /// Whether it gives what another one gives: it is the same, and makes the same errors on purpose.
  func isSame(as other: TestDevice) -> Bool {
    let hasSameErrors = isReference == other.isReference && (isReference || backend != "cpu" || option == other.option)
    return backend == other.backend && device == other.device && hasSameErrors
  }

  /// The same device as an option, with passes cut in another way.
  ///
  /// - Parameter tiles: `10x6`.
  func cut(_ tiles: String) -> String {
    let name = option ?? backend
    return "\(name)\(backend == "cpu" && name.contains(":") ? "," : ":")tiles=\(tiles)"
  }

  /// The same device as an option, with passes cut into pieces that change which workgroup and which invocation a pixel has, done from the last to the
  /// first.
  var rearranged: String {
    if option?.contains("tiles=") ?? false { return option ?? backend }
    // No side of a workgroup divides both.
    return cut("24x12") + (backend == "cpu" ? ",threads=3,instructions=baseline" : "")
  }

  func text(of property: DeviceCondition.Property) -> String {
    switch property {
    case .backend: backend
    case .device: device
    case .driver: driver
    case .driverVersion: driverVersion
    }
  }

  /// What may stand behind `@` in the names of references for this device, the most special first.
  var referenceKeys: [ReferenceKey] {
    var keys: [ReferenceKey] = []
    for key in [device, driver, backend].compactMap({ ReferenceKey($0) }) where !keys.contains(key) { keys.append(key) }
    return keys
  }
}

extension TestDevice {
  /// Finds the device that a case names as its reference; an error has the place of the word.
  init(named word: GraphText.Word) throws(RenderError) {
    do throws(RenderError) { try self.init(option: word.text) } catch {
      let names = Self.backends + DeviceList.options().map(\.name)
      // Options behind a colon, and devices that this machine has none of, are told well as they are.
      let isName = !word.text.contains(":") && !names.contains(word.text)
      let hasGuess = error.help.first?.hasPrefix("did you mean") ?? false
      let picture = "a picture is named with its ending: 'reference: \(word.text).png'"
      throw RenderError(
        error.code, error.message, operation: error.operation, underlying: error.underlying,
        help: (isName && !hasGuess ? [picture] : []) + error.help,
        labels: [word.label("not a device here")])
    }
  }
}
