/// Filters of which each reads the result of the one before at its pixel, so that they can be fused into one kernel.
///
/// Each is a program over a picture; the color that it gets changes the place that it is told, and its result word becomes four bytes of a color.
struct FilterChain: Hashable, Codable, Sendable {
  var stages: [Program]
  var width: Int
  var height: Int

  /// The text of a filter.
  func text(ofStage index: Int) -> String {
    let program = stages[index]
    return """
      /*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }] }*/
      \(ProgramPrinter.functions(program))
      vec4 colorKernel(vec4 color) {
        uint result = f\(program.functions.count - 1)(uint(POSITION.x) + uint(color.x), uint(POSITION.y) ^ uint(color.y));
        return vec4(float(result & 255u), float((result >> 8) & 255u), float((result >> 16) & 255u), float(result >> 24));
      }
      """
  }

  /// The floats of the picture that the first filter reads: small whole numbers, the lowest row first.
  var picture: [[UInt32]] {
    var pixels: [[UInt32]] = []
    for y in 0..<height {
      for x in 0..<width {
        let sum = x * 7 + y * 13
        pixels.append((0..<4).map { UInt32((sum + $0 * 5) % 11) })
      }
    }
    return pixels
  }

  /// The words of every pixel: four floats, the top row first.
  func words() throws(Undefined) -> [UInt32] {
    var colors = picture
    for stage in stages {
      var program = stage
      program.coverage = .picture(width: width, height: height, isInQuads: false)
      let before = colors
      let results = try Evaluator.words(of: program) { x, y in
        let color = before[Int(y) * width + Int(x)]
        return (x &+ color[0], y ^ color[1])
      }
      for y in 0..<height {
        for x in 0..<width {
          let word = results[(height - 1 - y) * width + x]
          colors[y * width + x] = (0..<4).map { word >> (8 * UInt32($0)) & 255 }
        }
      }
    }
    var words: [UInt32] = []
    for y in (0..<height).reversed() {
      for color in colors[y * width..<(y + 1) * width] { words += color.map { Float($0).bitPattern } }
    }
    return words
  }
}

/// What a seed makes.
enum Specimen: Hashable, Codable, Sendable {
  case program(Program)
  case chain(FilterChain)

  /// One of eight is a chain of filters.
  init(seed: UInt64) {
    self = seed % 8 == 7 ? .chain(Generator.chain(seed: seed)) : .program(Generator.program(seed: seed))
  }

  /// Its GLSL.
  var text: String {
    switch self {
    case .program(let program): ProgramPrinter.kernel(program)
    case .chain(let chain): chain.stages.indices.map { chain.text(ofStage: $0) }.joined(separator: "\n\n")
    }
  }

  var statementCount: Int {
    switch self {
    case .program(let program): program.statementCount
    case .chain(let chain): chain.stages.reduce(0) { $0 + $1.statementCount }
    }
  }
}
