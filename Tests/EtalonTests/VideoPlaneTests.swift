import EtalonGraph
import EtalonManifest
import EtalonPlan
import EtalonTestSupport
import EtalonTypes
import Testing

@testable import Etalon

/// The kernels between the planes of videos and colors, against the formulas of ITU-R BT.601, BT.709 and BT.2020 in double precision.
@Suite("planes of videos")
struct VideoPlaneTests {
  static let forms: [PlaneForm] = [
    PlaneForm(.lumaAndChroma, chromaShift: (1, 1)),
    PlaneForm(.lumaAndChroma, chromaShift: (1, 1), color: .init(matrix: .bt601, chromaLocation: .center)),
    PlaneForm(.lumaAndChroma, chromaShift: (1, 1), color: .init(matrix: .bt2020, chromaLocation: .topLeft)),
    PlaneForm(.lumaAndChroma, chromaShift: (1, 1), color: .init(chromaLocation: .top)),
    PlaneForm(.lumaAndChroma, chromaShift: (1, 1), color: .init(chromaLocation: .bottomLeft)),
    PlaneForm(.lumaAndChroma, bits: 10, chromaShift: (1, 1), color: .init(range: .full, chromaLocation: .bottom)),
    PlaneForm(.lumaAndChroma, bits: 10, chromaShift: (1, 0), hasAlpha: true),
    PlaneForm(.lumaAndChroma, bits: 12, color: .init(matrix: .smpte240)),
    PlaneForm(.lumaAndChroma, bits: 16, chromaShift: (1, 1), color: .init(matrix: .fcc)),
    PlaneForm(.lumaAndChroma, chromaShift: (2, 0), hasAlpha: true, color: .init(range: .full, matrix: .bt601)),
    PlaneForm(.lumaAndChroma, chromaShift: (2, 2)),
    PlaneForm(.luma), PlaneForm(.luma, bits: 16, hasAlpha: true, color: .init(range: .full)),
    PlaneForm(.redGreenBlue, color: .init(range: .full, matrix: .identity)),
    PlaneForm(.redGreenBlue, bits: 10, hasAlpha: true, color: .init(range: .full, matrix: .identity)),
    PlaneForm(.redGreenBlue, bits: 9, color: .init(range: .limited, matrix: .identity)),
  ]

  private static let graphs = TestGraphs()

  @Test(arguments: forms, [Size(22, 14), Size(23, 15), Size(1, 1)])
  func becomeColors(_ form: PlaneForm, _ size: Size) throws {
    let planes = TestPlanes(form, size, seed: 7)
    let image = ImageRecipe(.stream(ImageStream(name: "clip", size: size, planes: .init(form, size: size))), label: "clip")
    let graph = ImageGraph(outputs: [.init(image: image, format: .rgba32f)], format: .rgba32f)
    let run = try GraphRun(graph, of: Self.graphs, frames: 1)
    let colors = try TestDevice.allCases.map { try run.bytes(planes, on: $0)[0].floats }
    #expect(colors[0] == colors[1], "the executors differ")
    for y in 0..<size.height {
      for x in 0..<size.width {
        let expected = planes.color(x, y)
        for channel in 0..<4 {
          let found = Double(colors[0][(y * size.width + x) * 4 + channel])
          #expect(abs(found - expected[channel]) < 2e-6, "channel \(channel) of \(x), \(y): \(found), not \(expected[channel])")
        }
      }
    }
  }

