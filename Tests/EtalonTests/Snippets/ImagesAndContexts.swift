import Etalon

/// The code of the article of the same name, in its order: a test compares the two.
enum ImagesAndContexts {
  static func glow() async throws {
    let library = try FilterLibrary(directory: "Filters")
    let photo = try Image(contentsOf: "photo.png")
    let soft = try photo.applying(library["gaussian-blur"], ["sigma": 24])
    let glow = try soft.applying(library["source-over"], inputs: ["backgroundImage": photo])

    let context = try RenderContext()
    try await context.render(glow).write(to: "glow.png")
  }

  static func parameters() throws {
    let blur = try FilterLibrary.builtIn["gaussian-blur"]
    for parameter in blur.parameters {
      print(parameter.name, parameter.kind, parameter.defaultValue.components)
    }
  }

  static func masks(_ photo: Image, _ library: FilterLibrary) throws -> Image {
    let blocks = try photo.applying(library["pixellate"], ["scale": 24])
    let circle = try Image(library["radial-gradient"], ["center": [0.5, 0.5], "radius": 0.3])
    let result = try blocks.applying(
      library["blend-with-mask"], inputs: ["backgroundImage": photo, "maskImage": circle])
    return result
  }

  static func geometry(_ photo: Image) throws -> Image {
    let detail = try photo.cropped(to: Extent(x: 16, y: 8, size: Size(24, 16)))
    let large = try detail.resized(to: Size(96, 64), by: .lanczos)
    let turned = try large.transformed(by: Transform.rotation(degrees: 30).then(.translation(x: 40, y: 0)))
    let card = try turned.composited(over: Image.color("#20242c"))
    return card
  }

  static func frame(_ photo: Image) throws -> Image {
    let portrait = try photo.oriented(.rotated90)
    let framed = try portrait.padded(left: 8, bottom: 8, right: 8, top: 8)
    return framed
  }

  static func errors(_ photo: Image, _ library: FilterLibrary, print: (String) -> Void) throws {
    do {
      _ = try photo.applying(library["gaussian-blur"], ["simga": 8])
    } catch let error as DiagnosticsError {
      print(DiagnosticPrinter().text(error.diagnostics))
    }
  }

  static func changes(_ photo: Image, _ library: FilterLibrary, _ context: RenderContext) async throws -> Image {
    let turning = try photo.applying(library["hue-rotate"], ["angle": .expression("mod(30 * time, 360)")])
    let appearing = try turning.applying(
      library["gaussian-blur"],
      ["sigma": .keyframes([.key(.seconds(0), 12), .key(.seconds(2), 0, .easeInOut(.cubic))])])
    try await context.write(appearing, frames: 0..<48, rate: 24, to: "appearing.####.png")
    return appearing
  }

  static func frames(_ appearing: Image, _ context: RenderContext) async throws {
    for try await frame in try context.frames(of: appearing, in: 0..<48, rate: 24) {
      print(frame.number, frame.time, frame.pixels.size)
    }
  }

  static func transition(_ day: Image, _ night: Image, _ library: FilterLibrary, _ context: RenderContext) async throws {
    let fade = try day.transition(to: night, with: library["dissolve"])
    try await context.write(fade, frames: 0..<24, rate: 24, to: "fade.####.png")
  }

  static func sequence(_ library: FilterLibrary, _ context: RenderContext) async throws {
    let plate = try Image.sequence("plate.####.png", rate: 12, loop: .pingPong, missing: .hold)
    let graded = try plate.applying(library["saturation"], ["amount": 1.4])
    try await context.write(graded, frames: 0..<48, rate: 24, to: "graded.####.png")
  }

  static func feedback(_ disk: Image, _ library: FilterLibrary, _ context: RenderContext) async throws {
    let trail = try Image.feedback { before in
      try disk.composited(over: before.applying(library["brightness-contrast"], ["brightness": -0.05]))
    }
    try await context.write(trail, frames: 0..<48, rate: 24, to: "trail.####.png")
  }

  static func checkpoints(_ trail: Image) async throws {
    let farm = try RenderContext(checkpoints: .folder("checkpoints"))
    try await farm.write(trail, frames: 48..<96, rate: 24, to: "trail.####.png")
  }

  static func results(_ plate: Image, _ background: Image, _ library: FilterLibrary) throws -> Image {
    let keyer = try library["keyer"]
    let matte = try plate.applying(keyer.showing("matte"))
    let keyed = try plate.applying(keyer).applying(
      library["blend-with-mask"], inputs: ["backgroundImage": background, "maskImage": matte])
    return keyed
  }

  static func several(_ keyed: Image, _ matte: Image, _ context: RenderContext) async throws {
    var options = WriteOptions()
    options.resuming = true
    options.contactSheet = "sheet.png"
    try await context.write(
      [FrameFiles(keyed, to: "keyed.####.png"), FrameFiles(matte, to: "matte.####.png")], frames: 0..<48, rate: 24, options: options)
  }

  static func pointer(_ glow: Image, _ context: RenderContext) async throws {
    var settings = RenderSettings()
    settings.mouse = RenderSettings.Mouse(x: 320, y: 180, isDown: true)
    settings.events = "strokes.csv"
    settings.date = "2024-06-01T18:30:00"
    try await context.render(glow, settings: settings).write(to: "pressed.png")
  }

  static func sounds(_ library: FilterLibrary, _ context: RenderContext) async throws {
    let bars = try Image(library["bars"], inputs: ["spectrum": .sound("song.wav")])
    try await context.write(bars, frames: 0..<240, rate: 24, to: "bars.####.png")
  }

  static func light(_ glow: Image, _ context: RenderContext) async throws {
    var settings = RenderSettings()
    settings.workingSpace = .linear
    settings.workingFormat = .rgba32f
    try await context.render(glow, settings: settings).write(to: "glow.png")
  }

  static func proxy(_ glow: Image, _ context: RenderContext) async throws {
    var settings = RenderSettings()
    settings.scale = Rational(1, 4)
    try await context.render(glow, settings: settings).write(to: "proxy.png")
  }
}
