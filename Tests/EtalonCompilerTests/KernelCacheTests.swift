import EtalonDiagnostics
import EtalonManifest
import EtalonSPIRV
import Foundation
import Testing

@testable import EtalonCompiler

@Suite struct KernelCacheTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-cache-\(UUID().uuidString)")
  private let source = Corpus.shader("  fragColor = vec4(fragCoord / iResolution.xy, 0.5, 1.0);")

  private var cache: KernelCache { KernelCache(directory: folder.path) }
  private var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

  private func key(_ source: SourceText, macros: [String: String] = [:], name: String = "test.image") throws -> CacheKey {
    CacheKey(lines: TokenLines(try Corpus.pass(of: source).source), macros: macros, name: name)
  }

  @Test func returnsWhatWasStored() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let compiled = try Corpus.compile(source, cache: cache)
    #expect(files.count == 1)
    let again = try Corpus.compile(source, cache: cache)
    #expect(again.kernel == compiled.kernel)
    #expect(files.count == 1)
  }

  @Test func doesNotCompileAgain() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let other = try Corpus.compile(Corpus.shader("  fragColor = vec4(0.25);"))
    let variant = StoreVariant(.packed8, alpha: .opaque)
    let log = "test.image:1: warning: '__x' : identifiers containing consecutive underscores (\"__\") are reserved\n"
    cache.store(CacheEntry(words: other.kernel.words, log: log), for: try key(source, macros: variant.macros))
    let compiled = try Corpus.compile(source, cache: cache, variant: variant)
    #expect(compiled.kernel.words == other.kernel.words)
    #expect(compiled.warnings.map(\.id) == ["internal.generated-source"])
  }

  @Test func keepsWarnings() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let warning = Corpus.shader("  float __d = fragCoord.x;\n  fragColor = vec4(__d);")
    let first = try Corpus.compile(warning, cache: cache).warnings
    #expect(first.map(\.id) == ["glsl.reserved-name"])
    #expect(try Corpus.compile(warning, cache: cache).warnings == first)
  }

  @Test func findsPlacesInTheTextOfNow() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try Corpus.compile(Corpus.shader("  float __d = fragCoord.x;\n  fragColor = vec4(__d);"), cache: cache)
    let moved = Corpus.shader("  // a comment\n\n      float __d = fragCoord.x;\n  fragColor = vec4(__d);")
    let warnings = try Corpus.compile(moved, cache: cache).warnings
    #expect(files.count == 1)
    #expect(DiagnosticPrinter().text(warnings).hasPrefix("test.glsl:6:13: warning:"))
  }

  @Test(arguments: [0, 15, 40, 90, 200]) func replacesDamagedFiles(_ offset: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let compiled = try Corpus.compile(source, cache: cache)
    let file = folder.appending(path: try #require(files.first))
    let whole = try Data(contentsOf: file)
    var damaged = whole
    damaged[offset] ^= 0x40
    for content in [damaged, whole.prefix(offset), Data()] {
      try content.write(to: file)
      #expect(try Corpus.compile(source, cache: cache).kernel == compiled.kernel)
      #expect(try Data(contentsOf: file) == whole)
    }
  }

  /// Entries with other content and right hashes; making them takes the right to write to the folder.
  @Test func replacesForgedEntries() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let compiled = try Corpus.compile(source, cache: cache), words = compiled.kernel.words
    let key = try key(source, macros: StoreVariant(.packed8, alpha: .opaque).macros)
    var damaged = words
    damaged[words.count - 1] ^= 1
    let error = "test.image:3: error: '' : syntax error, unexpected RIGHT_BRACE\n"
    for (words, log) in [([], ""), ([1, 2, 3], ""), (Array(words.prefix(words.count / 2)), ""), (damaged, ""), (words, error)] {
      cache.store(CacheEntry(words: words, log: log), for: key)
      let again = try Corpus.compile(source, cache: cache)
      #expect(again.kernel == compiled.kernel)
      #expect(again.warnings.isEmpty)
      #expect(cache.entry(for: key) == CacheEntry(words: compiled.kernel.words, log: ""))
    }
  }

  @Test func toleratesFoldersThatCannotBeUsed() throws {
    let compiled = try Corpus.compile(source)
    #expect(try Corpus.compile(source, cache: KernelCache(directory: "/dev/null/etalon")).kernel == compiled.kernel)
    #expect(try Corpus.compile(source, cache: KernelCache(directory: "/proc/etalon")).kernel == compiled.kernel)
  }

  @Test func isSharedByConcurrentUsers() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let expected = try Corpus.compile(source).kernel
    let kernels = await withTaskGroup(of: CompiledKernel?.self) { group in
      for _ in 0..<8 { group.addTask { [cache, source] in try? Corpus.compile(source, cache: cache) } }
      return await group.reduce(into: []) { $0.append($1?.kernel) }
    }
    #expect(kernels.count == 8)
    #expect(kernels.allSatisfy { $0 == expected })
    #expect(files.count == 1)
  }

  @Test func keyKnowsEverythingThatCounts() throws {
    let base = try key(source).hash
    #expect(try key(source).hash == base)
    #expect(try key(source, macros: ["A": "1"]).hash != base)
    #expect(try key(source, macros: ["A": "1"]).hash != key(source, macros: ["A": "2"]).hash)
    #expect(try key(source, name: "other.image").hash != base)
    #expect(try key(Corpus.shader("  fragColor = vec4(fragCoord / iResolution.xy, 0.6, 1.0);")).hash != base)
    #expect(Glslang.identity.hasPrefix("glslang "))
    #expect(Glslang.identity.contains("SPIRV-Tools"))
  }

  @Test func removesWhatIsUnusedForLongest() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let entry = CacheEntry(words: [UInt32](repeating: 7, count: 1000), log: "")
    let small = KernelCache(directory: folder.path, limit: 5 * (entry.fileBytes.count + 145))
    for index in 0..<8 {
      let key = try key(source, name: "filter\(index)")
      small.store(entry, for: key)
      let date = Date(timeIntervalSinceNow: Double(index - 100) * 100_000)
      let file = folder.appending(path: "\(key.hash).kernel")
      if FileManager.default.fileExists(atPath: file.path) {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
      }
    }
    // Reading marks the oldest one as used.
    let oldest = try key(source, name: "filter0")
    let hadOldest = small.entry(for: oldest) != nil
    small.prune()
    #expect(files.count == 3)
    #expect(hadOldest == (small.entry(for: oldest) != nil))
    #expect(small.entry(for: try key(source, name: "filter7")) != nil)
    #expect(small.entry(for: try key(source, name: "filter2")) == nil)
  }

  @Test func entriesSurviveTheirBytes() {
    let entry = CacheEntry(words: [0x0723_0203, 0, .max, 0x0102_0304], log: "a\nβ\n")
    #expect(CacheEntry(fileBytes: entry.fileBytes) == entry)
    #expect(CacheEntry(fileBytes: CacheEntry(words: [], log: "").fileBytes) == CacheEntry(words: [], log: ""))
    #expect(CacheEntry(fileBytes: Array(entry.fileBytes.prefix(20))) == nil)
  }
}
