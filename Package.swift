// swift-tools-version: 6.2
import Glibc
import PackageDescription

// `Scripts/package` sets this variable, so that the command needs no library besides those of the C compiler's system.
let linksArchives = Context.environment["ETALON_LIBRARIES"] == "archives"

/// Links a system library: the shared one, or the archive of its name.
func library(_ name: String) -> LinkerSetting { .linkedLibrary(linksArchives ? ":lib\(name).a" : name) }

/// An archive of glslang that Ubuntu 24.04 ships and leaves out of its file for pkg-config.
///
/// Only where glslang is there without it, it is not named: SwiftPM keeps what it read here when glslang is installed later.
let unlistedArchives = ["GenericCodeGen"].filter { archive in
  func isThere(_ name: String) -> Bool {
    ["x86_64", "aarch64"].contains { access("/usr/lib/\($0)-linux-gnu/lib\(name).a", F_OK) == 0 }
  }
  return isThere(archive) || !isThere("glslang")
}

let swiftSettings: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// For modules that make commands measurably slower when they are not optimized: those whose loops over pixels, tokens or instructions are Swift.
///
/// Optimizing takes most of the time of a build. `Scripts/build` and `Scripts/test` set `ETALON_OPTIMIZE` to `hot` and give `-Onone` for all modules, also
/// for those of other packages. SwiftPM puts that `-Onone` behind the flags of a target, and only a flag of the compiler's front end overrules it. Without
/// the variable and `-Onone`, as in `swift build -c release`, every module is optimized.
let hot = swiftSettings + (Context.environment["ETALON_OPTIMIZE"] == "hot" ? [.unsafeFlags(["-Xfrontend", "-O"])] : [])

let cSettings: [CSetting] = [.treatAllWarnings(as: .error)]

/// A Swift target of ours with the settings that all of them share.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = [],
  swiftSettings: [SwiftSetting] = swiftSettings, linkerSettings: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: swiftSettings,
    linkerSettings: linkerSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: swiftSettings)
}

