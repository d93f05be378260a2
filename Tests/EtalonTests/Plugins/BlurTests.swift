import Etalon
import EtalonTypes
import Foundation
import Testing

/// The blurs of `Plugins/blur` come as near to exact means as they promise, whatever their width.
@Suite struct BlurTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.picture("hard.png", HardPicture.size, HardPicture.color)
  }

  private func blur(_ filter: String, on device: TestDevice, _ settings: [String: String]) throws -> TestPicture {
    var shot = TestShot(plugin: "blur/\(filter)", on: device, ["inputImage": path], settings)
    shot.request.bits = 16
    return try shot.picture()
  }

  /// The largest difference of a premultiplied channel, in levels of eight bits.
  private func error(of picture: TestPicture, _ exact: [[ExactColor]]) -> Double {
    var largest = 0.0
    for y in 0..<picture.size.height {
      for x in 0..<picture.size.width {
        let difference = picture.color(x, y).premultiplied - exact[y][x]
        largest = max(largest, difference.max(), -difference.min())
      }
    }
    return largest * 255
  }

  // MARK: gaussian-blur

  private func bell(_ sigma: Double, extends: Bool = true) -> [[ExactColor]] {
    let filter = ExactSeparableFilter(side: 64, reach: Int((8 * sigma).rounded(.up)), extends: extends) { distance in
      exp(-0.5 * Double(distance * distance) / (sigma * sigma))
    }
    return filter.filtered(HardPicture.pixels)
  }

  /// The largest errors that were measured, in levels of eight bits.
  ///
  /// They are the same on both executors. For any picture whatever the error is below 0.7.
  private static let errors = [
    (0.5, 0.01), (1.49, 0.01), (1.5, 0.17), (2, 0.3), (3.3, 0.18), (6, 0.16), (13, 0.17), (40, 0.17), (100, 0.16),
  ]

  @Test(arguments: errors) func bellsOfAnyWidthAreExact(sigma: Double, limit: Double) throws {
    let exact = bell(sigma)
    for device in TestDevice.allCases {
      let error = error(of: try blur("gaussian-blur", on: device, ["sigma": "\(sigma)"]), exact)
      #expect(error < limit, "\(error) levels on \(device)")
    }
  }

  @Test(arguments: [0.8, 4, 30]) func bellsFadeOutWhereNothingIs(sigma: Double) throws {
    let exact = bell(sigma, extends: false)
    for device in TestDevice.allCases {
      let picture = try blur("gaussian-blur", on: device, ["sigma": "\(sigma)", "edges": "transparent"])
      let error = error(of: picture, exact)
      #expect(error < 0.31, "\(error) levels on \(device)")
    }
  }

  @Test(arguments: TestDevice.allCases) func bellsWithoutWidthChangeNothing(device: TestDevice) throws {
    let picture = try blur("gaussian-blur", on: device, ["sigma": "0"])
    #expect(error(of: picture, HardPicture.pixels) < 0.01)
  }

  @Test(arguments: TestDevice.allCases, [1.0, 7, 300]) func flatPicturesStayFlat(device: TestDevice, sigma: Double) throws {
    let flat = try folder.picture("flat.png", Size(40, 24)) { _, _ in [200, 100, 50] }
    let picture = try TestShot(plugin: "blur/gaussian-blur", on: device, ["inputImage": flat], ["sigma": "\(sigma)"]).picture()
    #expect(picture.firstDifference { _, _ in [200, 100, 50, 255] } == nil)
  }

  // MARK: box-convolution

  @Test(arguments: [0, 0.25, 1, 4.5, 7.9, 8, 20.75, 100]) func boxesOfAnyWidthAreExact(radius: Double) throws {
    for (edges, extends) in [("extend", true), ("transparent", false)] {
      let filter = ExactSeparableFilter(side: 64, reach: Int(radius) + 1, extends: extends) { distance in
        min(max(radius + 1 - Double(abs(distance)), 0), 1)
      }
      let exact = filter.filtered(HardPicture.pixels)
      for device in TestDevice.allCases {
        let picture = try blur("box-convolution", on: device, ["radius": "\(radius)", "edges": edges])
        let error = error(of: picture, exact)
        #expect(error < 0.01, "\(error) levels on \(device) with edges that are \(edges)")
      }
    }
  }
}
