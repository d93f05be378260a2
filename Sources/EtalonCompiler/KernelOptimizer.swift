package import EtalonDiagnostics
internal import EtalonManifest
package import EtalonSPIRV
internal import EtalonSystem

/// What the compiler is.
package enum CompilerFacts {
  /// Its parts with their versions: `glslang 12.0.0, SPIRV-Tools v2023.1`.
  package static let text = Glslang.identity.split(separator: ";").prefix(2).map { part in
    part.split(separator: " ").prefix(2).joined(separator: " ")
  }.joined(separator: ", ")
}

/// Makes kernels shorter, as the compiler does at its highest level of optimization: functions are inlined, loops unrolled, what is not needed removed.
///
/// No float is worked out beforehand and no multiplication is contracted, so that a kernel without undefined behavior stores the same bits as before.
///
/// **Concurrency**: may be used from any number of threads at once; a call blocks its thread.
package enum KernelOptimizer {
  private static let headerLength = 5
  /// What makes the optimizer leave floats alone: `OpCapability SignedZeroInfNanPreserve`.
  ///
  /// Decorations would not do, because it forgets those of instructions that it copies.
  private static let capability: [UInt32] = [2 << 16 | 17, 4466]

  package static func optimize(_ kernel: Kernel) throws(RenderError) -> Kernel {
    var words = kernel.words
    words.insert(contentsOf: capability, at: min(headerLength, words.count))
    let task = try ThreadTask(.deep) { [words] in Result { () throws(Glslang.OutOfMemory) in try Glslang.optimize(words) } }
    let result: [UInt32]?
    do throws(Glslang.OutOfMemory) { result = try task.wait().get() } catch {
      throw RenderError(.outOfMemory, "cannot optimize kernel '\(kernel.name)'", operation: "spirv-opt", underlying: "out of memory")
    }
    guard let optimized = result else {
      throw RenderError(.internalError, "cannot optimize kernel '\(kernel.name)'", operation: "spirv-opt")
    }
    return Kernel(name: kernel.name, words: withoutCapability(optimized), interface: kernel.interface)
  }

  private static func withoutCapability(_ words: [UInt32]) -> [UInt32] {
    let places = stride(from: headerLength, to: words.count - 1, by: 1)
    guard let start = places.first(where: { words[$0] == capability[0] && words[$0 + 1] == capability[1] }) else { return words }
    return Array(words[..<start] + words[(start + capability.count)...])
  }
}

// MARK: How much there is to inline

/// Refuses kernels that are too large once every call is replaced by the function that it calls, as every device does it.
struct InliningLimit {
  private let module: SPIRVModule
  private let lines: TokenLines
  private let pass: PassSource

  init(_ module: SPIRVModule, _ lines: TokenLines, _ pass: PassSource) {
    (self.module, self.lines, self.pass) = (module, lines, pass)
  }

  /// Throws what is wrong at the call that makes it too large.
  func check() throws(DiagnosticsError) {
    let sizes = InlinedSize(module)
    for entryPoint in module.entryPoints where sizes[entryPoint.function] > InlinedSize.most {
      let call = sizes.heaviestCall(from: entryPoint.function, above: InlinedSize.most)
      throw DiagnosticsError(diagnostic(sizes[entryPoint.function], call))
    }
  }

  private func diagnostic(_ size: Int, _ call: InlinedSize.Call?) -> Diagnostic {
    let count = size < InlinedSize.largest ? "\(size)" : "more than \(size)"
    var labels: [Diagnostic.Label] = []
    if let call, let line = module.location(call.position)?.line, let place = lines.origin(ofLine: line) {
      labels = [.init(place.source, place.call(of: name(call.callee)).range, "adds \(call.size) operations to '\(name(call.caller))'")]
    }
    return Diagnostic(
      "kernel.inlining",
      "pass '\(pass.name)' has \(count) operations once every call is replaced by the function that it calls, at most "
        + "\(InlinedSize.most) are possible", labels: labels,
      help: call.map { ["call '\(name($0.callee))' less often: keep its result in a variable, or call it in a loop"] }
        ?? ["make the pass shorter, or spread it over several passes"],
      notes: ["devices cannot call: a function is there once for each of its calls, and for each call of its callers"])
  }

  /// The name as the author wrote it; the compiler adds the types of the parameters.
  private func name(_ function: Id) -> String { String(module.name(function).prefix { $0 != "(" }) }
}

extension SourceRange {
  /// A call from its name on, which ends here: the compiler knows calls by their closing parenthesis, or by their last argument, as versions have it.
  fileprivate func call(of name: String) -> SourceRange {
    let bytes = source.bytes, name = Array(name.utf8)
    var start = range.lowerBound - name.count
    while start >= 0 {
      let isName = bytes[start..<start + name.count].elementsEqual(name)
      if isName, start == 0 || !Self.isOfName(bytes[start - 1]), !Self.isOfName(bytes[start + name.count]) {
        return SourceRange(source, start..<range.upperBound)
      }
      start -= 1
    }
    return self
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
