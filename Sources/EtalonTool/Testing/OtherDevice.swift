import Etalon
import EtalonDiagnostics
import EtalonRegression
import EtalonTypes

/// Says of cases that are compared with the device that they ran on what to type, so that they are compared with something.
struct OtherDevice {
  private let results: TestResults

  init(_ results: TestResults) { self.results = results }

  /// Empty where there is no such case.
  var lines: [String] {
    let count = results.cases.count { $0.skip == .ownReference }
    guard count > 0 else { return [] }
    let cases = count.of("case is", "cases are")
    return ["\(cases) compared with nothing: '\(results.device.device)' is the reference, and ran as the device, too", "  \(advice)"]
  }

  private var advice: String {
    guard results.device.backend == "cpu" else { return command(on: "cpu") }
    do throws(RenderError) {
      _ = try TestDevice(option: "vulkan")
      return command(on: "vulkan")
    } catch {
      return "run it where another device is; here is none: \(error.message)"
    }
  }

  private func command(on device: String) -> String {
    let only = results.selected?.only.map { ["--only", $0] } ?? []
    return "type: etalon test \((results.paths + only + ["--device", device]).map { ShellWord.quoted($0) }.joined(separator: " "))"
  }
}
