import EtalonPreview

/// The code of the article about the preview, which is compiled and not run: it serves until it is stopped.
enum PreviewSnippet {
  static func serving() async throws {
    var settings = PreviewSettings()
    settings.folders = ["shaders"]
    let session = try PreviewSession(file: "shaders/plasma.glsl", settings: settings)
    let server = try await PreviewServer(session)
    print(server.address)
    await server.wait()
  }
}
