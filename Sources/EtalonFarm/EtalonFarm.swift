// # EtalonFarm
//
// Divides a render between machines, and tells afterwards whether what they made is what one machine would have made.
//
// Comes in: a `ShotOutline`, the words of `etalon render` as `FarmWord`s, and what was asked for (`JobSettings`).
// Goes out: a folder with a job: `job.json`, and a bundle of Open Job Description or scripts for Slurm; later its state, and a verdict on its frames.
// Carried by: `FarmJob`, whose `JobCut` says where the shot is cut and why; `FrameRecord`, a line that a machine wrote about a frame.
// Start reading: `Jobs/JobCut.swift`, then `OpenJD/OpenJDBundle.swift` or `Slurm/SlurmScripts.swift`.
//
// - `Jobs/`      what any scheduler is told: the cut, the words, the settings, the folder
// - `OpenJD/`    a job template with its parameters (specification 2023-09)
// - `Slurm/`     batch scripts; what Slurm says about their jobs
// - `Checking/`  records, frames on disk, and the check of all frames
//
// Rule: tasks are commands of `etalon render` with options that anyone may type; nothing is known here that a scheduler of another kind could not use.
