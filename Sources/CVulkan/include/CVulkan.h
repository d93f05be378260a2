// The part of Vulkan that Swift cannot reach by itself. No prototypes: the loader is opened at run time, so that Etalon starts on machines
// that have none.
#ifndef CVULKAN_H
#define CVULKAN_H

#define VK_NO_PROTOTYPES
#include <stdint.h>
#include <vulkan/vulkan_core.h>

// Macros with casts do not import into Swift; constants do.
static const uint32_t etalon_vulkan_api_1_2 = VK_API_VERSION_1_2;
static const uint32_t etalon_vulkan_api_1_3 = VK_API_VERSION_1_3;
static const uint32_t etalon_queue_family_ignored = VK_QUEUE_FAMILY_IGNORED;
static const uint64_t etalon_whole_size = VK_WHOLE_SIZE;
static const float etalon_lod_clamp_none = VK_LOD_CLAMP_NONE;

// The version macros are function-like, which do not import either.
static inline uint32_t etalon_vulkan_major(uint32_t version) { return VK_API_VERSION_MAJOR(version); }
static inline uint32_t etalon_vulkan_minor(uint32_t version) { return VK_API_VERSION_MINOR(version); }
static inline uint32_t etalon_vulkan_patch(uint32_t version) { return VK_API_VERSION_PATCH(version); }

#define ETALON_INSTANCE_FUNCTIONS(X) \
  X(DestroyInstance) \
  X(EnumeratePhysicalDevices) \
  X(GetPhysicalDeviceProperties2) \
  X(GetPhysicalDeviceFeatures2) \
  X(GetPhysicalDeviceMemoryProperties) \
  X(GetPhysicalDeviceQueueFamilyProperties) \
  X(GetPhysicalDeviceFormatProperties) \
  X(EnumerateDeviceExtensionProperties) \
  X(CreateDevice) \
  X(GetDeviceProcAddr)

#define ETALON_DEBUG_FUNCTIONS(X) \
  X(CreateDebugUtilsMessengerEXT) \
  X(DestroyDebugUtilsMessengerEXT) \
  X(SetDebugUtilsObjectNameEXT)

#define ETALON_DEVICE_FUNCTIONS(X) \
  X(DestroyDevice) \
  X(GetDeviceQueue) \
  X(QueueSubmit) \
  X(AllocateMemory) \
  X(FreeMemory) \
  X(MapMemory) \
  X(FlushMappedMemoryRanges) \
  X(InvalidateMappedMemoryRanges) \
  X(CreateBuffer) \
  X(DestroyBuffer) \
  X(GetBufferMemoryRequirements) \
  X(BindBufferMemory) \
  X(CreateImage) \
  X(DestroyImage) \
  X(GetImageMemoryRequirements) \
  X(BindImageMemory) \
  X(CreateImageView) \
  X(DestroyImageView) \
  X(CreateSampler) \
  X(DestroySampler) \
  X(CreateShaderModule) \
  X(DestroyShaderModule) \
  X(CreatePipelineCache) \
  X(DestroyPipelineCache) \
  X(GetPipelineCacheData) \
  X(CreateComputePipelines) \
  X(DestroyPipeline) \
  X(CreatePipelineLayout) \
  X(DestroyPipelineLayout) \
  X(CreateDescriptorSetLayout) \
  X(DestroyDescriptorSetLayout) \
  X(CreateDescriptorPool) \
  X(DestroyDescriptorPool) \
  X(AllocateDescriptorSets) \
  X(UpdateDescriptorSets) \
  X(CreateCommandPool) \
  X(DestroyCommandPool) \
  X(AllocateCommandBuffers) \
  X(BeginCommandBuffer) \
  X(EndCommandBuffer) \
  X(CmdBindPipeline) \
  X(CmdBindDescriptorSets) \
  X(CmdPushConstants) \
  X(CmdDispatch) \
  X(CmdDispatchBase) \
  X(CmdPipelineBarrier) \
  X(CmdCopyBufferToImage) \
  X(CmdCopyImageToBuffer) \
  X(CmdCopyBuffer) \
  X(CmdClearColorImage) \
  X(CmdFillBuffer) \
  X(CmdSetEvent) \
  X(CreateEvent) \
  X(DestroyEvent) \
  X(GetEventStatus) \
  X(ResetEvent) \
  X(CreateSemaphore) \
  X(DestroySemaphore) \
  X(WaitSemaphores) \
  X(GetSemaphoreCounterValue)

#define ETALON_REQUIRED_MEMBER(name) PFN_vk##name _Nonnull name;
#define ETALON_OPTIONAL_MEMBER(name) PFN_vk##name _Nullable name;

/// What the loader itself offers, before there is an instance.
typedef struct {
  ETALON_REQUIRED_MEMBER(GetInstanceProcAddr)
  ETALON_REQUIRED_MEMBER(CreateInstance)
  ETALON_REQUIRED_MEMBER(EnumerateInstanceVersion)
} EtalonLoaderFunctions;

/// The functions of one instance; those of the debug extension are null where it is not enabled.
typedef struct {
  ETALON_INSTANCE_FUNCTIONS(ETALON_REQUIRED_MEMBER)
  ETALON_DEBUG_FUNCTIONS(ETALON_OPTIONAL_MEMBER)
} EtalonInstanceFunctions;

/// The functions of one device, without the loader's detour.
typedef struct {
  ETALON_DEVICE_FUNCTIONS(ETALON_REQUIRED_MEMBER)
} EtalonDeviceFunctions;

// Swift cannot turn the `void *` of dlsym and the `PFN_vkVoidFunction` of Vulkan into typed function pointers without a cast at every one of
// sixty names; here the lists above do it. Each function fills the table and returns null, or returns what is missing and leaves the table
// undefined. The text lives until the calling thread opens or loads again.

/// Opens the loader's shared library; returns `dlerror`'s text when it cannot be opened.
const char *_Nullable etalon_vulkan_open(const char *_Nonnull library, EtalonLoaderFunctions *_Nonnull functions);

/// Fills the table of an instance; returns the name of the first function that is missing.
const char *_Nullable etalon_vulkan_load_instance(
    const EtalonLoaderFunctions *_Nonnull loader, VkInstance _Nonnull instance, EtalonInstanceFunctions *_Nonnull functions);

/// Fills the table of a device; returns the name of the first function that is missing.
const char *_Nullable etalon_vulkan_load_device(
    const EtalonInstanceFunctions *_Nonnull instance, VkDevice _Nonnull device, EtalonDeviceFunctions *_Nonnull functions);

#endif
