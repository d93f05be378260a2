import Etalon
import Testing

/// Images on the plane: cut, made larger, turned, put over each other.
@Suite struct ImageGeometryTests {
  private func rendered(_ image: Image, on device: TestDevice) async throws -> TestPicture {
    try await device.context.render(image).picture
  }

  @Test(arguments: TestDevice.allCases) func cropsAndPads(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let opaque = try Image(contentsOf: scene.folder.picture("other.png", PluginPicture.size, PluginPicture.other))
    let cropped = try opaque.cropped(to: Extent(x: 10, y: 4, size: Size(16, 8)))
    #expect(try cropped.extent == Extent(x: 10, y: 4, size: Size(16, 8)))
    let picture = try await rendered(cropped, on: device)
    #expect(picture.size == Size(16, 8))
    #expect(picture.firstDifference { x, y in (PluginPicture.other(x + 10, y + 4) + [255]).map(Int.init) } == nil)
    let padded = try cropped.padded(left: 2, bottom: 3, right: 4, top: 5)
    #expect(try padded.extent == Extent(x: 8, y: 1, size: Size(22, 16)))
    let around = try await rendered(padded, on: device)
    #expect(
      around.firstDifference { x, y in
        (2..<18).contains(x) && (3..<11).contains(y) ? (PluginPicture.other(x + 8, y + 1) + [255]).map(Int.init) : [0, 0, 0, 0]
      } == nil)
  }

  /// A picture that no filter reads is resized as by 'resize', not sampled at single pixels.
  @Test(arguments: TestDevice.allCases, [Size(16, 12), Size(50, 40)]) func aSizeThatIsAskedForIsResizedTo(
    _ device: TestDevice, _ size: Size
  ) async throws {
    let scene = try TestScene()
    let image = try Image(contentsOf: scene.folder.picture("other.png", PluginPicture.size, PluginPicture.other))
    var settings = RenderSettings()
    settings.size = size
    let asked = try await device.context.render(image, settings: settings).picture
    #expect(asked.size == size)
    #expect(try await rendered(image.resized(to: size), on: device) == asked)
  }

  @Test(arguments: TestDevice.allCases) func turnsAndMirrors(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let size = PluginPicture.size
    let opaque = try Image(contentsOf: scene.folder.picture("other.png", size, PluginPicture.other))
    func color(_ x: Int, _ y: Int) -> [Int] { (PluginPicture.other(x, y) + [255]).map(Int.init) }
    let clockwise = try await rendered(opaque.oriented(.rotated90), on: device)
    #expect(clockwise.size == Size(size.height, size.width))
    #expect(clockwise.firstDifference { x, y in color(size.width - 1 - y, x) } == nil)
    let quarter = try opaque.transformed(by: .rotation(degrees: -90))
    #expect(try quarter.extent == Extent(x: 0, y: -size.width, size: Size(size.height, size.width)))
    #expect(try await rendered(quarter, on: device) == clockwise)
    let mirrored = try await rendered(opaque.transformed(by: .scale(x: -1, y: 1)), on: device)
    #expect(mirrored.firstDifference { x, y in color(size.width - 1 - x, y) } == nil)
    let moved = try opaque.transformed(by: Transform.scale(x: 2, y: 2).then(.translation(x: 6, y: -2)))
    #expect(try moved.extent == Extent(x: 6, y: -2, size: Size(2 * size.width, 2 * size.height)))
    #expect(throws: DiagnosticsError.self) { try opaque.transformed(by: .scale(x: 0, y: 1)) }
  }

  @Test(arguments: TestDevice.allCases) func resizesByArea(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let opaque = try Image(contentsOf: scene.folder.picture("steps.png", Size(8, 8)) { x, y in [UInt8(x / 2 * 40), UInt8(y / 2 * 60), 9] })
    let half = try await rendered(opaque.resized(to: Size(4, 4), by: .area), on: device)
    #expect(half.firstDifference { x, y in [x * 40, y * 60, 9, 255] } == nil)
    let large = try await rendered(opaque.resized(to: Size(16, 16), by: .nearest), on: device)
    #expect(large.firstDifference { x, y in [x / 4 * 40, y / 4 * 60, 9, 255] } == nil)
    #expect(throws: DiagnosticsError.self) { try opaque.resized(to: Size(20_000, 4)) }
  }

  /// Plans are shared by images with other values; how a picture is resized decides about its steps.
  @Test func everyWayToResizeHasItsPlan() async throws {
    let scene = try TestScene()
    let image = try Image(
      contentsOf: scene.folder.picture("hash.png", Size(8, 8)) { x, y in [UInt8((x * 37 + y * 91) % 256), UInt8(x * y * 3), 9] })
    let context = try RenderContext(device: .cpu)
    for resampling in Image.Resampling.allCases.reversed() {
      let small = try image.resized(to: Size(3, 2), by: resampling)
      #expect(try await context.render(small).picture == RenderContext(device: .cpu).render(small).picture, "\(resampling)")
    }
  }

  /// What lies between the two sides is not rounded to half floats, which have eleven bits.
  @Test(arguments: TestDevice.allCases) func resizingKeepsSixteenBits(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let image = try Image(contentsOf: scene.folder.picture("even.png", Size(8, 8)) { _, _ in [200, 201, 203] })
    var settings = RenderSettings()
    settings.depth = .sixteen
    let picture = try await device.context.render(image.resized(to: Size(3, 2)), settings: settings).picture
    #expect(picture.firstDifference(over: 1.01 / 65535) { _, _ in ExactColor(200 / 255, 201 / 255, 203 / 255, 1) } == nil)
  }

  @Test(arguments: TestDevice.allCases) func compositesOverColors(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let image = try scene.photo.composited(over: .color([1, 0.5, 0, 1]))
    let picture = try await rendered(image, on: device)
    #expect(picture.size == PluginPicture.size)
    let background = ExactColor(1, 0.5, 0, 1)
    #expect(
      picture.firstDifference(over: 1.01 / 255) { x, y in
        let color = PluginPicture.exact(x, y).premultiplied
        return color + background * (1 - color.w)
      } == nil)
  }

  @Test func transitionsRunOverTheFrames() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let dissolve = try scene.library["dissolve"]
    let size = Size(4, 4)
    let black = try Image(contentsOf: scene.folder.picture("black.png", size) { _, _ in [0, 0, 0] })
    let white = try Image(contentsOf: scene.folder.picture("white.png", size) { _, _ in [255, 255, 255] })
    var levels: [Int] = []
    for try await frame in try context.frames(of: black.transition(to: white, with: dissolve), in: 0..<5, rate: 24) {
      levels.append(frame.picture.pixel(1, 1)[0])
    }
    #expect(levels == (0..<5).map { byte(Double($0) / 4) })
    let middle = try await context.render(black.transition(to: white, with: dissolve, progress: 0.5))
    #expect(middle.picture.pixel(1, 1)[0] == byte(0.5))
    #expect(throws: DiagnosticsError.self) { try black.transition(to: white, with: scene.library["vignette"]) }
  }

  @Test func clampedImagesDoNotGrow() throws {
    let scene = try TestScene()
    let grown = try scene.shader("grown")
    #expect(try scene.photo.applying(grown).extent != scene.photo.extent)
    #expect(try scene.photo.clampedToExtent.applying(grown).extent == scene.photo.extent)
    #expect(scene.photo.clampedToExtent != scene.photo)
  }

  @Test func sequencesShowTheirPictures() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    for number in 1...3 { _ = try scene.folder.picture("plate.000\(number).png", Size(4, 4)) { _, _ in [UInt8(number * 50), 0, 0] } }
    let plate = try Image.sequence(scene.folder.file("plate.####.png"), rate: 12, loop: .repeat)
    let image = try plate.cropped(to: Extent(Size(2, 2)))
    var levels: [Int] = []
    for try await frame in try context.frames(of: image, in: 0..<8, rate: 24) { levels.append(frame.picture.pixel(0, 0)[0]) }
    #expect(levels == [50, 50, 100, 100, 150, 150, 50, 50])
    let once = try Image.sequence(scene.folder.file("plate.####.png"))
    await #expect(throws: RenderError.self) { try await context.render(once, at: .frame(3)) }
    #expect(throws: DiagnosticsError.self) { try Image.sequence("plate.png") }
  }

  /// A generator under an image that reaches beyond it goes on there, left of the origin and below it, too, with the pixels where they were.
  @Test(arguments: TestDevice.allCases) func generatorsGoOnUnderOtherImages(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let size = PluginPicture.size
    let opaque = try Image(contentsOf: scene.folder.picture("other.png", size, PluginPicture.other))
    let padded = try opaque.cropped(to: Extent(x: 8, y: 4, size: Size(8, 8))).padded(left: 21, bottom: 11, right: 90, top: 70)
    let noise = try Image(scene.library["noise"], ["grain": 3, "colored": true])
    let both = try padded.composited(over: noise)
    #expect(try both.extent == Extent(x: -13, y: -7, size: Size(119, 89)))
    let picture = try await rendered(both, on: device), alone = try await rendered(noise.cropped(to: Extent(size)), on: device)
    #expect(
      picture.firstDifference { x, y in
        let (x, y) = (x - 13, y - 7)
        if (8..<16).contains(x), (4..<12).contains(y) { return (PluginPicture.other(x, y) + [255]).map(Int.init) }
        // Squares of noise have one color, and all cover.
        if (0..<size.width).contains(x), (0..<size.height).contains(y) { return alone.pixel(x, y) }
        let corner = (Int((Double(x) / 3).rounded(.down)) * 3, Int((Double(y) / 3).rounded(.down)) * 3)
        let first = (max(corner.0, -13) + 13, max(corner.1, -7) + 7)
        return Array(picture.pixel(first.0, first.1).prefix(3)) + [255]
      } == nil)
    #expect(Set((0..<4).map { picture.pixel($0 * 3, 1) }).count == 4)
  }

  @Test(arguments: TestDevice.allCases) func gradientsAndColorsGoOnUnderTurnedImages(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let card = try scene.photo.transformed(by: .rotation(degrees: 30))
    let orange = try await rendered(card.composited(over: .color("#ff8800")), on: device)
    #expect(orange.pixel(0, 0) == [255, 136, 0, 255] && orange.pixel(orange.size.width - 1, 0) == [255, 136, 0, 255])
    let ramp = try Image(scene.library["linear-gradient"], ["startPoint": [-1, 0], "endPoint": [1, 0]])
    let over = try card.composited(over: ramp)
    let (extent, picture) = (try over.extent, try await rendered(over, on: device))
    let levels = (0..<6).map { picture.pixel($0, 0)[0] }
    #expect(extent.x < -8 && levels == levels.sorted() && levels[0] > 0 && picture.pixel(0, 0)[3] == 255)
  }

  // MARK: errors that show when sizes are known

  /// What is wrong with an image whose extent is asked for.
  private func message(_ image: Image) -> String {
    do {
      return "\(try image.extent)"
    } catch {
      return (error as? DiagnosticsError).map { DiagnosticPrinter().text($0.diagnostics) } ?? "\(error)"
    }
  }

  @Test func aRectangleBesideThePictureIsToldWhereItIsMade() async throws {
    let scene = try TestScene()
    let whole = try Image(contentsOf: scene.folder.picture("other.png", PluginPicture.size, PluginPicture.other))
    let beside = try whole.cropped(to: Extent(x: 900, y: 0, size: Size(8, 8)))
    let line = #line - 1
    let text = """
      error: in 'cropped(to:)' at EtalonTests/ImageGeometryTests.swift:\(line): the rectangle 900,0,8x8 lies beside the picture, of which nothing would be left [size.beside]
        = help: the picture is \(PluginPicture.size); rectangles are counted from its lower left corner

      """
    #expect(message(beside) == text)
    #expect(message(try beside.padded(left: 4).oriented(.rotated90)) == text)
    await #expect(throws: DiagnosticsError.self) { try await TestDevice.cpu.context.render(beside) }
    // The result may be so large that the rectangle is in it.
    var settings = RenderSettings()
    settings.size = Size(1000, 500)
    let large = try await TestDevice.cpu.context.render(beside, settings: settings)
    #expect(large.pixels.size == Size(8, 8))
  }

  @Test func sizesBeyondAllBoundsAreToldWhereTheyAreMade() throws {
    let scene = try TestScene()
    let whole = try Image(contentsOf: scene.folder.picture("other.png", PluginPicture.size, PluginPicture.other))
    let huge = try whole.transformed(by: .scale(x: 10_000, y: 1))
    #expect(
      message(huge).contains("in 'transformed(by:)' at EtalonTests/ImageGeometryTests.swift:\(#line - 1): the width of the result is"))
    let padded = try whole.padded(left: 16_000, right: 16_000)
    #expect(message(padded).contains("in 'padded(left:bottom:right:top:)' at EtalonTests/ImageGeometryTests.swift:\(#line - 1): "))
  }
}
