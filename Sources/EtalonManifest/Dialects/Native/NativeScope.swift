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
  static let functions = ["IMG_PIXEL", "IMG_NORM_PIXEL", "IMG_THIS_PIXEL", "IMG_LOAD", "IMG_SIZE", "IMG_INSIDE", "IMG_STORE"]

  static let names = Set(uniforms.map(\.name) + ["PASSINDEX", "POSITION", "LOCAL_INDEX"] + functions)

  /// What people who come from other dialects write.
  static func hints(_ header: NativeHeader) -> NameHints {
    let own = header.parameters.map(\.name) + header.images.map(\.input.name) + header.buffers.map(\.name)
    let image = header.images.first?.input.name
    var here = [
      "iTime": "TIME", "u_time": "TIME", "time": "TIME", "iResolution": "RENDERSIZE", "u_resolution": "RENDERSIZE",
      "resolution": "RENDERSIZE",
      "iFrame": "FRAMEINDEX", "frame": "FRAMEINDEX", "iTimeDelta": "TIMEDELTA", "iDate": "DATE", "iFrameRate": "RATE",
      "progress": "PROGRESS",
      "fragCoord": "POSITION", "gl_FragCoord": "POSITION", "isf_FragNormCoord": "POSITION / RENDERSIZE",
      "vv_FragNormCoord": "POSITION / RENDERSIZE", "IMG_THIS_NORM_PIXEL": "IMG_THIS_PIXEL", "gl_LocalInvocationIndex": "LOCAL_INDEX",
    ]
    if let image { for name in ["iChannel0", "inputImage", "tex", "u_texture"] where name != image { here[name] = image } }
    return NameHints(offered: names.sorted() + own, here: here)
  }
}
