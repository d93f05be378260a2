@_exported public import Etalon
@_exported public import EtalonComparison
internal import EtalonMedia
public import Testing

/// Expects that an image renders as a stored picture.
///
/// ```swift
/// @Test func vignetteDarkensCorners() async throws {
///   let photo = try Image(contentsOf: "Pictures/photo.png")
///   let vignette = try photo.applying(FilterLibrary.builtIn["vignette"])
///   await expectRender(vignette, matches: "References/vignette.png", within: Tolerance(channel: 1))
/// }
/// ```
///
/// The test fails where the picture is missing, has another size, or differs by more than the tolerance allows; what was rendered, the reference
/// and their difference are attached then, for `swift test --attachments-path`. The environment variable `ETALON_REFERENCES` says which references
/// are stored: `never` (the default), `missing`, `failed` (those, and those of tests that fail) or `all` that differ; a test that stores one fails,
/// whatever the mode. An image that cannot be rendered fails the test, too, with all diagnostics.
///
/// **Concurrency**: tests may run it at the same time; they take turns at the context.
///
/// - Parameters:
///   - image: what is rendered.
///   - path: a PNG of 8 or 16 bits; it starts at the folder of the file with the test.
///   - time: the frame, or a time between two; nil is the first frame.
///   - tolerance: how far the picture may differ; nothing may by default, as the CPU device allows it.
///   - settings: the size and the bits of the picture.
///   - context: what renders; a context of the CPU device that all tests share, unless another one is given.
/// - Returns: what was measured; nil where there was nothing to compare.
@discardableResult
public func expectRender(
  _ image: Image, matches path: String, at time: ShotTime? = nil, within tolerance: Tolerance = .exact,
  settings: RenderSettings = RenderSettings(), on context: RenderContext? = nil, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> PictureComparison? {
  let expectation = RenderExpectation(tolerance: tolerance, sourceLocation: sourceLocation)
  guard let mode = expectation.recordMode(), let frame = await expectation.render(image, time, settings, context) else { return nil }
  return expectation.compare(frame, with: StoredReference(path, besides: filePath), mode)
}

/// Expects that two images render alike, such as a chain and its parts, or a filter with its defaults written out.
///
/// ```swift
/// try await expectRender(blurred.cropped(to: corner), matches: photo.cropped(to: corner).applying(blur), within: Tolerance(channel: 1))
/// ```
///
/// Fails like the form with a stored picture; there is nothing to record.
///
/// - Parameters:
///   - image: what is tested.
///   - reference: what it is to look like.
///   - referenceContext: what renders the reference; the context of the image unless another one is given, such as one of the CPU device.
@discardableResult
public func expectRender(
  _ image: Image, matches reference: Image, at time: ShotTime? = nil, within tolerance: Tolerance = .exact,
  settings: RenderSettings = RenderSettings(), on context: RenderContext? = nil, referenceOn referenceContext: RenderContext? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> PictureComparison? {
  let expectation = RenderExpectation(tolerance: tolerance, sourceLocation: sourceLocation)
  guard let frame = await expectation.render(image, time, settings, context),
    let expected = await expectation.render(reference, time, settings, referenceContext ?? context)
  else { return nil }
  return expectation.compare(frame.pixels, with: expected.pixels, called: "the other image")
}