  @Test(arguments: forms, [Size(22, 14), Size(23, 15), Size(1, 1)])
  func areMadeOfColors(_ form: PlaneForm, _ size: Size) throws {
    var numbers = SeededNumbers(seed: 3)
    let pixels: [Float] = (0..<size.pixelCount * 4).map { index in
      index % 4 == 3 && !form.hasAlpha ? 1 : Float(UInt16.random(in: 0...65535, using: &numbers)) / 65535
    }
    var bytes: [UInt8] = []
    for pixel in pixels { for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: pixel.bitPattern >> UInt32(8 * byte))) } }
    let picture = PixelBuffer(size: size, format: .rgba32f, alpha: .straight, bytes: bytes)
    let image = ImageRecipe(.picture(picture), label: "picture")
    let graph = ImageGraph(outputs: [.init(image: image, planes: form)], format: .rgba32f)
    let run = try GraphRun(graph, of: Self.graphs, frames: 1)
    let found = try TestDevice.allCases.map { device in try run.bytes(nil, on: device) }
    #expect(found[0] == found[1], "the executors differ")
    func color(_ x: Int, _ y: Int) -> [Double] { (0..<4).map { Double(pixels[(y * size.width + x) * 4 + $0]) } }
    // Sums of floats decide a tie, but nothing else.
    let tolerance = 0.5 + Double(form.largest) * 4e-7
    for (index, plane) in form.planes.enumerated() {
      let expected = TestPlanes.numbers(plane, of: form, size, color: color)
      let planeSize = form.size(of: plane, in: size), row = (planeSize.width + 3) / 4 * 4
      let packed = found[0][index]
      for y in 0..<planeSize.height {
        for x in 0..<planeSize.width {
          let place = y * row + x
          let number = form.bits > 8 ? Int(packed[2 * place]) + 256 * Int(packed[2 * place + 1]) : Int(packed[place])
          let exact = expected[y * planeSize.width + x]
          #expect(abs(Double(number) - exact) < tolerance, "\(plane) of \(x), \(y): \(number), not \(exact)")
        }
      }
    }
  }

  /// What comes out of full planes and goes back into them is the same, to the bit, where colors do not leave the range.
  @Test(arguments: [8, 10])
  func comeBack(_ bits: Int) throws {
    let form = PlaneForm(.lumaAndChroma, bits: bits)
    let size = Size(32, 32)
    let planes = TestPlanes(form, size, seed: 11) { plane, random in
      let (black, luma, _) = form.scale
      return plane == .luma ? black + luma * 3 / 8 + random % (luma / 4) : form.neutral + random % (32 << (bits - 8)) - (16 << (bits - 8))
    }
    let image = ImageRecipe(.stream(ImageStream(name: "clip", size: size, planes: .init(form, size: size))), label: "clip")
    let run = try GraphRun(
      ImageGraph(outputs: [.init(image: image, planes: form)], format: .rgba32f), of: Self.graphs, frames: 1)
    #expect(try run.bytes(planes, on: .cpu) == planes.buffers.map(\.bytes))
  }

  /// White, grays and black of PQ and HLG: 203 cd/m² is white, and nothing is darker or brighter than black and white.
  @Test(arguments: [PlaneForm.Color.Transfer.pq, .hlg, .linear, .display], [PlaneForm.Color.Primaries.bt2020, .p3, .bt709])
  func keepGraysGray(_ transfer: PlaneForm.Color.Transfer, _ primaries: PlaneForm.Color.Primaries) throws {
    let form = PlaneForm(.luma, bits: 10, color: .init(range: .full, matrix: .bt2020, transfer: transfer, primaries: primaries))
    let size = Size(64, 1)
    let planes = TestPlanes(form, size, numbers: [(0..<64).map { $0 * 1023 / 63 }])
    let image = ImageRecipe(.stream(ImageStream(name: "clip", size: size, planes: .init(form, size: size))), label: "clip")
    let run = try GraphRun(ImageGraph(outputs: [.init(image: image, format: .rgba32f)], format: .rgba32f), of: Self.graphs, frames: 1)
    for device in TestDevice.allCases {
      let colors = try run.bytes(planes, on: device)[0].floats
      let grays = (0..<64).map { colors[4 * $0] }
      for x in 0..<64 { for channel in 1..<3 { #expect(abs(colors[4 * x + channel] - grays[x]) < 1e-3) } }
      #expect(abs(grays[0]) < 1e-3 && abs(grays[63] - 1) < 1e-3)
      #expect(zip(grays, grays.dropFirst()).allSatisfy { $0 <= $1 + 1e-4 })
      // 58.1 % of PQ and 75 % of HLG are 203 cd/m² (ITU-R BT.2408), of which the roll-off takes some light.
      if transfer == .pq { #expect((0.75...1).contains(grays[37])) }
      if transfer == .hlg { #expect((0.75...1).contains(grays[47])) }
      if transfer == .display { #expect(abs(grays[32] - 32 / 63) < 2e-3) }
    }
  }
}

extension GraphRun {
  /// The bytes of all outputs of the first frame.
  func bytes(_ planes: TestPlanes?, on device: TestDevice) throws -> [[UInt8]] {
    let execution = try prepare(on: device)
    let pictures = try plan.streams.map { name in FramePicture(try #require(planes?.buffer(named: name))) }
    let state = FrameState(frame: 0, clock: ShotClock(), pointer: nil, date: .fixed)
    let pending = try execution.submit(plan.values(frame: 0, state: state, pictures: pictures))
    defer { pending.release() }
    try pending.wait()
    return plan.plan.plan.outputs.indices.map { output in
      var bytes: [UInt8] = []
      pending.withBands(of: output) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
      return bytes
    }
  }
}

/// Planes of a picture, and what the specifications make of them.
struct TestPlanes {
  let form: PlaneForm
  let size: Size
  /// Plane by plane, the top row first.
  let numbers: [[Int]]

  init(_ form: PlaneForm, _ size: Size, numbers: [[Int]]) { (self.form, self.size, self.numbers) = (form, size, numbers) }

  init(
    _ form: PlaneForm, _ size: Size, seed: UInt64,
    number: (PlaneForm.Plane, Int) -> Int? = { _, _ in nil }
  ) {
    var random = SeededNumbers(seed: seed)
    self.init(
      form, size,
      numbers: form.planes.map { plane in
        (0..<form.size(of: plane, in: size).pixelCount).map { _ in
          let value = Int.random(in: 0...form.largest, using: &random)
          return number(plane, value) ?? value
        }
      })
  }

  var buffers: [PixelBuffer] {
    zip(form.planes, numbers).map { plane, numbers in
      let bytes = form.planeFormat == .r8 ? numbers.map { UInt8($0) } : numbers.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      return PixelBuffer(size: form.size(of: plane, in: size), format: form.planeFormat, alpha: .opaque, bytes: bytes)
    }
  }

  func buffer(named name: String) -> PixelBuffer? {
    form.planes.firstIndex { name.hasSuffix("/\($0.rawValue)") }.map { buffers[$0] }
  }

  /// A number of a plane; positions beyond its edges show the last one.
  private func number(_ plane: Int, _ x: Int, _ y: Int) -> Double {
    let size = form.size(of: form.planes[plane], in: size)
    return Double(numbers[plane][min(max(y, 0), size.height - 1) * size.width + min(max(x, 0), size.width - 1)])
  }

  /// Where a sample of chroma lies among its samples of luma, from the first one on and from the top.
  private static func place(_ form: PlaneForm) -> (x: Double, y: Double) {
    let middle = (x: Double(1 << form.chromaShift.x - 1) / 2, y: Double(1 << form.chromaShift.y - 1) / 2)
    switch form.color.chromaLocation {
    case .left: return (0, middle.y)
    case .center: return middle
    case .topLeft: return (0, 0)
    case .top: return (middle.x, 0)
    case .bottomLeft: return (0, 2 * middle.y)
    case .bottom: return (middle.x, 2 * middle.y)
    }
  }

  private func chroma(_ plane: Int, _ x: Int, _ y: Int) -> Double {
    let place = Self.place(form)
    let (u, v) = ((Double(x) - place.x) / Double(1 << form.chromaShift.x), (Double(y) - place.y) / Double(1 << form.chromaShift.y))
    let (column, row) = (u.rounded(.down), v.rounded(.down))
    func mixed(_ row: Int) -> Double {
      number(plane, Int(column), row) * (1 - (u - column)) + number(plane, Int(column) + 1, row) * (u - column)
    }
    return mixed(Int(row)) * (1 - (v - row)) + mixed(Int(row) + 1) * (v - row)
  }

  /// The color of a pixel, from the top.
  func color(_ x: Int, _ y: Int) -> [Double] {
    let scale = form.scale
    func level(_ plane: Int) -> Double { (number(plane, x, y) - Double(scale.black)) / Double(scale.luma) }
    let alpha = form.hasAlpha ? number(form.planes.count - 1, x, y) / Double(form.largest) : 1
    let color: [Double]
    switch form.channels {
    case .luma: color = [level(0), level(0), level(0)]
    case .redGreenBlue: color = [level(0), level(1), level(2)]
    case .lumaAndChroma:
      let (red, blue) = form.color.matrix.luma
      let neutral = Double(form.neutral)
      let b = (chroma(1, x, y) - neutral) / Double(scale.chroma), r = (chroma(2, x, y) - neutral) / Double(scale.chroma)
      let (toRed, toBlue) = (level(0) + 2 * (1 - red) * r, level(0) + 2 * (1 - blue) * b)
      color = [toRed, (level(0) - red * toRed - blue * toBlue) / (1 - red - blue), toBlue]
    }
    return color.map { min(max($0, 0), 1) } + [alpha]
  }

  /// The numbers of a plane that are made of straight colors, not rounded.
  static func numbers(_ plane: PlaneForm.Plane, of form: PlaneForm, _ size: Size, color: (Int, Int) -> [Double]) -> [Double] {
    let planeSize = form.size(of: plane, in: size)
    let isChroma = plane == .blueDifference || plane == .redDifference
    let place = place(form)
    func clamped(_ x: Int, _ y: Int) -> [Double] { color(min(max(x, 0), size.width - 1), min(max(y, 0), size.height - 1)) }
    /// What pixels count around a sample: a triangle around one of them, or all alike.
    func weights(_ shift: Int, _ place: Double) -> [(offset: Int, weight: Double)] {
      let count = 1 << shift
      guard shift > 0 else { return [(0, 1)] }
      guard place == place.rounded() else { return (0..<count).map { ($0, 1 / Double(count)) } }
      return (1 - count..<count).map { (Int(place) + $0, Double(count - abs($0)) / Double(count * count)) }
    }
    let columns = isChroma ? weights(form.chromaShift.x, place.x) : [(0, 1)],
      rows = isChroma ? weights(form.chromaShift.y, place.y) : [(0, 1)]
    let (stepX, stepY) = isChroma ? (1 << form.chromaShift.x, 1 << form.chromaShift.y) : (1, 1)
    let (red, blue) = form.color.matrix.luma
    let scale = form.scale
    return (0..<planeSize.pixelCount).map { index in
      let (x, y) = (index % planeSize.width * stepX, index / planeSize.width * stepY)
      var c = [0.0, 0, 0, 0]
      for row in rows {
        for column in columns {
          let pixel = clamped(x + column.offset, y + row.offset)
          for channel in 0..<4 { c[channel] += pixel[channel] * row.weight * column.weight }
        }
      }
      let luma = red * c[0] + (1 - red - blue) * c[1] + blue * c[2]
      let number =
        switch plane {
        case .luma: Double(scale.black) + Double(scale.luma) * luma
        case .blueDifference: Double(form.neutral) + Double(scale.chroma) * (c[2] - luma) / (2 * (1 - blue))
        case .redDifference: Double(form.neutral) + Double(scale.chroma) * (c[0] - luma) / (2 * (1 - red))
        case .red: Double(scale.black) + Double(scale.luma) * c[0]
        case .green: Double(scale.black) + Double(scale.luma) * c[1]
        case .blue: Double(scale.black) + Double(scale.luma) * c[2]
        case .alpha: Double(form.largest) * c[3]
        }
      return min(number, Double(form.largest))
    }
  }
}
