// # EtalonSystem
//
// What Etalon asks of the operating system.
//
// Comes in: paths, bytes with a key, pieces of work, commands to run.
// Goes out: files that appear whole or not at all, threads that really exist, processes that end, caches whose content is verified.
// Carried by: `CacheFolder`, `TemporaryFiles`, `FolderTree`, `WorkClaims`, `SystemThread`, `ThreadTask`, `SharedWork`, `ChildProcess`, `Cancellation`.
// Start reading: `SystemThread.swift` (why Dispatch is not asked for threads) and `CacheFolder.swift` (which files are trusted).
//
// - `SystemThread.swift`, `SharedWork.swift`       threads; where the system gives none, an error with code 75 instead of an endless wait
// - `ChildProcess.swift`                           processes, `Leftovers` to remove when this process ends, and `Cancellation`
// - `TemporaryFiles.swift`, `ProcessIdentity.swift` temporary names that say which process made them, and their removal by a later run
// - `CacheFolder.swift`                            files of a cache with hashes of key and content
// - `ClaimFolder.swift`, `ClaimWorker.swift`, `WorkClaims.swift`
//                                                  work that processes of several machines divide through a folder: the files, what a worker does next, and waiting for it
// - `FolderTree.swift`                             walks over folders: links are followed into each folder once, names are bytes
//
// Rule: everything that the command `etalon` runs gets its threads and its temporary names here, not from Dispatch or Foundation.
