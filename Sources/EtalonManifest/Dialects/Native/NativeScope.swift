internal import EtalonTypes

/// What every native kernel may mention without declaring it.
enum NativeScope {
  /// In the order in which they stand in the block.
  static let uniforms: [Uniform] = [
    Uniform(name: "RENDERSIZE", type: .vec2, meaning: .targetSize),
    Uniform(name: "TIME", type: .float, meaning: .time),
    Uniform(name: "TIMEDELTA", type: .float, meaning: .timeDelta(onFirstFrame: 0)),
    Uniform(name: "FRAMEINDEX", type: .int, meaning: .frameIndex),
    Uniform(name: "DATE", type: .vec4, meaning: .date(january: 1)),
    Uniform(name: "PROGRESS", type: .float, meaning: .progress),
    Uniform(name: "DURATION", type: .float, meaning: .duration),
    Uniform(name: "RATE", type: .float, meaning: .frameRate),
    Uniform(name: "ITERATION", type: .int, meaning: .iteration),
  ]

  /// Functions over images.
  static let functions: [String: NameHints.Function] = [
    "IMG_PIXEL": .init([["image", "vec2 position"]]), "IMG_NORM_PIXEL": .init([["image", "vec2 place"]]),
    "IMG_THIS_PIXEL": .init([["image"]]), "IMG_SIZE": .init([["image"]]),
    "IMG_LOAD": .init(
      [["image", "ivec2 position"]], help: "write 'ivec2(position)' for a position that is a vec2, or read it with IMG_PIXEL"),
    "IMG_INSIDE": .init([["image", "ivec2 position"], ["image", "vec2 position"]]),
    "IMG_STORE": .init(
      [["target", "ivec2 position", "vec4 color"]], dropped: 1, help: "write 'ivec2(position)' for a position that is a vec2"),
  ]

  static let names = Set(uniforms.map(\.name) + ["PASSINDEX", "POSITION", "LOCAL_INDEX"] + functions.keys)

  /// What other dialects call the uniforms.
  static let elsewhere = [
    "iTime": "TIME", "u_time": "TIME", "time": "TIME", "iResolution": "RENDERSIZE", "u_resolution": "RENDERSIZE",
    "resolution": "RENDERSIZE", "iFrame": "FRAMEINDEX", "frame": "FRAMEINDEX", "iTimeDelta": "TIMEDELTA", "iDate": "DATE",
    "iFrameRate": "RATE", "progress": "PROGRESS",
  ]

  /// What people who come from other dialects write.
  static func hints(_ header: NativeHeader) -> NameHints {
    let own = header.parameters.map(\.name) + header.images.map(\.input.name) + header.buffers.map(\.name)
    let image = header.images.first?.input.name
    var here = elsewhere.merging([
      "fragCoord": "POSITION", "gl_FragCoord": "POSITION", "isf_FragNormCoord": "POSITION / RENDERSIZE",
      "vv_FragNormCoord": "POSITION / RENDERSIZE", "IMG_THIS_NORM_PIXEL": "IMG_THIS_PIXEL", "gl_LocalInvocationIndex": "LOCAL_INDEX",
    ]) { first, _ in first }
    if let image { for name in ["iChannel0", "inputImage", "tex", "u_texture"] where name != image { here[name] = image } }
    return NameHints(offered: names.sorted() + own, here: here, functions: functions)
  }
}
