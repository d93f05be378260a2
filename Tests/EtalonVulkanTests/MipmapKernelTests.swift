import EtalonTypes
import Foundation
import Testing

@testable import EtalonVulkan

@Suite struct MipmapKernelTests {
  /// `Scripts/embed-kernels` has to run after a change of the text.
  @Test func wordsWereMadeFromTheText() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try Data(contentsOf: root.appending(path: "Sources/EtalonVulkan/Execution/mipmaps.comp"))
    #expect(ContentHash(of: [UInt8](text)).description == MipmapKernel.textHash)
  }
}
