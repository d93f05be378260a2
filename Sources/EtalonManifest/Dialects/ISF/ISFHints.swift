/// What people who come from other players call the variables of ISF.
enum ISFHints {
  /// The hints for a filter with inputs and targets of some names.
  static func hints(_ names: [String]) -> NameHints {
    NameHints(
      offered: ISFUniforms.names.sorted() + ["gl_FragColor", "gl_FragCoord"] + names + [
        "IMG_PIXEL", "IMG_NORM_PIXEL", "IMG_THIS_PIXEL", "IMG_THIS_NORM_PIXEL", "IMG_SIZE",
      ],
      here: [
        "iTime": "TIME", "iGlobalTime": "TIME", "time": "TIME", "u_time": "TIME", "iTimeDelta": "TIMEDELTA", "iFrame": "FRAMEINDEX",
        "iDate": "DATE", "iResolution": "RENDERSIZE", "resolution": "RENDERSIZE", "u_resolution": "RENDERSIZE",
        "iChannel0": "inputImage", "fragCoord": "gl_FragCoord", "fragColor": "gl_FragColor", "uv": "isf_FragNormCoord",
      ],
      functions: [
        "IMG_PIXEL": .init([["image", "vec2 position"]]), "IMG_NORM_PIXEL": .init([["image", "vec2 place"]]),
        "IMG_THIS_PIXEL": .init([["image"]]), "IMG_THIS_NORM_PIXEL": .init([["image"]]), "IMG_NORM_THIS_PIXEL": .init([["image"]]),
        "IMG_SIZE": .init([["image"]]),
      ])
  }
}
