// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "poster",
  dependencies: [.package(url: "https://example.com/etalon.git", from: "0.1.0")],
  targets: [
    .executableTarget(name: "Poster", dependencies: [.product(name: "Etalon", package: "etalon")])
  ]
)
