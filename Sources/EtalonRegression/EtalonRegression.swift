// # EtalonRegression
//
// Tests filters and graphs by their pictures.
//
// Comes in: folders, filters and files of cases; references; a device.
// Goes out: `TestResults` with a verdict, measurements, blame and pictures for each case; reports (HTML, JUnit, GitHub); new references where that is
// asked for by name; records of a survey.
// Carried by: `TestSelection` -> `TestCase` -> `CaseRun` -> `CaseResult` -> `TestResults`. `WorkerProcess` runs batches in other processes.
// Start reading: `Cases/TestCase.swift`, then `Running/TestRunner.swift` and `Running/CaseRun.swift`.
//
// - `Cases/`       files of cases: keys, conditions, tolerances, invariants, expectations
// - `Running/`     rendering twice, comparing, invariants, reruns of failures, blame (`BlameCheck`), the specification (`SpecificationCheck`)
// - `Results/`     what a run found, as JSON that reports, approval and merging of shards read
// - `References/`  recording, approving, and what changed since a reference was recorded
// - `Mutation/`    `etalon mutate`: small changes to filters, and whether their cases notice
// - `Report/`      HTML (its page is in `Report/Page`), JUnit, annotations
// - `Survey/`      a whole collection on both executors, with a verdict for each filter
//
// Rule: recording always fails the run that records, because new pictures are not tested.
