internal import EtalonDiagnostics
internal import EtalonMedia
package import EtalonTypes
internal import EtalonVideo

/// What the video must be that an export of a shot writes, for those who check what others wrote.
///
/// **Concurrency**: as the shot.
package struct ExpectedVideo: Sendable {
  let shot: Shot
  let destination: VideoExport.Destination
  let export: VideoExport
  /// A hash of what the pixels of all frames depend on.
  let recipe: ContentHash
  let settings: VideoOutputSettings
  /// What the video says about its making when it is made here.
  package let identity: String

  /// - Precondition: the shot was made with the planes of the destination.
  package init(_ shot: Shot, _ destination: VideoExport.Destination) throws {
    var destination = destination
    // Nothing is written in its place.
    (destination.policy, destination.portion, destination.recorder) = (.anything, nil, nil)
    (self.shot, self.destination) = (shot, destination)
    export = VideoExport(shot, to: destination) { _ in
    } isInterrupted: {
      false
    }
    recipe = try export.recipe()
    settings = try export.settings(recipe)
    identity = try export.identity(settings, recipe.description)
  }

  package var path: String { destination.path }
  package var frames: [Int] { shot.frames }
  package var size: Size { shot.size }
  /// Whether it has a sound.
  package var hasSound: Bool { settings.sound != .none }
  /// What renders frames here, and whether that works to the bit.
  package var deviceName: String { shot.deviceName }
  package var isOfCPU: Bool { shot.isOfCPU }

  /// What the video says when another device has rendered its frames.
  ///
  /// - Parameter recipe: what the pixels depend on there, as the record of the machine names it.
  package func identity(withRecipe recipe: String) throws -> String { try export.identity(settings, recipe) }
}
