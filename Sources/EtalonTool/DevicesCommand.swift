import ArgumentParser
import Etalon

/// `etalon devices`: what would be used, and why.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Lists the devices that can render, the preferred one first, with what they lack.")

  func run() throws {
    StandardOutput.write(DeviceList.text())
  }
}
