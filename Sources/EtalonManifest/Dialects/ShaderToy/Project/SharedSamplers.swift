internal import EtalonDiagnostics
internal import EtalonTypes

/// The samplers that a player really uses where several channels of a project read one buffer.
///
/// The player keeps interpolation and address mode with the buffer, not with the channel. It sets the address mode while it loads the project, so the
/// last channel in the author's order counts for all; it sets the interpolation before each pass, channel by channel, so among the channels of one
/// pass the highest one counts.
struct SharedSamplers {
  private(set) var warnings: [Diagnostic] = []
  private let addresses: [ShaderToyProject.PassName: (channel: ShaderToyProject.Channel, pass: ShaderToyProject.PassName)]

  init(_ project: ShaderToyProject) {
    var addresses: [ShaderToyProject.PassName: (channel: ShaderToyProject.Channel, pass: ShaderToyProject.PassName)] = [:]
    for pass in project.passes {
      for channel in pass.channels {
        if case .target(let target) = channel.source { addresses[target] = (channel, pass.name) }
      }
    }
    self.addresses = addresses
  }

  /// The project with every channel read as the player reads it; what that changes becomes a warning.
  mutating func applied(to project: ShaderToyProject) -> ShaderToyProject {
    let passes = project.passes.map { pass in
      ShaderToyProject.Pass(
        name: pass.name, text: pass.text, channels: pass.channels.map { shared($0, in: pass) }, place: pass.place)
    }
    return ShaderToyProject(
      title: project.title, about: project.about, passes: passes, parameters: project.parameters, isConnected: project.isConnected)
  }

  private mutating func shared(_ channel: ShaderToyProject.Channel, in pass: ShaderToyProject.Pass) -> ShaderToyProject.Channel {
    guard case .target(let target) = channel.source, let address = addresses[target] else { return channel }
    let interpolation = pass.channels.filter { $0.source == channel.source }.max { $0.index < $1.index } ?? channel
    let sampler = Sampler(interpolation.sampler.interpolation, address.channel.sampler.address)
    if sampler.interpolation != channel.sampler.interpolation {
      warn(channel, of: pass.name, target, channel.sampler.interpolation.rawValue, sampler.interpolation.rawValue, interpolation, pass.name)
    }
    if sampler.address != channel.sampler.address {
      warn(channel, of: pass.name, target, channel.sampler.address.rawValue, sampler.address.rawValue, address.channel, address.pass)
    }
    return ShaderToyProject.Channel(
      index: channel.index, source: channel.source, sampler: sampler, isFlipped: channel.isFlipped, place: channel.place)
  }

  private mutating func warn(
    _ channel: ShaderToyProject.Channel, of pass: ShaderToyProject.PassName, _ target: ShaderToyProject.PassName, _ asked: String,
    _ used: String, _ winner: ShaderToyProject.Channel, _ winningPass: ShaderToyProject.PassName
  ) {
    warnings.append(
      Diagnostic(
        "shadertoy.shared-sampler", "'\(channel.name)' of '\(pass.rawValue)' reads '\(target.rawValue)' as '\(used)', not as '\(asked)'",
        severity: .warning,
        labels: [
          .init(channel.place.source, channel.place.range, "asks for \(asked)"),
          .init(winner.place.source, winner.place.range, "set later: \(used)"),
        ],
        notes: [
          "a player keeps such settings with the buffer, so the last one counts, that of '\(winner.name)' of '\(winningPass.rawValue)'"
        ]))
  }
}
