internal import EtalonTypes

/// The uniforms that a ShaderToy player declares for every shader.
enum ShaderToyUniforms {
  /// In the order in which they stand in the block, for a pass whose channels read these sources; nil has no size.
  static func all(channels: [PassTexture.Source?]) -> [Uniform] {
    [
      Uniform(name: "iResolution", type: .vec3, meaning: .targetSize),
      Uniform(name: "iTime", type: .float, meaning: .time),
      Uniform(name: "iGlobalTime", type: .float, meaning: .time),
      Uniform(name: "iTimeDelta", type: .float, meaning: .timeDelta(onFirstFrame: 1.0 / 60)),
      Uniform(name: "iFrameRate", type: .float, meaning: .frameRate),
      Uniform(name: "iFrame", type: .int, meaning: .frameIndex),
      Uniform(name: "iMouse", type: .vec4, meaning: .mouse),
      Uniform(name: "iDate", type: .vec4, meaning: .date(january: 0)),
      Uniform(name: "iSampleRate", type: .float, meaning: .sampleRate),
      Uniform(name: "iChannelTime", type: .float, arrayLength: 4, meaning: .inputTimes(channels)),
      Uniform(name: "iChannelResolution", type: .vec3, arrayLength: 4, meaning: .textureSizes(channels)),
      // Natron places inputs; here all lie at the origin.
      Uniform(name: "iChannelOffset", type: .vec2, arrayLength: 4, meaning: .fixed([Double](repeating: 0, count: 8))),
    ]
  }

  static let names = Set(all(channels: []).map(\.name))

  /// Names of other times and hosts, to which a text may give a meaning of its own.
  static let yielding: Set<String> = ["iGlobalTime", "iChannelOffset"]

  /// The channels, in the order of their bindings.
  static let channels = ["iChannel0", "iChannel1", "iChannel2", "iChannel3"]
}

/// Uniforms that other hosts of ShaderToy files set and a ShaderToy player does not know; they become parameters with these values.
enum HostUniforms {
  struct HostUniform {
    let host: String
    let value: Value
  }

  static let all: [String: HostUniform] = {
    var all: [String: HostUniform] = [:]
    func add(_ host: String, _ type: ValueType, _ components: [Double], _ names: String...) {
      for name in names { all[name] = HostUniform(host: host, value: Value(type, components)) }
    }
    add("Ghostty", .vec4, [0, 0, 10, 20], "iCurrentCursor", "iPreviousCursor")
    add("Ghostty", .vec4, [1, 1, 1, 1], "iCurrentCursorColor", "iPreviousCursorColor")
    add("Ghostty", .float, [0], "iTimeCursorChange", "iTimeFocus")
    add("Ghostty", .int, [1], "iFocus")
    add("Ghostty", .vec3, [0, 0, 0], "iBackgroundColor")
    add("Ghostty", .vec3, [1, 1, 1], "iForegroundColor", "iCursorColor")
    add("Natron", .vec2, [1, 1], "iRenderScale")
    add("an editor extension", .mat4, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "iViewMatrix")
    return all
  }()
}
