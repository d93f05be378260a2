// # EtalonPreview
//
// Shows a filter, a chain or a graph while a person works on it: pictures follow values, time and files.
//
// Comes in: a `PreviewSource`, which makes a `RenderRequest` of the files as they are now and of what pages changed; requests of pages.
// Goes out: messages to pages, which are JSON, and pictures; files, where a page asks for them and they lie in folders given at start.
// Carried by: `PageRequest` -> `PreviewEngine` -> `PageMessage`. A picture is made by a `Shot`, as every picture of Etalon.
// Start reading: `Session/PreviewSession.swift`, then `Session/PreviewEngine.swift`; the way over the network is `Server/PreviewServer.swift`.
//
// - `Protocol/`  what pages ask for, and what they are told
// - `Session/`   the engine: one thread that knows the state, applies requests and renders; watching files, jobs, recording, presets
// - `Server/`    HTTP and WebSocket on the loopback interface; who may ask
// - `Page/`      the page: HTML, styles and modules, embedded in the program
//
// Rule: the session knows nothing of the network, and the server nothing of rendering.
