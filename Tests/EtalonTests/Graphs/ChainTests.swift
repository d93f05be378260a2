import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// Stages as they are typed, rendered: what a pixel of the result shows of the pixels of the pictures.
@Suite struct ChainTests {
  private static let size = Size(16, 12)
  private let folder: TemporaryFolder
  private let ramp: String

  init() throws {
    folder = try TemporaryFolder()
    ramp = try folder.picture("ramp.png", Self.size) { x, y in Self.color(x, y).map { UInt8($0) } }
  }

  private static func color(_ x: Int, _ y: Int) -> [Int] { [x * 10, y * 10, 7, 255] }

  private func shot(_ stages: [String], on device: TestDevice = .cpu, size: Size? = nil) throws -> TestShot {
    var shot = TestShot("photo", on: device)
    let plugins = TestShot.folder.appending(path: "../../../Plugins").standardized.path
    let library = FilterLibrary(try LibrarySearch(named: [plugins], environment: [:]))
    let request = RenderRequest(graph: try StageParser().graph(stages.map { $0.replacing("RAMP", with: ramp) }), library: library)
    shot.request.subject = request.subject
    shot.request.size = size
    return shot
  }

  private func picture(_ stages: String..., on device: TestDevice = .cpu, size: Size? = nil) throws -> TestPicture {
    try shot(stages, on: device, size: size).picture()
  }

  @Test(arguments: TestDevice.allCases) func cropsShowTheirRectangle(device: TestDevice) throws {
    let picture = try picture("RAMP", "crop 3,2,5x4", on: device)
    #expect(picture.size == Size(5, 4))
    #expect(picture.firstDifference { x, y in Self.color(x + 3, y + 2) } == nil)
    let beyond = try self.picture("RAMP", "crop -2,10,4x4", on: device)
    #expect(beyond.firstDifference { x, y in x < 2 || y > 1 ? [0, 0, 0, 0] : Self.color(x - 2, y + 10) } == nil)
  }

