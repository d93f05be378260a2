package import Etalon
internal import EtalonCPU
internal import EtalonCompiler
package import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlan
package import EtalonTypes

/// Renders a frame on the CPU executor and makes a picture of what one variable was last in every pixel.
///
/// **Concurrency**: an immutable value; running blocks.
package struct VariableProber: Sendable {
  /// Where the variable goes.
  package struct Files: Sendable {
    /// A PNG file.
    let picture: String
    /// A PFM file with the numbers as they are; nil for none.
    let numbers: String?
    let policy: ReplacePolicy

    /// - Parameter overwrites: whether files are replaced that Etalon did not write.
    package init(picture: String, numbers: String?, overwrites: Bool) {
      (self.picture, self.numbers) = (picture, numbers)
      policy = overwrites ? .anything : .ownFrames
    }
  }

  private let variable: String
  private let line: Int?
  private let pass: String?

  /// - Parameters:
  ///   - variable: what the author calls it, or a part of it: `color`, `hit.normal`, `weights[3]`.
  ///   - line: the line that assigns it; nil for whichever does last.
  ///   - pass: the name of a pass; nil for the one that renders the result.
  package init(variable: String, line: Int? = nil, pass: String? = nil) {
    self.variable = variable
    self.line = line
    self.pass = pass
  }

  /// Renders the last frame of a request and writes the files; nil where it was interrupted.
  ///
  /// Throws what `render` would, and `ProbeError`.
  package func run(_ request: RenderRequest, to files: Files, isInterrupted: () -> Bool = { false }) throws -> VariablePicture? {
    for path in [files.picture] + [files.numbers].compactMap(\.self) { try files.policy.check(path) }
    let request = request.observed
    let kernels = KernelStore(keepsLines: true)
    let log = VariableLog(variable, pass: pass) { [line] kernel, debugLine in
      guard let lines = kernels.lines(of: kernel), let place = lines.origin(ofLine: debugLine), !lines.isAddedValue(atLine: debugLine)
      else {
        return false
      }
      return line.map { $0 == place.source.position(at: place.range.lowerBound).line } ?? true
    }
    let shot = try ShotRenderer(picturing: kernels, log).prepare(request)
    try checkPass(in: shot)
    guard let frame = shot.frames.last, let pending = try shot.submit(frame, isInterrupted: isInterrupted) else { return nil }
    defer { pending.release() }
    try pending.wait()
    guard let logged = log.picture else { throw ProbeError.variable(variable, line: line, known: log.names) }
    let picture = VariablePicture(logged, warnings: shot.warnings + [shot.noteOfLength].compactMap(\.self))
    try shot.write(picture.pixels, to: files.picture, policy: files.policy)
    if let path = files.numbers { try picture.writeNumbers(to: path, policy: files.policy) }
    return picture
  }

  private func checkPass(in shot: Shot) throws(ProbeError) {
    let names = shot.plan.plan.passes.compactMap { pass in if case .pixels = pass.coverage { pass.name } else { nil } }
    if let pass, !names.contains(pass) { throw .pass(pass, known: names) }
  }
}

/// What a variable was in every pixel, as a picture.
///
/// One number is grey, two are red and green, three are red, green and blue; a fourth is not shown. Pixels that never got to the variable are
/// transparent, and those in which a number is NaN or infinite are magenta.
///
/// **Concurrency**: an immutable value.
package struct VariablePicture: Sendable {
  package let frame: Int
  package let size: Size
  package let componentCount: Int
  /// What black and white stand for; nil where no pixel has a finite number.
  package let range: ClosedRange<Float>?
  package let assignedCount: Int
  package let notFiniteCount: Int
  /// What loading had to say.
  package let warnings: [Diagnostic]
  let pixels: PixelBuffer
  /// `componentCount` numbers for each pixel, NaN where it was not assigned; the top row first.
  private let numbers: [Float]

  init(_ picture: VariableLog.Picture, warnings: [Diagnostic]) {
    let count = picture.componentCount, shown = min(count, 3)
    let numbers = (0..<picture.size.pixelCount).flatMap { pixel in
      (0..<count).map { picture.isAssigned[pixel] ? picture.scalar.number(picture.words[4 * pixel + $0]) : .nan }
    }
    let isFinite = (0..<picture.size.pixelCount).map { pixel in (0..<shown).allSatisfy { numbers[pixel * count + $0].isFinite } }
    let visible = isFinite.indices.filter { isFinite[$0] }.flatMap { pixel in (0..<shown).map { numbers[pixel * count + $0] } }
    range = visible.min().flatMap { low in visible.max().map { low...$0 } }
    (frame, size, componentCount, self.numbers, self.warnings) = (picture.frame, picture.size, count, numbers, warnings)
    assignedCount = picture.isAssigned.count { $0 }
    notFiniteCount = isFinite.indices.count { picture.isAssigned[$0] && !isFinite[$0] }
    let low = range?.lowerBound ?? 0, width = range.map { $0.upperBound - $0.lowerBound } ?? 0
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * isFinite.count)
    for pixel in isFinite.indices {
      guard picture.isAssigned[pixel] else {
        bytes += [0, 0, 0, 0]
        continue
      }
      guard isFinite[pixel] else {
        bytes += [255, 0, 255, 255]
        continue
      }
      let levels = (0..<shown).map { part -> UInt8 in
        let value = numbers[pixel * count + part]
        return width > 0 ? UInt8(((value / 2 - low / 2) / (width / 2) * 255).rounded()) : 128
      }
      bytes += shown == 1 ? [levels[0], levels[0], levels[0]] : shown == 2 ? levels + [0] : levels
      bytes.append(255)
    }
    pixels = PixelBuffer(size: picture.size, format: .rgba8, alpha: .straight, bytes: bytes)
  }

  /// Writes the numbers as a PFM file: 32-bit floats, the bottom row first; two numbers get a zero, and a fourth is left out.
  func writeNumbers(to path: String, policy: ReplacePolicy) throws(RenderError) {
    var bytes = [UInt8]("\(componentCount == 1 ? "Pf" : "PF")\n\(size.width) \(size.height)\n-1.0\n".utf8)
    for row in (0..<size.height).reversed() {
      for pixel in row * size.width..<(row + 1) * size.width {
        for part in 0..<(componentCount == 1 ? 1 : 3) {
          let word = (part < componentCount ? numbers[pixel * componentCount + part] : 0).bitPattern
          bytes += [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
        }
      }
    }
    let file = try AtomicFile(path, replacing: policy)
    let written = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(RenderError) in unsafe try file.write(bytes) }
    }
    try written.get()
    try file.commit()
  }
}

extension WatchSite.Scalar {
  /// What some bits mean as a number.
  func number(_ bits: UInt32) -> Float {
    switch self {
    case .float: Float(bitPattern: bits)
    case .signed: Float(Int32(bitPattern: bits))
    case .unsigned: Float(bits)
    case .boolean: bits == 0 ? 0 : 1
    }
  }
}
