internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// The pieces that a pass over pixels is done in, one after the other, and the memory that it writes pixels of outputs into meanwhile.
///
/// **Concurrency**: used by one frame at a time.
struct PassPieces: Sendable {
  let regions: [DispatchRegion]
  private let whole: DispatchRegion
  /// For each output that the pass writes, its number and room for the largest piece.
  private let scratch: [(output: Int, description: Plan.Output, block: ByteBlock)]

  init(of whole: DispatchRegion, cut tiles: DispatchTiles, _ pass: Plan.Pass, in plan: Plan) throws(RenderError) {
    self.whole = whole
    regions = tiles.cut(whole)
    let largest = min(tiles.width, whole.endX - whole.originX) * min(tiles.height, whole.endY - whole.originY)
    var scratch: [(output: Int, description: Plan.Output, block: ByteBlock)] = []
    for case .output(let number) in pass.bindings.values {
      let output = plan.outputs[number]
      // Behind the pixels there is room for the mark, as there is behind those of a whole output.
      let byteCount = (largest + 1) * max(output.format.bytesPerPixel, 4)
      scratch.append((number, output, try ByteBlock(byteCount: byteCount, name: "a piece of output '\(output.name)'")))
    }
    self.scratch = scratch
  }

  /// Makes ready for the next piece.
  func begin() { for (_, _, block) in scratch { block.clear() } }

  /// The outputs, with those that the pass writes replaced.
  func outputs(_ outputs: [ByteBlock]) -> [ByteBlock] {
    var outputs = outputs
    for (number, _, block) in scratch { outputs[number] = block }
    return outputs
  }

  /// Copies the pixels of a piece, and the mark, to where they belong.
  func end(_ piece: DispatchRegion, in outputs: [ByteBlock]) {
    let width = piece.endX - piece.originX, height = piece.endY - piece.originY
    for (number, description, block) in scratch {
      let pixel = description.format.bytesPerPixel, target = outputs[number]
      for row in 0..<height {
        // Both have the top row first.
        let place = (whole.endY - piece.endY + row) * (whole.endX - whole.originX) + piece.originX - whole.originX
        unsafe target.start.advanced(by: place * pixel).update(from: block.start.advanced(by: row * width * pixel), count: width * pixel)
      }
      let mark = (width * height * pixel + 3) / 4 * 4
      let isMarked = (mark..<mark + max(pixel, 4)).contains { unsafe block.start[$0] != 0 }
      if isMarked { unsafe target.start[description.offsetOfMark(behindRows: description.size.height)] = 1 }
    }
  }
}
