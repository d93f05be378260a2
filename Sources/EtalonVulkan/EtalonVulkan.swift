// # EtalonVulkan
//
// Executes plans on a Vulkan compute queue.
//
// Comes in: a `CheckedPlan` with its pictures; then `FrameValues` for each frame.
// Goes out: packed pixels in host-visible memory (`PendingFrame`), state (`PlanState`), and `DeviceDescription` for lists of devices.
// Carried by: `VulkanBackend` -> `PreparedPlan` (pipelines, textures, bands) -> `VulkanExecution` with a `FrameSlot` for each frame in flight.
// Start reading: `VulkanBackend.swift`, then `Execution/FrameRecorder.swift`.
//
// - `Devices/`    the loader, devices, features and limits; `PlanLimits` compares a plan with the limits before anything is made
// - `Objects/`    one owner for each kind of Vulkan handle, and the pool of memory
// - `Execution/`  recording, submission, waiting; mipmaps (`mipmaps.comp` becomes `MipmapKernel+Words.swift` through `Scripts/embed-kernels`)
//
// Rules: kernels are hardened (`EtalonSPIRV.Hardening`) before the driver gets them. A device that outlasts its time is abandoned and its handles are
// leaked, because destroying them waits for the kernel. Handles and structures of Vulkan occur in this module only.
