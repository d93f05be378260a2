// # EtalonPlan
//
// The work of one frame as data, and the protocol of those that execute it.
//
// Comes in: a `Plan` from `EtalonGraph`: textures, buffers, steps, outputs.
// Goes out: a `CheckedPlan`, which backends trust; and the text that `etalon plan` prints.
// Carried by: `Plan`, `CheckedPlan`, `FrameValues` (all that changes from frame to frame), `PlanState` (what a frame leaves to the next),
// `Backend`, `PlanExecution`, `PendingFrame`; `ExpressionEvaluator`, which `EtalonGraph` calls for GLSL expressions.
// Start reading: `Plan.swift`, then `Backend.swift`.
//
// - `Plan.swift`, `FrameValues.swift`, `PlanState.swift`  the data
// - `PlanChecker.swift`, `PassRules.swift`, `OrderRules.swift`  the checks; the only way to make a `CheckedPlan`
// - `PlanPrinter.swift`        stable text and Graphviz; most tests of planning compare this text
// - `DispatchRegion.swift`, `PictureRegion.swift`  which pixels a dispatch covers, and which part of a picture is computed
// - `TextureLevels.swift`      the levels of imported textures, faces and slices
// - `Backend.swift`, `GLSLExpression.swift`  protocols, so that this module knows neither an executor nor the compiler
//
// Rule: a plan that does not hold together is a defect of Etalon, not of a filter: the checker reports it as an internal error.