  @Test(arguments: TestDevice.allCases) func padsAreTransparent(device: TestDevice) throws {
    let picture = try picture("RAMP", "pad 1,2,3,4", on: device)
    #expect(picture.size == Size(20, 18))
    #expect(
      picture.firstDifference { x, y in (1..<17).contains(x) && (2..<14).contains(y) ? Self.color(x - 1, y - 2) : [0, 0, 0, 0] } == nil)
  }

  @Test(arguments: TestDevice.allCases) func clampContinuesTheLastPixels(device: TestDevice) throws {
    let picture = try picture("RAMP | clamp | pad 2", on: device)
    #expect(picture.firstDifference { x, y in Self.color(min(max(x - 2, 0), 15), min(max(y - 2, 0), 11)) } == nil)
  }

  /// Cropping what was padded gives back what was there, and `over` puts what was cropped where it came from.
  @Test(arguments: TestDevice.allCases) func rectanglesStayWhereTheyAre(device: TestDevice) throws {
    let back = try picture("RAMP | pad 3 | crop 3,3,16x12", on: device)
    #expect(back.firstDifference { Self.color($0, $1) } == nil)
    let over = try picture("photo: RAMP", "crop 4,4,6x5", "mono", "over @photo", on: device)
    #expect(over.size == Self.size)
    let mono = try picture("RAMP", "mono", on: device)
    #expect(over.firstDifference { x, y in (4..<10).contains(x) && (4..<9).contains(y) ? mono.pixel(x, y) : Self.color(x, y) } == nil)
  }

  /// Where the first row and column of a stored picture belong, by the eight numbers of EXIF; rows count from the top here.
  @Test(arguments: TestDevice.allCases) func orientations(device: TestDevice) throws {
    let (w, h) = (Self.size.width, Self.size.height)
    let shown: [Int: (Int, Int) -> (Int, Int)] = [
      1: { ($0, $1) }, 2: { (w - 1 - $0, $1) }, 3: { (w - 1 - $0, h - 1 - $1) }, 4: { ($0, h - 1 - $1) },
      5: { ($1, $0) }, 6: { (h - 1 - $1, $0) }, 7: { (h - 1 - $1, w - 1 - $0) }, 8: { ($1, w - 1 - $0) },
    ]
    for (number, place) in shown {
      let picture = try picture("RAMP", "orient \(number)", on: device)
      #expect(picture.size == (number < 5 ? Self.size : Size(h, w)))
      for row in 0..<h {
        for column in 0..<w {
          let (x, y) = place(column, row)
          #expect(picture.pixel(x, picture.size.height - 1 - y) == Self.color(column, h - 1 - row), "orientation \(number)")
        }
      }
    }
    #expect(try picture("RAMP", "orient rotate90", on: device) == picture("RAMP", "orient 6", on: device))
  }

  @Test(arguments: TestDevice.allCases) func resizing(device: TestDevice) throws {
    let half = try picture("RAMP", "resize 1/2 filter=area", on: device)
    #expect(half.size == Size(8, 6))
    #expect(half.firstDifference { x, y in [x * 20 + 5, y * 20 + 5, 7, 255] } == nil)
    let double = try picture("RAMP", "resize 32x24 filter=nearest", on: device)
    #expect(double.firstDifference { x, y in Self.color(x / 2, y / 2) } == nil)
    let same = try picture("RAMP", "resize 16x12", on: device)
    #expect(same.firstDifference { Self.color($0, $1) } == nil)
    #expect(try picture("RAMP", "resize size=8,0", on: device).size == Size(8, 6))
  }

  /// What Lanczos gives along a side: beyond the edges the last pixels go on, but no farther than the side is long.
  private static func resized(_ levels: [Double], to count: Int) -> [Double] {
    func wave(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
    let span = Double(levels.count) / Double(count)
    return (0..<count).map { pixel in
      let center = (Double(pixel) + 0.5) * span
      var (sum, weights) = (0.0, 0.0)
      for place in -levels.count - 3..<2 * levels.count + 3 {
        let distance = (Double(place) + 0.5 - center) / max(span, 1)
        guard abs(distance) < 3 else { continue }
        let weight = wave(distance) * wave(distance / 3)
        sum += weight * levels[min(max(place, 0), levels.count - 1)]
        weights += weight
      }
      return sum / weights
    }
  }

  /// A pixel may stand for more pixels than a driver lets a loop have rounds.
  @Test(arguments: TestDevice.allCases, [Size(1, 1), Size(2, 3), Size(5, 1), Size(7, 400)])
  func resizingToFewPixels(device: TestDevice, size: Size) throws {
    let given = Size(400, 300)
    let columns: [Double] = (0..<given.width).map { Double($0 * $0 / 800) }
    let rows: [Double] = (0..<given.height).map { Double(240 - $0 * 2 / 3) }
    let large = try folder.picture("large.png", given) { x, y in [UInt8(columns[x]), UInt8(rows[y]), 128] }
    let picture = try picture(large, "resize \(size.width)x\(size.height)", on: device)
    #expect(picture.size == size)
    let (red, green) = (Self.resized(columns, to: size.width), Self.resized(rows, to: size.height))
    for y in 0..<size.height {
      for x in 0..<size.width {
        let color = picture.pixel(x, y)
        let (redError, greenError) = (Double(color[0]) - red[x], Double(color[1]) - green[y])
        #expect(redError.magnitude < 1 && greenError.magnitude < 1, "\(x), \(y)")
        #expect(color[2...] == [128, 255])
      }
    }
    let mean = try self.picture(large, "resize 1x1 filter=area", on: device).pixel(0, 0)
    let expected = (red: columns.reduce(0, +) / 400, green: rows.reduce(0, +) / 300)
    #expect((Double(mean[0]) - expected.red).magnitude < 1)
    #expect((Double(mean[1]) - expected.green).magnitude < 1)
  }

  /// The cubics of Mitchell and Netravali, of Catmull and Rom, in double precision.
  private static func cubic(_ x: Double, _ b: Double, _ c: Double) -> Double {
    let (x2, x3) = (x * x, x * x * x)
    if x < 1 { return ((12 - 9 * b - 6 * c) * x3 + (-18 + 12 * b + 6 * c) * x2 + 6 - 2 * b) / 6 }
    return x < 2 ? ((-b - 6 * c) * x3 + (6 * b + 30 * c) * x2 + (-12 * b - 48 * c) * x + 8 * b + 24 * c) / 6 : 0
  }

  @Test(arguments: zip(["mitchell", "catmull-rom"], [(1.0 / 3, 1.0 / 3), (0, 0.5)]).map { ($0, $1.0, $1.1) }, [Size(40, 3), Size(7, 9)])
  func cubicsOfResizing(filter: (name: String, b: Double, c: Double), size: Size) throws {
    let levels = (0..<16).map { Double($0 * 37 % 200 + 20) }
    let steps = try folder.picture("steps.png", Size(16, 6)) { x, _ in [UInt8(levels[x]), 0, 0] }
    let picture = try picture(steps, "resize \(size.width)x\(size.height) filter=\(filter.name)", on: .cpu)
    let span = 16 / Double(size.width)
    for x in 0..<size.width {
      let center = (Double(x) + 0.5) * span
      var (sum, weights) = (0.0, 0.0)
      for place in -32..<48 {
        let distance = abs(Double(place) + 0.5 - center) / max(span, 1)
        let weight = Self.cubic(distance, filter.b, filter.c)
        sum += weight * levels[min(max(place, 0), 15)]
        weights += weight
      }
      let error = Double(picture.pixel(x, size.height / 2)[0]) - min(max(sum / weights, 0), 255)
      #expect(error.magnitude < 1, "\(filter.name), \(x)")
    }
  }

  /// Drivers end the loops of an invocation after 65,535 rounds, which the longest sides keep to.
  @Test(arguments: ["resize 1x1", "resize 2x2", "resize 3x3", "resize 1x1 filter=area", "resize 1x2 filter=linear"], [false, true])
  func resizingLongSides(stage: String, isWide: Bool) throws {
    let long = try folder.picture("long.png", isWide ? Size(16384, 2) : Size(2, 16384)) { _, _ in [10, 20, 30] }
    var shot = try shot([long, stage])
    shot.request.device = "cpu:steps=65535"
    #expect(try shot.picture().pixel(0, 0) == [10, 20, 30, 255])
  }

  /// A part of a resized picture is computed alone, from parts of what it is made of.
  @Test(
    arguments: TestDevice.allCases,
    [
      "resize 64x48", "resize 64x12", "resize 9x7", "resize 16x40", "resize 30x9 filter=area", "resize 30x9 filter=linear",
      "resize 30x9 filter=mitchell",
    ])
  func partsOfResizedPictures(device: TestDevice, stage: String) throws {
    let whole = try picture("RAMP | pad 1 | \(stage) | pad 1", on: device)
    let part = try picture("RAMP | pad 1 | \(stage) | crop 3,2,5x4", on: device)
    #expect(part.firstDifference { x, y in whole.pixel(x + 4, y + 3) } == nil)
  }

  @Test func filtersOfResizingChangeOverTime() throws {
    var shot = try shot(["RAMP", "resize 5x3 filter=(3 - frame)"])
    shot.request.clock = ShotClock(rate: 10)
    shot.request.frames = .range(try #require(FrameRange(0...3)))
    let filters = ["lanczos", "area", "linear", "nearest"]
    #expect(try shot.pictures() == filters.map { try picture("RAMP", "resize 5x3 filter=\($0)") })
  }

  @Test func linearBetweenPixels() throws {
    let double = try picture("RAMP", "resize 32x12 filter=linear")
    // A quarter of the way between two pixels, and the last ones beyond the outermost centers.
    let expected = { (x: Int) in Int((min(max((Double(x) + 0.5) / 2 - 0.5, 0), 15) * 10).rounded(.toNearestOrEven)) }
    for x in 0..<32 { #expect(abs(double.pixel(x, 3)[0] - expected(x)) <= 1) }
  }

  /// Operations work on the picture as it is, not on the canvas that it was stretched to.
  @Test func theCanvasStretchesPictures() throws {
    #expect(try picture("RAMP", "mono", size: Size(8, 6)).size == Size(8, 6))
    #expect(try picture("RAMP", "crop 1,1,3x2", size: Size(8, 6)).size == Size(3, 2))
  }

  @Test(arguments: TestDevice.allCases) func sequencesAreStages(device: TestDevice) throws {
    for number in 1...3 {
      _ = try folder.picture("plate.000\(number).png", Size(8, 4)) { x, y in [UInt8(60 * number), UInt8(x), UInt8(y)] }
    }
    var shot = try shot(["\(folder.file("plate.####.png")) missing=hold", "pad 1", "crop 1,1,8x4"], on: device)
    shot.request.frames = .range(try #require(FrameRange(0...3)))
    #expect(try shot.pictures().map { $0.pixel(5, 2) } == [1, 2, 3, 3].map { [60 * $0, 5, 2, 255] })
  }

  @Test func outputsOfNodes() throws {
    var shot = try shot(["RAMP | crop 0,0,4x4 | small: resize 1/2 filter=area | pad 5"])
    shot.request.outputs = ["small"]
    let prepared = try shot.prepared()
    let export = SequenceExport(
      prepared,
      to: .init(
        files: [
          .init(pattern: try FramePattern(folder.file("out.png"))),
          .init(output: "small", pattern: try FramePattern(folder.file("small.png"))),
        ], contactSheet: nil)
    ) { _ in
    } isInterrupted: {
      false
    }
    _ = try export.run()
    #expect(try PictureReader().read(path: folder.file("out.png")).size == Size(12, 12))
    #expect(try PictureReader().read(path: folder.file("small.png")).size == Size(2, 2))
  }

  /// Filters over a picture whose edge pixels continue have a result as large as the picture.
  @Test func clampedPicturesDoNotGrow() throws {
    let grown = TestShot.folder.appending(path: "grown.glsl").path
    #expect(try picture("RAMP", grown).size == Size(28, 20))
    #expect(try picture("RAMP", "clamp", grown).size == Self.size)
  }
}
