import Foundation
import Testing

/// Compares the imports of every source file with the table of the architecture article.
@Suite struct LayeringTests {
  /// What each target may import, beside the Swift standard library and `systemModules`.
  private static let table: [String: Set<String>] = [
    "EtalonDiagnostics": [],
    "EtalonTypes": ["CCrypto"],
    "EtalonSystem": ["EtalonDiagnostics", "EtalonTypes"],
    "EtalonGLSL": ["EtalonDiagnostics", "EtalonTypes"],
    "EtalonManifest": ["EtalonDiagnostics", "EtalonTypes", "EtalonGLSL"],
    "EtalonDialects": ["EtalonDiagnostics", "EtalonTypes", "EtalonGLSL", "EtalonManifest"],
    "EtalonSPIRV": ["EtalonDiagnostics"],
    "EtalonCompiler": ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonGLSL", "EtalonManifest", "EtalonSPIRV", "CGlslang"],
    "EtalonPlan": ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonSPIRV"],
    "EtalonGraph": [
      "EtalonDiagnostics", "EtalonTypes", "EtalonGLSL", "EtalonManifest", "EtalonDialects", "EtalonSPIRV", "EtalonPlan", "Yams",
    ],
    "EtalonCPU": ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonSPIRV", "EtalonPlan", "CLaneKernels"],
    "EtalonIntervals": ["EtalonDiagnostics", "EtalonTypes", "EtalonSPIRV", "EtalonPlan"],
    "EtalonVulkan": ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonSPIRV", "EtalonPlan", "CVulkan"],
    "EtalonMedia": [
      "EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "CPNG", "CDeflate", "CFreeType", "CJPEG", "COpenEXR", "CTIFF", "CWebP",
    ],
    "EtalonVideo": ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonMedia", "CFFmpeg"],
    "EtalonComparison": ["EtalonTypes", "CComparison"],
    "Etalon": [
      "EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonGLSL", "EtalonManifest", "EtalonDialects", "EtalonSPIRV", "EtalonCompiler",
      "EtalonPlan",
      "EtalonGraph", "EtalonCPU", "EtalonVulkan", "EtalonMedia", "EtalonVideo", "EtalonPlugins",
    ],
    "EtalonInspection": [
      "Etalon", "EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonGLSL", "EtalonManifest", "EtalonDialects", "EtalonSPIRV",
      "EtalonCompiler",
      "EtalonPlan", "EtalonGraph", "EtalonIntervals", "EtalonCPU", "EtalonMedia",
    ],
    "EtalonBench": [
      "Etalon", "EtalonCPU", "EtalonComparison", "EtalonGraph", "EtalonMedia", "EtalonPlan", "EtalonSPIRV", "EtalonSystem", "EtalonTypes",
      "EtalonVulkan", "CLaneKernels", "CLibPNGBaseline", "ArgumentParser",
    ],
    "EtalonFuzz": [
      "Etalon", "EtalonCPU", "EtalonComparison", "EtalonCompiler", "EtalonDiagnostics", "EtalonDialects", "EtalonGraph", "EtalonInspection",
      "EtalonIntervals", "EtalonGLSL", "EtalonManifest", "EtalonMedia", "EtalonPlan", "EtalonRegression", "EtalonSPIRV", "EtalonSystem",
      "EtalonTypes",
      "EtalonVulkan", "ArgumentParser",
    ],
    "EtalonRegression": [
      "Etalon", "EtalonInspection", "EtalonComparison", "EtalonDiagnostics", "EtalonGraph", "EtalonGLSL", "EtalonManifest", "EtalonMedia",
      "EtalonPlan",
      "EtalonSystem", "EtalonTypes", "CReportPage",
    ],
    "EtalonPreview": [
      "Etalon", "EtalonDiagnostics", "EtalonGraph", "EtalonManifest", "EtalonMedia", "EtalonPlan", "EtalonRegression", "EtalonSystem",
      "EtalonTypes", "EtalonVideo", "CPreviewPage", "FlyingFox", "FlyingSocks",
    ],
    "EtalonFarm": [
      "Etalon", "EtalonComparison", "EtalonDiagnostics", "EtalonGraph", "EtalonMedia", "EtalonSystem", "EtalonTypes", "EtalonVideo",
    ],
    "EtalonTesting": ["Etalon", "EtalonComparison", "EtalonDiagnostics", "EtalonMedia", "EtalonRegression", "EtalonTypes", "Testing"],
    "EtalonTool": [
      "Etalon", "EtalonComparison", "ArgumentParser", "EtalonDiagnostics", "EtalonTypes", "EtalonFarm", "EtalonGraph", "EtalonInspection",
      "EtalonMedia", "EtalonPreview", "EtalonRegression", "EtalonSystem", "EtalonVideo",
    ],
  ]

