internal import Etalon
package import EtalonDiagnostics

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

  /// Finds out what an option names.
  package init(option: String?) throws(RenderError) {
    self.init(option: option, try DeviceFacts(option))
  }

  init(option: String?, _ facts: DeviceFacts) {
    self.init(option: option, backend: facts.backend, device: facts.name, driver: facts.driver, driverVersion: facts.driverVersion)
  }

  /// Whether it gives the same bits on every machine: Etalon's own executor, without errors that it makes on purpose.
  package var isReference: Bool {
    let errors = ["last-place", "specification", "undefined", "sampling"]
    return backend == "cpu" && !errors.contains { (option ?? "").contains($0) }
  }

  /// The same device as an option, with passes cut into pieces that change which workgroup and which invocation a pixel has, done from the last to the
  /// first.
  var rearranged: String {
    let name = option ?? backend
    guard backend == "cpu" else { return name.contains(":tiles=") ? name : "\(name):\(Self.tiles)" }
    return "\(name)\(name.contains(":") ? "," : ":")\(Self.tiles),threads=3,instructions=baseline"
  }

  /// No side of a workgroup divides both.
  private static let tiles = "tiles=24x12"

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
