import ArgumentParser
import Etalon
import EtalonDiagnostics
import Foundation

/// `etalon devices`: what would be used, and why.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Lists the devices that can render, the preferred one first, with what they lack.")

  func run() throws {
    let report = FailureReport(format: .text)
    do {
      StandardOutput.write(DeviceList.text(try DeviceList.devices()))
    } catch {
      throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue)
    }
  }
}