let package = Package(
  name: "etalon",
  products: [
    .executable(name: "etalon", targets: ["EtalonTool"]),
    .executable(name: "etalon-bench", targets: ["EtalonBench"]),
    .executable(name: "etalon-fuzz", targets: ["EtalonFuzz"]),
    .library(name: "Etalon", targets: ["Etalon", "EtalonComparison"]),
    .library(name: "EtalonTesting", targets: ["EtalonTesting"]),
    .library(name: "EtalonPreview", targets: ["EtalonPreview"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    module("EtalonDiagnostics"),
    module("EtalonTypes", ["CCrypto"], swiftSettings: hot),
    module("EtalonSystem", ["EtalonDiagnostics", "EtalonTypes"]),
    module("EtalonGLSL", ["EtalonDiagnostics", "EtalonTypes"], swiftSettings: hot),
    module("EtalonManifest", ["EtalonDiagnostics", "EtalonTypes", "EtalonGLSL"]),
    module("EtalonDialects", ["EtalonDiagnostics", "EtalonTypes", "EtalonGLSL", "EtalonManifest"]),
    module("EtalonSPIRV", ["EtalonDiagnostics"], swiftSettings: hot),
    module("EtalonPlan", ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonSPIRV"]),
    module(
      "EtalonGraph",
      [
        "EtalonDiagnostics", "EtalonTypes", "EtalonGLSL", "EtalonManifest", "EtalonDialects", "EtalonSPIRV", "EtalonPlan",
        .product(name: "Yams", package: "Yams"),
      ]),
    module(
      "EtalonMedia",
      ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "CPNG", "CDeflate", "CFreeType", "CJPEG", "COpenEXR", "CTIFF", "CWebP"],
      swiftSettings: hot),
    module("EtalonVideo", ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonMedia", "CFFmpeg"]),
    module("EtalonComparison", ["EtalonTypes", "CComparison"]),
    module(
      "EtalonCompiler", ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonGLSL", "EtalonManifest", "EtalonSPIRV", "CGlslang"],
      swiftSettings: hot),
    module("EtalonCPU", ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonSPIRV", "EtalonPlan", "CLaneKernels"]),
    module("EtalonIntervals", ["EtalonDiagnostics", "EtalonTypes", "EtalonSPIRV", "EtalonPlan"], swiftSettings: hot),
    module(
      "EtalonVulkan", ["EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonSPIRV", "EtalonPlan", "CVulkan"],
      exclude: ["Execution/mipmaps.comp"]),
    .target(
      name: "EtalonPlugins", path: "Plugins", exclude: ["tests"],
      resources: [
        "readme.md", "analysis", "blur", "color", "composite", "distortion", "generate", "geometry", "keying", "morphology", "stylize",
        "time", "transition",
      ].map {
        .copy($0)
      },
      swiftSettings: swiftSettings),
    module(
      "Etalon",
      [
        "EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonGLSL", "EtalonManifest", "EtalonDialects", "EtalonSPIRV",
        "EtalonCompiler",
        "EtalonPlan", "EtalonGraph", "EtalonCPU", "EtalonVulkan", "EtalonMedia", "EtalonVideo", "EtalonPlugins",
      ]),
    module(
      "EtalonInspection",
      [
        "Etalon", "EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonGLSL", "EtalonManifest", "EtalonDialects", "EtalonSPIRV",
        "EtalonCompiler",
        "EtalonPlan", "EtalonGraph", "EtalonIntervals", "EtalonCPU", "EtalonMedia",
      ]),
    module(
      "EtalonRegression",
      [
        "Etalon", "EtalonInspection", "EtalonComparison", "EtalonDiagnostics", "EtalonGraph", "EtalonGLSL", "EtalonManifest", "EtalonMedia",
        "EtalonPlan",
        "EtalonSystem", "EtalonTypes", "CReportPage",
      ], exclude: ["Report/Page", "Survey/Page"]),
    module(
      "EtalonFarm",
      ["Etalon", "EtalonComparison", "EtalonDiagnostics", "EtalonGraph", "EtalonMedia", "EtalonSystem", "EtalonTypes", "EtalonVideo"]),
    module(
      "EtalonTesting", ["Etalon", "EtalonComparison", "EtalonDiagnostics", "EtalonMedia", "EtalonRegression", "EtalonTypes"]),
    module(
      "EtalonPreview",
      [
        "Etalon", "EtalonDiagnostics", "EtalonGraph", "EtalonManifest", "EtalonMedia", "EtalonPlan", "EtalonRegression",
        "EtalonSystem", "EtalonTypes", "EtalonVideo", "CPreviewPage",
        .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      exclude: ["Page"]),
    .executableTarget(
      name: "EtalonTool",
      dependencies: [
        "Etalon", "EtalonComparison", "EtalonDiagnostics", "EtalonTypes", "EtalonFarm", "EtalonGraph", "EtalonInspection", "EtalonMedia",
        "EtalonPreview", "EtalonRegression", "EtalonSystem", "EtalonVideo",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swiftSettings),

    .executableTarget(
      name: "EtalonBench",
      dependencies: [
        "Etalon", "EtalonCPU", "EtalonComparison", "EtalonGraph", "EtalonMedia", "EtalonPlan", "EtalonSPIRV", "EtalonSystem", "EtalonTypes",
        "EtalonVulkan", "CLaneKernels", "CLibPNGBaseline",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swiftSettings),

    .executableTarget(
      name: "EtalonFuzz",
      dependencies: [
        "Etalon", "EtalonCPU", "EtalonComparison", "EtalonCompiler", "EtalonDiagnostics", "EtalonDialects", "EtalonGraph",
        "EtalonIntervals", "EtalonInspection", "EtalonGLSL", "EtalonManifest", "EtalonMedia", "EtalonPlan", "EtalonRegression",
        "EtalonSPIRV",
        "EtalonSystem", "EtalonTypes", "EtalonVulkan",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: hot),

    .target(name: "CLibPNGBaseline", cSettings: cSettings, linkerSettings: [.linkedLibrary("png")]),
    .target(
      name: "CGlslang", dependencies: ["CGlslangArchives"], cSettings: cSettings,
      linkerSettings: (["SPIRV", "SPIRV-Tools-opt", "SPIRV-Tools"] + unlistedArchives).map { .linkedLibrary($0) } + [library("stdc++")]),
    // Which archives glslang has changes with its version; its file for pkg-config lists them.
    .systemLibrary(name: "CGlslangArchives", pkgConfig: "glslang", providers: [.apt(["glslang-dev", "spirv-tools", "pkg-config"])]),
    .target(name: "CVulkan", cSettings: cSettings),
    // FFmpeg's libraries are opened at run time.
    .target(name: "CFFmpeg", cSettings: cSettings),
    // OpenEXR's libraries, too.
    .target(name: "COpenEXR", cSettings: cSettings, cxxSettings: [.treatAllWarnings(as: .error)], linkerSettings: [library("stdc++")]),
    .target(name: "CCrypto", cSettings: cSettings, linkerSettings: [library("crypto")]),
    .target(name: "CPNG", cSettings: cSettings, linkerSettings: [library("png"), library("z"), library("deflate")]),
    .target(name: "CDeflate", cSettings: cSettings, linkerSettings: [library("deflate")]),
    .target(name: "CJPEG", cSettings: cSettings, linkerSettings: [library("jpeg")]),
    // FreeType, libtiff and libwebp are opened at run time.
    .target(name: "CFreeType", cSettings: cSettings),
    .target(name: "CTIFF", cSettings: cSettings),
    .target(name: "CWebP", cSettings: cSettings),
    .target(name: "CLaneKernels", cSettings: cSettings),
    // Optimised in debug builds, too: people compare pictures in tests.
    .target(name: "CReportPage", cSettings: cSettings),
    .target(name: "CPreviewPage", cSettings: cSettings),
    .target(name: "CComparison", cSettings: cSettings + [.unsafeFlags(["-O2"])]),

    .target(
      name: "EtalonTestSupport", dependencies: ["CGlslang", "EtalonTypes"], path: "Tests/EtalonTestSupport", swiftSettings: swiftSettings),
    tests("EtalonIntervalsTests", ["EtalonIntervals", "EtalonSPIRV", "EtalonTestSupport", "EtalonTypes"]),
    tests("EtalonDiagnosticsTests", ["EtalonDiagnostics"]),
    tests("EtalonTypesTests", ["EtalonTypes"]),
    tests("EtalonSystemTests", ["EtalonSystem", "EtalonDiagnostics", "EtalonTypes"]),
    tests("EtalonComparisonTests", ["EtalonComparison", "EtalonTypes"], exclude: ["Fixtures"]),
    tests("EtalonBenchTests", ["EtalonBench", "EtalonCPU", "CLaneKernels"]),
    tests("EtalonFuzzTests", ["EtalonFuzz", "EtalonCPU", "EtalonTypes"]),
    tests("EtalonToolTests", ["EtalonTestSupport", "EtalonTool"], exclude: ["Fixtures", "Transcripts"]),
    tests(
      "EtalonTests",
      [
        "Etalon", "EtalonCPU", "EtalonComparison", "EtalonCompiler", "EtalonDiagnostics", "EtalonDialects", "EtalonGraph",
        "EtalonInspection", "EtalonManifest", "EtalonMedia", "EtalonPlan", "EtalonPlugins", "EtalonTestSupport", "EtalonTesting",
        "EtalonTypes", "EtalonVideo",
      ],
      exclude: ["Fixtures", "Shaders"]),
    tests(
      "EtalonRegressionTests",
      [
        "Etalon", "EtalonComparison", "EtalonDiagnostics", "EtalonGraph", "EtalonInspection", "EtalonMedia", "EtalonRegression",
        "EtalonSPIRV", "EtalonTestSupport", "EtalonTool", "EtalonTypes",
      ], exclude: ["Corpus"]),
    tests(
      "EtalonPreviewTests",
      [
        "Etalon", "EtalonDiagnostics", "EtalonMedia", "EtalonPreview", "EtalonSystem", "EtalonTestSupport", "EtalonTool", "EtalonTypes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]),
    tests(
      "EtalonFarmTests",
      [
        "Etalon", "EtalonDiagnostics", "EtalonFarm", "EtalonGraph", "EtalonMedia", "EtalonTool", "EtalonTypes", "EtalonVideo",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    tests("LayeringTests", []),
    tests("EtalonTestingTests", ["EtalonTesting"]),
    tests("EtalonPlanTests", ["EtalonPlan", "EtalonDiagnostics", "EtalonSPIRV", "EtalonTypes"]),
    tests(
      "EtalonCPUTests", ["EtalonTestSupport", "CLaneKernels", "EtalonCPU", "EtalonDiagnostics", "EtalonTypes", "EtalonSPIRV", "EtalonPlan"]),
    tests(
      "BackendConformanceTests",
      [
        "EtalonTestSupport", "EtalonCPU", "EtalonIntervals", "EtalonVulkan", "EtalonCompiler", "EtalonDiagnostics", "EtalonDialects",
        "EtalonManifest", "EtalonTypes",
        "EtalonSPIRV", "EtalonPlan",
      ]),
    tests(
      "EtalonVulkanTests",
      ["CVulkan", "EtalonTestSupport", "EtalonVulkan", "EtalonDiagnostics", "EtalonTypes", "EtalonSystem", "EtalonSPIRV", "EtalonPlan"]),
    tests("EtalonSPIRVTests", ["EtalonTestSupport", "EtalonSPIRV", "EtalonDiagnostics"]),
    tests("EtalonMediaTests", ["EtalonMedia", "EtalonDiagnostics", "EtalonSystem", "EtalonTypes"], resources: [.copy("Fixtures")]),
    tests("EtalonVideoTests", ["EtalonTestSupport", "EtalonVideo", "EtalonDiagnostics", "EtalonMedia", "EtalonSystem", "EtalonTypes"]),
    tests(
      "EtalonManifestTests", ["EtalonTestSupport", "EtalonDiagnostics", "EtalonDialects", "EtalonGLSL", "EtalonManifest", "EtalonTypes"]),
    tests(
      "EtalonCompilerTests",
      [
        "EtalonTestSupport", "EtalonCompiler", "EtalonDiagnostics", "EtalonDialects", "EtalonGLSL", "EtalonManifest", "EtalonSPIRV",
        "EtalonTypes",
      ]),
    tests(
      "EtalonGraphTests",
      ["EtalonTestSupport", "EtalonDiagnostics", "EtalonGraph", "EtalonGLSL", "EtalonManifest", "EtalonSPIRV", "EtalonPlan", "EtalonTypes"]),
  ]
)
