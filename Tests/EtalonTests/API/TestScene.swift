import Etalon
import Foundation

/// Pictures and filters for tests of images, in a folder that is gone when the test is over.
struct TestScene {
  let folder: TemporaryFolder
  let photo: Image
  /// The path of the picture that `photo` was read from.
  let photoPath: String
  let library: FilterLibrary

  init() throws {
    folder = try TemporaryFolder()
    photoPath = try folder.picture("photo.png", PluginPicture.size, PluginPicture.color)
    photo = try Image(contentsOf: photoPath)
    library = try FilterLibrary(directory: Self.plugins)
  }

  static var plugins: String { root.appending(path: "Plugins").path }
  private static var root: URL {
    TestShot.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  /// A filter of the folder `Shaders`.
  func shader(_ name: String) throws -> Filter {
    try Filter(contentsOf: TestShot.folder.appending(path: name.contains(".") ? name : "\(name).glsl").path)
  }
}

extension TestDevice {
  var context: RenderContext {
    get throws { try RenderContext(device: self == .cpu ? .cpu : .vulkan(index: 0)) }
  }
}

extension Frame {
  /// The pixels as tests look at them.
  var picture: TestPicture { TestPicture(size: pixels.size, bytes: pixels.bytes, bytesPerChannel: pixels.format.bytesPerChannel) }
}
