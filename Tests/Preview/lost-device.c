// A Vulkan layer that loses a device: as long as the file that ETALON_LOSE_DEVICE names is there, the next thing that is submitted takes the file
// away, and everything after it on that device fails with VK_ERROR_DEVICE_LOST, as the Vulkan specification says ("Lost Device"). Other devices work.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vulkan/vk_layer.h>

enum { LIMIT = 64 };

// What the next layer calls; devices and their queues have the same pointer in front.
typedef struct {
  void *key;
  VkDevice device;
  PFN_vkGetInstanceProcAddr of_instance;
  PFN_vkGetDeviceProcAddr of_device;
  bool is_lost;
} next_layer;

static next_layer layers[LIMIT];

static void *key_of(const void *handle) { return *(void *const *)handle; }

static next_layer *find(const void *handle) {
  for (int i = 0; i < LIMIT; i++) {
    if (layers[i].key == key_of(handle)) return &layers[i];
  }
  abort();
}

static void add(next_layer layer) {
  for (int i = 0; i < LIMIT; i++) {
    if (layers[i].key && layers[i].key != layer.key) continue;
    layers[i] = layer;
    return;
  }
  abort();
}

static VkLayerInstanceCreateInfo *instance_link(const VkInstanceCreateInfo *info) {
  for (VkLayerInstanceCreateInfo *each = (void *)info->pNext; each; each = (void *)each->pNext) {
    if (each->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO && each->function == VK_LAYER_LINK_INFO) return each;
  }
  abort();
}

static VkLayerDeviceCreateInfo *device_link(const VkDeviceCreateInfo *info) {
  for (VkLayerDeviceCreateInfo *each = (void *)info->pNext; each; each = (void *)each->pNext) {
    if (each->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO && each->function == VK_LAYER_LINK_INFO) return each;
  }
  abort();
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *memory, VkInstance *instance) {
  VkLayerInstanceCreateInfo *link = instance_link(info);
  PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  VkResult result = ((PFN_vkCreateInstance)next(NULL, "vkCreateInstance"))(info, memory, instance);
  if (result == VK_SUCCESS) add((next_layer){.key = key_of(*instance), .of_instance = next});
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *memory, VkDevice *device) {
  VkLayerDeviceCreateInfo *link = device_link(info);
  PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  PFN_vkGetDeviceProcAddr next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  VkResult result = ((PFN_vkCreateDevice)next(NULL, "vkCreateDevice"))(physical, info, memory, device);
  if (result == VK_SUCCESS) add((next_layer){.key = key_of(*device), .device = *device, .of_device = next_device});
  return result;
}

static bool is_lost(const void *handle, bool submits) {
  next_layer *layer = find(handle);
  const char *path = getenv("ETALON_LOSE_DEVICE");
  if (submits && path && unlink(path) == 0) layer->is_lost = true;
  return layer->is_lost;
}

static PFN_vkVoidFunction next(const void *handle, const char *name) {
  const next_layer *layer = find(handle);
  return layer->of_device(layer->device, name);
}

static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence) {
  if (is_lost(queue, true)) return VK_ERROR_DEVICE_LOST;
  return ((PFN_vkQueueSubmit)next(queue, "vkQueueSubmit"))(queue, count, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL wait(VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t time) {
  if (is_lost(device, false)) return VK_ERROR_DEVICE_LOST;
  return ((PFN_vkWaitSemaphores)next(device, "vkWaitSemaphores"))(device, info, time);
}

static PFN_vkVoidFunction own(const char *name);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL lost_device_of_device(VkDevice device, const char *name) {
  PFN_vkVoidFunction function = own(name);
  return function ? function : find(device)->of_device(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL lost_device_of_instance(VkInstance instance, const char *name) {
  PFN_vkVoidFunction function = own(name);
  return function ? function : find(instance)->of_instance(instance, name);
}

static PFN_vkVoidFunction own(const char *name) {
  static const struct {
    const char *name;
    PFN_vkVoidFunction function;
  } functions[] = {
      {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)lost_device_of_instance},
      {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)lost_device_of_device},
      {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
      {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
      {"vkQueueSubmit", (PFN_vkVoidFunction)submit},
      {"vkWaitSemaphores", (PFN_vkVoidFunction)wait},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (strcmp(functions[i].name, name) == 0) return functions[i].function;
  }
  return NULL;
}
