/// PNG files of every kind, made anew for every input: their rows are packed without compression, so that wrong filters and samples pass all sums.
struct PNGMaker {
  private var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// A file of a few pixels, most of whose properties are drawn at random.
  static func file(_ dice: inout Dice) -> [UInt8] {
    var maker = PNGMaker()
    let (color, depths) = dice.pick(from: [(0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16])])
    let depth = dice.pick(from: depths), isInterlaced = dice.happens(40)
    let (width, height) = (dice.pick(1...17), dice.pick(1...17))
    // Sometimes the header states more pixels than there are, or another kind.
    func lie(_ number: Int, _ dice: inout Dice) -> Int { dice.happens(4) ? Int(dice.pick(from: HostileNumbers.words32)) : number }
    maker.add(
      "IHDR",
      number(lie(width, &dice), 4) + number(lie(height, &dice), 4)
        + [dice.happens(3) ? UInt8(dice.pick(18)) : UInt8(depth), dice.happens(3) ? UInt8(dice.pick(8)) : UInt8(color)]
        + [0, 0, isInterlaced != dice.happens(3) ? 1 : 0])
    maker.addDetails(color: color, depth: depth, &dice)
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][color] ?? 1
    let rows = rows(width, height, bitsPerPixel: channels * depth, isInterlaced: isInterlaced, &dice)
    let packed = packed(rows, &dice)
    let cut = dice.happens(20) ? dice.pick(packed.count) : packed.count
    maker.add("IDAT", Array(packed[..<cut]))
    if cut < packed.count { maker.add("IDAT", Array(packed[cut...])) }
    if dice.happens(95) { maker.add("IEND", []) }
    return maker.bytes
  }

  static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  private mutating func add(_ type: String, _ content: [UInt8]) {
    let body = Array(type.utf8) + content
    bytes += Self.number(content.count, 4) + body + Self.number(Int(PNGSums.crc(body[...])), 4)
  }

  /// What may stand before the pixels.
  private mutating func addDetails(color: Int, depth: Int, _ dice: inout Dice) {
    if color == 3 || dice.happens(5) {
      let count = dice.happens(85) ? 1 << min(depth, 8) : dice.pick(0...300)
      add("PLTE", (0..<count * 3).map { _ in UInt8(dice.pick(256)) })
    }
    if dice.happens(25) { add("tRNS", (0..<dice.pick(from: [1, 2, 6, 16, 256])).map { _ in UInt8(dice.pick(256)) }) }
    if dice.happens(20) { add("gAMA", Self.number(Int(dice.pick(from: HostileNumbers.words32)), 4)) }
    if dice.happens(20) { add("sBIT", (0..<dice.pick(1...4)).map { _ in UInt8(dice.pick(20)) }) }
    if dice.happens(20) { add("pHYs", Self.number(Int(dice.pick(from: HostileNumbers.words32)), 4) + Self.number(0, 4) + [1]) }
    if dice.happens(10) { add("bKGD", (0..<dice.pick(from: [1, 2, 6])).map { _ in UInt8(dice.pick(256)) }) }
    if dice.happens(20) { add("eXIf", (0..<dice.pick(1...40)).map { _ in UInt8(dice.pick(256)) }) }
    if dice.happens(40) { add("tEXt", text(&dice)) }
    if dice.happens(30) {
      add("iTXt", Array("etalon:values".utf8) + [0, dice.happens(80) ? 0 : 1, 0, 0, 0] + Array(dice.pick(from: Self.texts).utf8))
    }
    if dice.happens(10) { add("zTXt", Array("Comment".utf8) + [0, 0] + Self.packed(Array("text".utf8), &dice)) }
    if dice.happens(10) { add("iCCP", Array("profile".utf8) + [0, 0] + Self.packed([UInt8](repeating: 7, count: 140), &dice)) }
  }

  private static let texts = [
    "{\"size\":\"8\"}", "{", "{\"a\":{\"b\":[1]}}", "9223372036854775808", "-1", "1/0", "é\u{202E}", "",
    String(repeating: "[", count: 3000),
    "9223372036854775807/9223372036854775806",
  ]

  private func text(_ dice: inout Dice) -> [UInt8] {
    let keys = [
      "Software", "etalon:recipe", "etalon:filter", "etalon:values", "etalon:frame", "etalon:time", "etalon:rate", "etalon:scale",
      "etalon:stand-ins", "etalon:origins", "Comment", "",
    ]
    let value = dice.happens(30) ? "Etalon 1" : dice.pick(from: Self.texts + HostileNumbers.plain)
    return Array(dice.pick(from: keys).utf8) + (dice.happens(95) ? [0] : []) + Array(value.utf8)
  }

  /// The rows of all passes, each behind the number of its filter.
  private static func rows(_ width: Int, _ height: Int, bitsPerPixel: Int, isInterlaced: Bool, _ dice: inout Dice) -> [UInt8] {
    let passes =
      isInterlaced
      ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)] : [(0, 0, 1, 1)]
    var rows: [UInt8] = []
    for (x, y, stepX, stepY) in passes {
      let columns = (width - x + stepX - 1) / stepX, count = (height - y + stepY - 1) / stepY
      guard columns > 0, count > 0 else { continue }
      for _ in 0..<count {
        rows.append(dice.happens(1) ? UInt8(dice.pick(256)) : UInt8(dice.pick(5)))
        rows += (0..<(columns * bitsPerPixel + 7) / 8).map { _ in UInt8(dice.pick(256)) }
      }
    }
    if dice.happens(4) { rows.removeLast(dice.pick(1...rows.count)) }
    if dice.happens(4) { rows += [1, 2, 3, 4, 5, 6, 7] }
    return rows
  }

  /// A stream of deflate in blocks that are stored as they are, with its sum.
  static func packed(_ plain: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var packed: [UInt8] = [0x78, 0x01]
    let length = dice.happens(20) ? max(1, plain.count / 3) : 65535
    var place = 0
    repeat {
      let end = min(plain.count, place + length)
      let count = end - place
      packed += [end == plain.count ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF)]
      packed += plain[place..<end]
      place = end
    } while place < plain.count
    return packed + number(Int(PNGSums.adler(plain)), 4)
  }
}

