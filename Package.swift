// swift-tools-version: 6.2
import PackageDescription

// Debian 12 ships a shared libshaderc with undefined glslang and SPIRV-Tools symbols; there the static archives are linked instead.
// `Scripts/setup` finds out which of the two works and sets the variable (SwiftPM caches manifests, so looking for files here would not do).
let linksShadercStatically = Context.environment["ETALON_SHADERC"] == "static"

let shadercLibraries: [LinkerSetting] =
  linksShadercStatically
  ? [
    "shaderc_combined", "glslang", "MachineIndependent", "GenericCodeGen", "OSDependent", "OGLCompiler",
    "glslang-default-resource-limits", "SPIRV", "SPIRV-Tools-opt", "SPIRV-Tools", "stdc++",
  ].map { .linkedLibrary($0) }
  : [.linkedLibrary("shaderc_shared"), .linkedLibrary("SPIRV-Tools-shared")]

let swiftSettings: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

let cSettings: [CSetting] = [.treatAllWarnings(as: .error)]

/// A Swift target of ours with the settings that all of them share.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], linkerSettings: [LinkerSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings, linkerSettings: linkerSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: swiftSettings)
}

let package = Package(
  name: "etalon",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    module("EtalonDiagnostics"),
    module("EtalonTypes", ["CCrypto"]),
    module("EtalonManifest", ["EtalonDiagnostics", "EtalonTypes"]),
    module("EtalonSPIRV", ["EtalonDiagnostics"]),
    module("EtalonPlan", ["EtalonDiagnostics", "EtalonTypes", "EtalonSPIRV"]),
    module("EtalonGraph", ["EtalonDiagnostics", "EtalonTypes", "EtalonManifest", "EtalonSPIRV", "EtalonPlan"]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    tests("EtalonDiagnosticsTests", ["EtalonDiagnostics"]),
    tests("EtalonTypesTests", ["EtalonTypes"]),
    tests("EtalonGraphTests", ["EtalonGraph", "EtalonManifest", "EtalonSPIRV", "EtalonPlan", "EtalonTypes"]),
  ]
)
