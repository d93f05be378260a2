internal import EtalonTypes

/// Writes what stands in front of a native text: declarations, helper functions and `main`.
struct NativeProgram {
  /// A storage buffer with its name in the text.
  struct Buffer {
    let buffer: FilterBuffer
    let name: String
    let binding: Int
  }

  let kernel: NativeKernel
  let uniforms: [Uniform]
  let textures: [(name: String, binding: Int)]
  let buffers: [Buffer]
  let stores: [(target: String, binding: Int)]
  let localSize: [Int]
  let passIndex: Int
  let images: NativeImageFunctions
  /// Every identifier of the rewritten text and of what it needs.
  let mentioned: Set<String>
  /// The expressions for the arguments of a color kernel.
  let arguments: [String]
  /// The expression that gives the color of a pixel; empty for a color kernel or a compute kernel.
  let result: String

  /// The name of a buffer's block.
  static func block(_ buffer: String) -> String { "EtalonBuffer_" + buffer }

  private var pixels: PixelProgram { PixelProgram(uniforms: uniforms, textures: textures, mentioned: mentioned) }

  var usesQuads: Bool { kernel.form != .compute && pixels.usesQuads }

  /// The tokens in front of the author's; extensions have to come right behind the version.
  func tokens(extensions: [Token]) -> [Token] {
    let text = kernel.form == .compute ? computeDeclarations + computeHelpers : pixels.declarations + bufferDeclarations + pixelHelpers
    let version = "#version 450\n"
    return Lexer.tokens(ofAddedText: version) + extensions + Lexer.tokens(ofAddedText: text.dropFirst(version.count) + main)
  }

  // MARK: kernels that return a color

  private var pixelHelpers: String { pixels.helpers + scope + images.text }

  // MARK: compute kernels

  private var computeDeclarations: String {
    let sizes = zip(["x", "y", "z"], localSize).map { "local_size_\($0) = \($1)" }.joined(separator: ", ")
    let images = stores.map { "layout(set = 0, binding = \($0.binding)) uniform writeonly image2D \(NativeStores.image($0.target));\n" }
    return "#version 450\nlayout(\(sizes)) in;\n" + BoundDeclarations.uniforms(uniforms) + BoundDeclarations.textures(textures)
      + bufferDeclarations + images.joined()
  }

  private var computeHelpers: String {
    var text = "ivec2 etalonPixel = ivec2(gl_GlobalInvocationID.xy);\n" + scope
    if mentioned.contains("LOCAL_INDEX") { text += "int LOCAL_INDEX = int(gl_LocalInvocationIndex);\n" }
    return text + TextureFunctions.text(for: mentioned) + images.text + stores.map { store($0.target) }.joined()
  }

  /// Stores outside of the target are dropped.
  private func store(_ target: String) -> String {
    let image = NativeStores.image(target)
    return """
      void \(NativeStores.function(target))(ivec2 position, vec4 color) {
        ivec2 size = imageSize(\(image));
        bool isInside = all(greaterThanEqual(position, ivec2(0))) && all(lessThan(position, size));
        if (isInside) imageStore(\(image), position, color);
      }

      """
  }

  // MARK: both

  private var bufferDeclarations: String {
    buffers.map { buffer in
      let length = Int(buffer.buffer.count.text).map(String.init) ?? ""
      return "layout(set = 0, binding = \(buffer.binding), std430) buffer \(Self.block(buffer.buffer.name)) "
        + "{ \(buffer.buffer.type.rawValue) \(buffer.name)[\(length)]; };\n"
    }.joined()
  }

  private var scope: String {
    let needsPosition = mentioned.contains("POSITION") || mentioned.contains { $0.contains("IMG_THIS_PIXEL") }
    return (needsPosition ? "vec2 POSITION = vec2(etalonPixel) + 0.5;\n" : "")
      + (mentioned.contains("PASSINDEX") ? "const int PASSINDEX = \(passIndex);\n" : "")
  }

  private var main: String {
    guard kernel.form != .compute else {
      return "\(kernel.prototype)\nvoid main() {\n  \(kernel.name)(etalonPixel);\n}\n"
    }
    guard kernel.form == .color else { return "\(kernel.prototype)\nvoid main() {\n  etalonStore(\(result));\n}\n" }
    let calls = NativeColors(arguments)
    return calls.declarations + "\(kernel.prototype)\nvoid main() {\n\(calls.variables)  etalonStore(\(kernel.name)(\(calls.names)));\n}\n"
  }
}
