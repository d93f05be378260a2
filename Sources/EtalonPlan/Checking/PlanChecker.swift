package import EtalonDiagnostics
internal import EtalonSPIRV
internal import EtalonSystem
internal import EtalonTypes

/// A plan that is known to be consistent; backends accept nothing else.
///
/// **Concurrency**: an immutable value.
package struct CheckedPlan: Sendable, Hashable {
  package let plan: Plan

  fileprivate init(_ plan: Plan) { self.plan = plan }
}

/// Checks that a plan holds together, so that backends need not.
package struct PlanChecker: Sendable {
  package init() {}

  /// Returns the plan as checked; a plan that does not hold together is our own mistake and is reported with every fault it has.
  package func check(_ plan: Plan) throws(RenderError) -> CheckedPlan {
    var found = ResourceRules(plan).faults
    for pass in plan.setupPasses + plan.passes { found += PassRules.faults(of: pass, in: plan) }
    found += SetupRules(plan).faults
    found += OrderRules.faults(of: plan)
    guard found.isEmpty else {
      throw RenderError(.internalError, "inconsistent plan: " + found.joined(separator: "; "), help: Self.help)
    }
    return CheckedPlan(plan)
  }

  /// A kernel with other resources than its text has comes from a file of the cache that somebody wrote by hand.
  private static let help =
    CacheFolder(ofUser: "spirv").map {
      ["if files of the cache were changed, type 'rm -r \($0.path)'; else this is a mistake of etalon: please report it"]
    } ?? []
}
