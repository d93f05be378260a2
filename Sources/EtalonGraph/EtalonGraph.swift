// # EtalonGraph
//
// Filters, images, clocks and graph documents; lowers them to a plan.
//
// Comes in: manifests (`GraphFilter`), recipes of images (`ImageRecipe`, put together as an `ImageGraph`), texts of documents and stages, clocks.
// Goes out: a `GraphPlan`: a checked plan, the pictures that it imports, and the bytes of its uniforms for any frame.
// Carried by: `GraphText` (a graph as written, with places) -> `ImageRecipe`, `ImageGraph` -> `GraphLayout` (order, sizes, conversions) ->
// `GraphLowering` (steps) -> `GraphPlan`; `Animation` and `GraphAnimation` for values over time; `ShotClock` and `FrameState` for time.
// Start reading: `Recipe/ImageRecipe.swift`, then `Lowering/GraphPlan.swift`, whose initializer names all steps.
//
// - `Documents/`  YAML and stages of a command line become `GraphText`; nothing is opened
// - `Recipe/`     immutable, hashable descriptions of images
// - `Time/`       clocks, keyframes, tracks, easing, events of the mouse and the keys
// - `Layout/`     what each picture covers (`FilterExtents`), which region of it is read (`GraphRegions`), and conversions between pictures that do not
//                 fit each other (`BuiltInKernels`)
// - `Lowering/`   fusion (`FusionPlanner`), steps (`NodeLowering`), shared memory (`TextureReuse`), uniforms (`PassState`)
//
// Rule: kernels and expressions come through protocols (`KernelSource`, `ExpressionEvaluator`), so that planning is tested without a compiler or a
// device.
