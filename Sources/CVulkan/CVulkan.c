#include "CVulkan.h"

#include <dlfcn.h>
#include <stddef.h>

const char *etalon_vulkan_open(const char *library, EtalonLoaderFunctions *functions) {
  // Never closed: drivers leave threads and exit handlers behind that would run into unmapped code.
  void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (opened == NULL) return dlerror();
  PFN_vkGetInstanceProcAddr getProcAddr = (PFN_vkGetInstanceProcAddr)dlsym(opened, "vkGetInstanceProcAddr");
  if (getProcAddr == NULL) return "it has no function vkGetInstanceProcAddr";
  PFN_vkCreateInstance createInstance = (PFN_vkCreateInstance)getProcAddr(NULL, "vkCreateInstance");
  if (createInstance == NULL) return "it has no function vkCreateInstance";
  PFN_vkEnumerateInstanceVersion enumerateInstanceVersion =
      (PFN_vkEnumerateInstanceVersion)getProcAddr(NULL, "vkEnumerateInstanceVersion");
  if (enumerateInstanceVersion == NULL) return "it is a loader of Vulkan 1.0, and 1.2 is needed";
  functions->GetInstanceProcAddr = getProcAddr;
  functions->CreateInstance = createInstance;
  functions->EnumerateInstanceVersion = enumerateInstanceVersion;
  return NULL;
}

#define LOAD_OPTIONAL(name) functions->name = (PFN_vk##name)GET("vk" #name);
#define LOAD_REQUIRED(name) \
  { \
    PFN_vk##name found = (PFN_vk##name)GET("vk" #name); \
    if (found == NULL) return "vk" #name; \
    functions->name = found; \
  }

const char *etalon_vulkan_load_instance(
    const EtalonLoaderFunctions *loader, VkInstance instance, EtalonInstanceFunctions *functions) {
#define GET(name) loader->GetInstanceProcAddr(instance, name)
  ETALON_INSTANCE_FUNCTIONS(LOAD_REQUIRED)
  ETALON_DEBUG_FUNCTIONS(LOAD_OPTIONAL)
#undef GET
  return NULL;
}

const char *etalon_vulkan_load_device(
    const EtalonInstanceFunctions *instance, VkDevice device, EtalonDeviceFunctions *functions) {
#define GET(name) instance->GetDeviceProcAddr(device, name)
  ETALON_DEVICE_FUNCTIONS(LOAD_REQUIRED)
#undef GET
  return NULL;
}
