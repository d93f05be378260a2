import ArgumentParser

/// The devices that programs are compared on, as a list: `cpu,vulkan`.
struct Devices: ExpressibleByArgument, CustomStringConvertible {
  let usesCPU: Bool
  let usesVulkan: Bool

  init(usesCPU: Bool, usesVulkan: Bool) { (self.usesCPU, self.usesVulkan) = (usesCPU, usesVulkan) }

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ ["cpu", "vulkan"].contains($0) }) else { return nil }
    self.init(usesCPU: names.contains("cpu"), usesVulkan: names.contains("vulkan"))
  }

  var description: String { [usesCPU ? "cpu" : nil, usesVulkan ? "vulkan" : nil].compactMap(\.self).joined(separator: ",") }

  /// Everything that a program is run on there.
  ///
  /// - Parameter part: what the names of subjects have to hold; nil for all of them.
  func trial(only part: String? = nil) throws -> Trial {
    let all = (usesCPU ? Subject.executor : []) + (usesVulkan ? [.vulkan] : [])
    let subjects = part.map { part in all.filter { $0.name.contains(part) } } ?? all
    guard !subjects.isEmpty else {
      throw ValidationError(
        "nothing to run on has '\(part ?? "")' in its name; there are: \(all.map { "'\($0.name)'" }.joined(separator: ", "))")
    }
    return Trial(laboratory: try Laboratory(usesVulkan: usesVulkan), subjects: subjects)
  }
}