/// WAV files of every kind that is read, and of some that are not.
enum WAVMaker {
  static func file(_ dice: inout Dice) -> [UInt8] {
    let (tag, bits) = dice.pick(from: [(1, 8), (1, 16), (1, 24), (1, 32), (3, 32), (3, 64), (0xFFFE, 16), (0xFFFE, 32), (6, 8)])
    let channels = dice.pick(from: [1, 1, 2, 2, 3, 6]), rate = dice.pick(from: [44100, 48000, 8000, 192_000, 1])
    let block = channels * bits / 8
    var format = number(tag, 2) + number(channels, 2) + number(rate, 4) + number(rate * block, 4) + number(block, 2) + number(bits, 2)
    if tag == 0xFFFE {
      format += number(22, 2) + number(bits, 2) + number(3, 4) + number(dice.happens(50) ? 1 : 3, 2)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    var chunks = chunk("fmt ", format)
    if dice.happens(30) { chunks += chunk("LIST", (0..<dice.pick(0...33)).map { _ in UInt8(dice.pick(256)) }) }
    let frames = dice.pick(from: [0, 1, 7, 600, 3000])
    chunks += chunk("data", (0..<frames * block + dice.pick(from: [0, 0, 0, 1])).map { _ in UInt8(dice.pick(256)) })
    return Array("RIFF".utf8) + number(chunks.count + 4, 4) + Array("WAVE".utf8) + chunks
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + number(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

/// Makes small volumes, now and then with a header that no volume has.
enum VolumeMaker {
  static func file(_ dice: inout Dice) -> [UInt8] {
    let side = dice.pick(from: [1, 2, 3, 8, 16]), slices = dice.pick(from: [1, 2, 5, 16])
    let channels = dice.pick(weighted: [(30, 1), (20, 2), (20, 3), (25, 4), (5, 7)]),
      format = dice.pick(weighted: [(60, 0), (35, 10), (5, 3)])
    let rows = dice.happens(5) ? side + 1 : side, stored = dice.happens(5) ? 0x4000_0000 : slices
    let count = side * rows * slices * channels * (format == 10 ? 4 : 1)
    let header = [(side, 4), (rows, 4), (stored, 4), (channels, 1), (0, 1), (format, 2)].flatMap { value, count in
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return Array("BIN\0".utf8) + header + (0..<count).map { _ in UInt8(dice.pick(256)) }
  }
}

/// Texts that the tree of specimens has no small ones of.
enum MadeTexts {
  static let files = [
    "picture.glsl": """
    void mainImage(out vec4 color, vec2 place) {
      vec2 uv = place / iResolution.xy;
      color = texture(iChannel0, uv) + texelFetch(iChannel0, ivec2(place), 0) + textureLod(iChannel0, uv, 2.0);
    }
    """,
    "fog.json": #"""
    {"Shader": {"ver": "0.1", "info": {"id": "XxXxXx", "name": "Fog"}, "renderpass": [{"name": "Image", "type": "image", "inputs": [
      {"id": 1, "src": "/media/a/fog.bin", "ctype": "volume", "channel": 0, "sampler": {"filter": "mipmap", "wrap": "repeat"}}],
      "outputs": [{"id": 37, "channel": 0}],
      "code": "void mainImage(out vec4 c, vec2 p) { vec3 q = vec3(p, 0.3); c = texture(iChannel0, q / 9.0) + textureLod(iChannel0, q, 2.0) + texelFetch(iChannel0, ivec3(p, 0), 0) + iChannelResolution[0].xyzz; }"}]}}
    """#,
    "sound.glsl": """
    void mainImage(out vec4 color, vec2 place) {
      color = vec4(texture(iChannel0, vec2(place.x / iResolution.x, 0.25)).r, texelFetch(iChannel0, ivec2(place.x, 1), 0).r, iChannelTime[0], 1);
    }
    """,
    "hand.glsl": """
    void mainImage(out vec4 color, vec2 place) {
      color = iMouse / 100.0 + vec4(place, float(iFrame), 1.0) * 0.01;
    }
    """,
    "disc.glsl": """
    /*{
      "ETALON": 1,
      "INPUTS": [
        { "NAME": "level", "TYPE": "float", "MIN": -100, "MAX": 100, "DEFAULT": 0.5 },
        { "NAME": "center", "TYPE": "point2D", "DEFAULT": [8, 8] }
      ]
    }*/
    vec4 colorKernel() { return vec4(vec3(level * (1.0 - smoothstep(2.0, 4.0, distance(POSITION, center)))), 1.0); }
    """,
    "level.csv": "frame, level, x, y\n0, 0.2, 8, 1\n1, 0.9, 16, 2\n4,    , 8, 3\n8, 0.5, 0, 4\n",
    "strokes.csv": "0, mouse, down, 2, 6\n1f, mouse, move, 3, 6\n2f, mouse, up, 3, 7\n0.1, key, down, a\n0.5, key, up, a\n",
    "remember.glsl": """
    /*{
      "ETALON": 1,
      "INPUTS": [ { "NAME": "share", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.5 } ],
      "PASSES": [ { "TARGET": "kept", "PERSISTENT": true, "FLOAT": true, "KERNEL": "keep" }, { "KERNEL": "show" } ]
    }*/
    vec4 keep() { return fract(vec4(POSITION, TIME, 1.0) * share + texelFetch(kept, ivec2(POSITION), 0)); }
    vec4 show() { return texelFetch(kept, ivec2(POSITION), 0); }
    """,
    "trail.glsl": """
    // Every pixel remembers.
    #define KEEP 0.9
    void mainImage(out vec4 color, vec2 place) {
      color = texelFetch(iChannel0, ivec2(place), 0) * KEEP + vec4(fract(place * 0.1), iTime, 1.0);
    }
    """,
    "sum.comp": """
    #version 450
    layout(local_size_x = 8, local_size_y = 8) in;
    layout(binding = 0, rgba8) uniform readonly image2D source;
    layout(binding = 1, rgba8) uniform writeonly image2D result;
    layout(push_constant) uniform Values { float gain; int reach; } values;
    shared vec4 parts[64];
    void main() {
      ivec2 place = ivec2(gl_GlobalInvocationID.xy);
      parts[gl_LocalInvocationIndex] = imageLoad(source, place);
      barrier();
      vec4 sum = vec4(0.0);
      for (int i = 0; i < 8; i++) sum += parts[(gl_LocalInvocationIndex + uint(i)) % 64u];
      imageStore(result, place, sum * values.gain / 8.0);
    }
    """,
  ]
}

/// EXR files of scanlines that are stored as they are, or in runs, so that every pixel is read.
enum EXRMaker {
  static func file(_ dice: inout Dice) -> [UInt8] {
    let names = dice.pick(from: [
      ["B", "G", "R"], ["A", "B", "G", "R"], ["Y"], ["A", "Y"], ["A", "B", "G", "R", "Z"], ["B", "G", "R", "right.R"],
    ])
    let types = names.map { _ in dice.pick(weighted: [(10, 0), (50, 1), (40, 2)]) }
    let (width, height) = (dice.pick(1...17), dice.pick(1...17)), isInRuns = dice.happens(30)
    let left = dice.happens(70) ? 0 : dice.pick(-5...5), top = dice.happens(70) ? 0 : dice.pick(-5...5)
    // In some files the header does not agree with the content.
    let lies = dice.happens(35)
    func lie(_ number: Int, _ dice: inout Dice) -> Int { lies && dice.happens(3) ? Int(dice.pick(from: HostileNumbers.words32)) : number }
    var list: [UInt8] = []
    for (name, type) in zip(names, types) {
      list += Array(name.utf8) + [0] + number(lie(type, &dice), 4) + [0, 0, 0, 0] + number(lie(1, &dice), 4) + number(1, 4)
    }
    let data = [left, top, left + width - 1, top + height - 1].flatMap { number(lie($0, &dice), 4) }
    let margin = dice.happens(70) ? 0 : dice.pick(-2...6)
    let display = [left - margin, top - margin, left + width - 1 + margin, top + height - 1 + margin]
    func float(_ value: Float, _ dice: inout Dice) -> [UInt8] {
      number(Int(dice.happens(6) ? dice.pick(from: HostileNumbers.words32) : value.bitPattern), 4)
    }
    var attributes: [[UInt8]] = [
      attribute("channels", "chlist", list + [0]),
      attribute("compression", "compression", [dice.happens(2) ? UInt8(dice.pick(12)) : isInRuns ? 1 : 0]),
      attribute("dataWindow", "box2i", data),
      attribute("displayWindow", "box2i", display.flatMap { number(lie($0, &dice), 4) }),
      attribute("lineOrder", "lineOrder", [dice.happens(5) ? UInt8(dice.pick(4)) : 0]),
      attribute("pixelAspectRatio", "float", float(1, &dice)),
      attribute("screenWindowCenter", "v2f", float(0, &dice) + float(0, &dice)),
      attribute("screenWindowWidth", "float", float(1, &dice)),
    ]
    if dice.happens(30) { attributes.append(attribute("chromaticities", "chromaticities", (0..<8).flatMap { _ in float(0.3, &dice) })) }
    if dice.happens(30) { attributes.append(attribute("Software", "string", Array("Etalon 1".utf8))) }
    if dice.happens(3) { attributes.remove(at: dice.pick(attributes.count)) }
    let header = [0x76, 0x2F, 0x31, 0x01] + number(2, 4) + attributes.flatMap(\.self) + [0]
    let rowLength = types.reduce(0) { $0 + ($1 == 1 ? 2 : 4) * width }
    var blocks: [[UInt8]] = []
    for row in 0..<height {
      let pixels = isInRuns ? runs(of: rowLength, &dice) : self.pixels(types, width, &dice)
      blocks.append(number(lie(top + row, &dice), 4) + number(lie(pixels.count, &dice), 4) + pixels)
    }
    var place = header.count + 8 * height, table: [UInt8] = []
    for block in blocks {
      table += number(lie(place, &dice), 8)
      place += block.count
    }
    return header + table + blocks.flatMap(\.self)
  }

  /// The components of a row, one behind the other: mostly of usual size, sometimes infinite or no number.
  private static func pixels(_ types: [Int], _ width: Int, _ dice: inout Dice) -> [UInt8] {
    var row: [UInt8] = []
    for type in types {
      for _ in 0..<width {
        let value = dice.happens(90) ? Float(dice.pick(2000)) / 1000 : Float(bitPattern: dice.pick(from: HostileNumbers.words32))
        switch type {
        case 1: row += number(dice.happens(90) ? 0x3000 + dice.pick(0xC00) : dice.pick(1 << 16), 2)
        case 2: row += number(Int(value.bitPattern), 4)
        default: row += number(Int(value.bitPattern >> 8), 4)
        }
      }
    }
    return row
  }

  /// Runs of bytes that give so many; a row that they do not make shorter is stored as it is.
  private static func runs(of count: Int, _ dice: inout Dice) -> [UInt8] {
    var packed: [UInt8] = [], left = count
    while left > 0 {
      let length = min(left, dice.pick(1...128))
      if dice.happens(70) {
        packed += [UInt8(length - 1), UInt8(dice.pick(256))]
      } else {
        packed += [UInt8(truncatingIfNeeded: -length)] + (0..<length).map { _ in UInt8(dice.pick(256)) }
      }
      left -= length
    }
    return packed.count < count ? packed : [UInt8](repeating: 7, count: count)
  }

  private static func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
    Array(name.utf8) + [0] + Array(type.utf8) + [0] + number(value.count, 4) + value
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}