  /// Modules that every target may use.
  private static let systemModules: Set<String> = ["Foundation", "Glibc", "Musl", "Dispatch", "Synchronization"]

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  private static func swiftTargets() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { target in
      try swiftFiles(of: target).isEmpty == false
    }.sorted()
  }

  private static func swiftFiles(of target: String) throws -> [String] {
    let folder = sources.appending(path: target)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
      .map { folder.appending(path: $0).path }
  }

  private static func imports(ofFile path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let keyword = words.firstIndex(of: "import"), words[..<keyword].allSatisfy({ $0.hasPrefix("@") || isAccessLevel($0) }) else {
        return nil
      }
      return words.dropFirst(keyword + 1).first { !["struct", "class", "enum", "func", "protocol"].contains($0) }
        .flatMap { $0.split(separator: ".").first }.map(String.init)
    }
  }

  private static func isAccessLevel(_ word: Substring) -> Bool {
    ["public", "package", "internal", "fileprivate", "private"].contains(word)
  }

  @Test func everyTargetIsInTheTable() throws {
    #expect(try Self.swiftTargets() == Self.table.keys.sorted())
  }

  @Test(arguments: Self.table.keys.sorted()) func importsOnlyWhatTheTableAllows(target: String) throws {
    let allowed = try #require(Self.table[target]).union(Self.systemModules)
    for file in try Self.swiftFiles(of: target) {
      let forbidden = try Self.imports(ofFile: file).filter { !allowed.contains($0) }
      #expect(forbidden.isEmpty, "\(file) imports \(forbidden.joined(separator: ", "))")
    }
  }

  /// `etalon-bench`, which is not part of what users run, times the functions of a C library one by one.
  private static let measuringTarget = "EtalonBench"

  @Test func everyCLibraryHasOneImporter() throws {
    var importers: [String: Set<String>] = [:]
    for target in try Self.swiftTargets() where target != Self.measuringTarget {
      for file in try Self.swiftFiles(of: target) {
        for module in try Self.imports(ofFile: file) where module.hasPrefix("C") && module.dropFirst().first?.isUppercase == true {
          importers[module, default: []].insert(target)
        }
      }
    }
    #expect(!importers.isEmpty)
    for (module, targets) in importers { #expect(targets.count == 1, "\(module) is imported by \(targets.sorted())") }
  }

  /// A build without `-enable-testing`, as users make it, refuses such an import, and these tests are built with it: the compiler does not count
  /// names such as `mode_t` as its use.
  @Test(arguments: Self.table.keys.sorted()) func noInterfaceNamesTypesOfTheCLibrary(target: String) throws {
    for file in try Self.swiftFiles(of: target) {
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      #expect(!lines.contains { $0 == "package import Glibc" || $0 == "public import Glibc" }, "\(file)")
    }
  }

  @Test func filesThatTheArticleNamesAreThere() throws {
    let article = try String(contentsOf: Self.sources.appending(path: "Etalon/Etalon.docc/Architecture.md"), encoding: .utf8)
    let named = article.matches(of: /`(Etalon\w*\/[\w\/+]+\.\w+)`/).map { String($0.1) }
    #expect(named.count > 20)
    for file in named { #expect(FileManager.default.fileExists(atPath: Self.sources.appending(path: file).path), "\(file)") }
  }

  @Test func theTableHasNoCycles() {
    func reaches(_ from: String, _ goal: String) -> Bool {
      Self.table[from, default: []].contains { $0 == goal || reaches($0, goal) }
    }
    for target in Self.table.keys { #expect(!reaches(target, target), "\(target) imports itself") }
  }
}
