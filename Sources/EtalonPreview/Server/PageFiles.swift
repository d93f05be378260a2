internal import Foundation

/// The files of the page, which are part of the program.
enum PageFiles {
  private static let files: [String: [UInt8]] = [
    "page.html": PackageResources.page_html,
    "controls.css": PackageResources.controls_css,
    "page.css": PackageResources.page_css,
    "panels.css": PackageResources.panels_css,
    "angle-control.js": PackageResources.angle_control_js,
    "color-control.js": PackageResources.color_control_js,
    "connection.js": PackageResources.connection_js,
    "controls.js": PackageResources.controls_js,
    "curve.js": PackageResources.curve_js,
    "diagnostics.js": PackageResources.diagnostics_js,
    "dialogs.js": PackageResources.dialogs_js,
    "dom.js": PackageResources.dom_js,
    "editor.js": PackageResources.editor_js,
    "frames.js": PackageResources.frames_js,
    "glsl.js": PackageResources.glsl_js,
    "handles.js": PackageResources.handles_js,
    "help.js": PackageResources.help_js,
    "history.js": PackageResources.history_js,
    "icons.js": PackageResources.icons_js,
    "inputs.js": PackageResources.inputs_js,
    "keyframes.js": PackageResources.keyframes_js,
    "keys.js": PackageResources.keys_js,
    "layout.js": PackageResources.layout_js,
    "main.js": PackageResources.main_js,
    "notices.js": PackageResources.notices_js,
    "overlay.js": PackageResources.overlay_js,
    "parameters.js": PackageResources.parameters_js,
    "pointer.js": PackageResources.pointer_js,
    "scrubber.js": PackageResources.scrubber_js,
    "slider-scale.js": PackageResources.slider_scale_js,
    "sound.js": PackageResources.sound_js,
    "stage.js": PackageResources.stage_js,
    "store.js": PackageResources.store_js,
    "times.js": PackageResources.times_js,
    "transport.js": PackageResources.transport_js,
    "value-text.js": PackageResources.value_text_js,
  ]

  /// Names a folder that the page is read from instead of the program, anew for each request.
  ///
  /// Those who work on the page set it, as `Tests/Preview/driver.py` does, which looks at the page of its source tree without a new build.
  private static let folderVariable = "ETALON_PREVIEW_PAGE"

  /// The bytes of a file of the page; nil where there is none of this name.
  static func bytes(of name: String) -> Data? {
    if let folder = ProcessInfo.processInfo.environment[folderVariable], !name.contains("/") {
      return FileManager.default.contents(atPath: "\(folder)/\(name)")
    }
    return files[name].map { Data($0) }
  }

  /// What a file is, by the ending of its name.
  static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
