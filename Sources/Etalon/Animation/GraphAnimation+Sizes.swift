internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonPlan
internal import EtalonTypes

extension GraphAnimation {
  /// Refuses other sizes where they cannot change: of the result, and of what a frame leaves to the next one.
  func check(_ plan: GraphPlan, on reading: ClockReading, against first: GraphPlan) throws(DiagnosticsError) {
    let (old, new) = (first.plan.plan, plan.plan.plan)
    if let (old, new) = zip(old.outputs, new.outputs).first(where: { $0.size != $1.size }) {
      throw DiagnosticsError(
        Diagnostic(
          "size.result", "\(reading.words) the size of the result changes from \(old.size) to \(new.size)",
          labels: sizeLabels("changes a size"), help: ["give it one value for all frames"]))
    }
    guard let change = old.changeOfState(to: new) else { return }
    throw DiagnosticsError(
      Diagnostic(
        "size.state", "\(reading.words) \(change), which the frame after reads", labels: sizeLabels("changes a size", onlyOfState: true),
        help: ["give it one value for all frames"]))
  }
}

extension Plan {
  /// In words, what one frame cannot leave to another because it has another size in the plan of that one; nil where all fits.
  fileprivate func changeOfState(to other: Plan) -> String? {
    let pictures = zip(textures.filter { $0.role == .persistent }, other.textures.filter { $0.role == .persistent })
    if let (old, new) = pictures.first(where: { $0.pictureSize != $1.pictureSize }) {
      return "the size of '\(old.name)' changes from \(old.pictureSize) to \(new.pictureSize)"
    }
    let kept = zip(buffers.filter(\.isPersistent), other.buffers.filter(\.isPersistent))
    if let (old, new) = kept.first(where: { $0.byteCount != $1.byteCount }) {
      return "the size of '\(old.name)' changes from \(old.byteCount) to \(new.byteCount) bytes"
    }
    return nil
  }
}
