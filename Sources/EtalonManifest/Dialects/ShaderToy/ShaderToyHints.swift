/// What people who come from other players call the uniforms of ShaderToy.
enum ShaderToyHints {
  static let hints = NameHints(
    offered: ShaderToyUniforms.names.filter { $0 != "iGlobalTime" }.sorted() + ShaderToyUniforms.channels,
    here: [
      "u_time": "iTime", "uTime": "iTime", "time": "iTime", "TIME": "iTime", "globalTime": "iTime", "u_resolution": "iResolution",
      "uResolution": "iResolution", "resolution": "iResolution", "RENDERSIZE": "iResolution", "u_mouse": "iMouse", "uMouse": "iMouse",
      "mouse": "iMouse", "frame": "iFrame", "u_frame": "iFrame", "FRAMEINDEX": "iFrame", "DATE": "iDate", "TIMEDELTA": "iTimeDelta",
      "backbuffer": "iChannel0", "u_texture": "iChannel0", "u_tex0": "iChannel0", "inputImage": "iChannel0",
    ])
}
