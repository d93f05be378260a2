import Etalon
import EtalonComparison
import Foundation

// MARK: Rendering

let photo = try Image(contentsOf: CommandLine.arguments[1])
let vignette = try photo.applying(FilterLibrary.builtIn["vignette"], ["amount": 0.9])
let context = try RenderContext()
let frame = try await context.render(vignette)
try frame.write(to: CommandLine.arguments[2], overwriting: true)

// MARK: Errors

do {
  _ = try photo.applying(FilterLibrary.builtIn["vignette"], ["amuont": 0.9])
} catch {
  print(error)
}

do {
  _ = try Image(contentsOf: "no-such-photo.png")
} catch {
  print(error.localizedDescription)
}

// MARK: Comparing

let plain = try await context.render(photo)
let comparison = comparePictures(frame.pixels, plain.pixels, tolerance: Tolerance(channel: 2))
print(comparison.headline)
