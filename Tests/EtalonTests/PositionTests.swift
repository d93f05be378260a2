import Etalon
import EtalonTypes
import Testing

/// Where pixels are, and what differences between them are.
@Suite struct PositionTests {
  @Test(arguments: TestDevice.allCases, [Size(64, 64), Size(65, 33), Size(1, 1)])
  func positionsArePixelCentersFromTheBottomLeft(device: TestDevice, size: Size) throws {
    let picture = try TestShot("gradient", on: device, size: size).picture()
    #expect(picture.firstDifference { x, y in [byte((Double(x) + 0.5) / 256), byte((Double(y) + 0.5) / 256), 0, 255] } == nil)
  }

  @Test(arguments: TestDevice.allCases) func checker(device: TestDevice) throws {
    let picture = try TestShot("checker", on: device).picture()
    #expect(
      picture.firstDifference { x, y in
        let value = (x / 8 + y / 8) % 2 * 255
        return [value, value, value, 255]
      } == nil)
  }

  @Test(arguments: TestDevice.allCases, [Size(64, 64), Size(63, 61)])
  func slopesOfALinearFunction(device: TestDevice, size: Size) throws {
    let picture = try TestShot("linear-derivatives", on: device, size: size).picture()
    #expect(picture.firstDifference { _, _ in [byte(3.0 / 8), byte(5.0 / 8), byte(8.0 / 16), 255] } == nil)
  }

  @Test(arguments: TestDevice.allCases, [Size(64, 64), Size(63, 61)])
  func slopesAreDifferencesWithinAQuad(device: TestDevice, size: Size) throws {
    let picture = try TestShot("quadratic-derivatives", on: device, size: size).picture()
    #expect(
      picture.firstDifference { x, y in
        let (across, up) = (x / 2 * 4 + 2, y / 2 * 4 + 2)
        return [across, up, byte(Double(across + up) / 510), 255]
      } == nil)
  }
}
