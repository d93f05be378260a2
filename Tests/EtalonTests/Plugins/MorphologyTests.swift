import Etalon
import EtalonTypes
import Foundation
import Testing

/// The filters of `Plugins/morphology` find the extremes of squares of any size.
@Suite struct MorphologyTests {
  /// The extremes of lines of pixels, straight by their definition.
  private func extremes(_ pixels: [[ExactColor]], radius: Int, _ better: (ExactColor, ExactColor) -> ExactColor) -> [[ExactColor]] {
    let rows = pixels.map { row in row.indices.map { x in row[max(x - radius, 0)...min(x + radius, row.count - 1)].reduce(row[x], better) }
    }
    return rows.indices.map { y in
      let lines = rows[max(y - radius, 0)...min(y + radius, rows.count - 1)]
      return rows[y].indices.map { x in lines.reduce(rows[y][x]) { better($0, $1[x]) } }
    }
  }

  @Test(arguments: [0, 1, 3, 7, 8, 13, 40, 100]) func squaresOfAnySizeAreExact(radius: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.picture("hard.png", HardPicture.size, HardPicture.color)
    for (filter, better) in [("minimum", pointwiseMin), ("maximum", pointwiseMax)] as [(String, (ExactColor, ExactColor) -> ExactColor)] {
      let exact = extremes(HardPicture.pixels, radius: radius, better)
      for device in TestDevice.allCases {
        var shot = TestShot(plugin: "morphology/\(filter)", on: device, ["inputImage": path], ["radius": "\(radius)"])
        shot.request.bits = 16
        let difference = try shot.picture().firstDifference(over: 2.0 / 65535) { x, y in exact[y][x].straight }
        #expect(difference == nil, "\(filter) on \(device)")
      }
    }
  }
}
