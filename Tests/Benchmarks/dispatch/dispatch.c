// Times compute dispatches alone: no pictures are encoded, nothing is read back but, on request, the last frame.
//
//   dispatch MODULE.spv WIDTH HEIGHT FRAMES [option…]
//
//   --output SET.BINDING          storage buffer that receives one packed RGBA8 word per pixel   (default 0.0)
//   --uniforms SET.BINDING=FILE   uniform buffer, filled from FILE                                (may be repeated)
//   --storage SET.BINDING=FILE    storage buffer, filled from FILE                                (may be repeated)
//   --push FILE                   push constants, filled from FILE
//   --float WHERE:OFFSET=A+B      before each frame, writes the float A + B * frame at a byte offset of
//                                 'push' or of the uniform buffer SET.BINDING                     (may be repeated)
//   --int WHERE:OFFSET=A+B        the same with a 32-bit integer
//   --group XxY                   pixels that one workgroup covers                                (default 16x16)
//   --entry NAME                  entry point                                                     (default main)
//   --device INDEX                index of the Vulkan device                                      (default 0)
//   --picture FILE.ppm            writes the last frame, for a look at what was timed
//
// Prints one line of JSON. The first frame, which compiles the module in the driver, is timed apart from the others.
// CPU time is that of the whole process, so the threads of a software driver count.

#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <vulkan/vulkan.h>

enum { MAX_BUFFERS = 16, MAX_SETS = 4, MAX_UPDATES = 16, MAX_PUSH = 256 };

typedef struct {
  uint32_t set, binding;
  VkDescriptorType type;
  VkDeviceSize size;
  VkBuffer buffer;
  VkDeviceMemory memory;
  uint8_t *mapped;
} Buffer;

typedef struct {
  int into_push;
  uint32_t set, binding, offset;
  int is_integer;
  double start, step;
} Update;

typedef struct {
  const char *module_path, *entry, *picture_path;
  uint32_t width, height, frames, group_width, group_height, device_index;
  Buffer buffers[MAX_BUFFERS];
  const char *contents[MAX_BUFFERS];
  uint32_t buffer_count;
  uint8_t push[MAX_PUSH];
  uint32_t push_size;
  Update updates[MAX_UPDATES];
  uint32_t update_count;
} Job;

typedef struct {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  uint32_t family;
  VkCommandPool pool;
} Gpu;

typedef struct {
  VkPipeline pipeline;
  VkPipelineLayout layout;
  VkDescriptorSet sets[MAX_SETS];
  uint32_t set_count;
} Kernel;

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "dispatch: error: %s '%s'\n", what, detail);
  exit(1);
}

static void check(VkResult result, const char *call) {
  if (result == VK_SUCCESS) return;
  fprintf(stderr, "dispatch: error: %s returned %d\n", call, (int)result);
  exit(1);
}

static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot read", path);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(*size + 4);
  if (!bytes || fread(bytes, 1, *size, file) != *size) fail("cannot read", path);
  fclose(file);
  return bytes;
}

// MARK: Command line

static void add_buffer(Job *job, const char *text, VkDescriptorType type) {
  if (job->buffer_count == MAX_BUFFERS) fail("too many buffers at", text);
  Buffer *buffer = &job->buffers[job->buffer_count];
  const char *path = strchr(text, '=');
  if (sscanf(text, "%u.%u", &buffer->set, &buffer->binding) != 2 || !path || buffer->set >= MAX_SETS)
    fail("expected SET.BINDING=FILE, found", text);
  buffer->type = type;
  job->contents[job->buffer_count++] = path + 1;
}

static void add_update(Job *job, const char *text, int is_integer) {
  if (job->update_count == MAX_UPDATES) fail("too many updates at", text);
  Update *update = &job->updates[job->update_count++];
  update->is_integer = is_integer;
  if (sscanf(text, "push:%u=%lf+%lf", &update->offset, &update->start, &update->step) == 3) {
    update->into_push = 1;
    if (update->offset + 4 > MAX_PUSH) fail("offset outside the push constants in", text);
  } else if (sscanf(text, "%u.%u:%u=%lf+%lf", &update->set, &update->binding, &update->offset, &update->start, &update->step) != 5) {
    fail("expected WHERE:OFFSET=A+B, found", text);
  }
}

static Job parse(int count, char **words) {
  if (count < 5) fail("usage:", "dispatch MODULE.spv WIDTH HEIGHT FRAMES [option…]");
  Job job = {.module_path = words[1], .entry = "main", .group_width = 16, .group_height = 16};
  job.width = (uint32_t)atoi(words[2]);
  job.height = (uint32_t)atoi(words[3]);
  job.frames = (uint32_t)atoi(words[4]);
  if (!job.width || !job.height || !job.frames) fail("expected WIDTH HEIGHT FRAMES above zero, found", words[2]);
  // Buffer 0 is the output; its place may be changed by an option.
  job.buffers[0].type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  job.buffers[0].size = 4 * (VkDeviceSize)job.width * job.height;
  job.buffer_count = 1;
  for (int i = 5; i < count; i += 2) {
    const char *option = words[i];
    if (i + 1 == count) fail("no value for", option);
    const char *value = words[i + 1];
    if (!strcmp(option, "--output")) {
      if (sscanf(value, "%u.%u", &job.buffers[0].set, &job.buffers[0].binding) != 2 || job.buffers[0].set >= MAX_SETS)
        fail("expected SET.BINDING, found", value);
    } else if (!strcmp(option, "--uniforms")) {
      add_buffer(&job, value, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
    } else if (!strcmp(option, "--storage")) {
      add_buffer(&job, value, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    } else if (!strcmp(option, "--push")) {
      size_t size;
      uint8_t *bytes = read_file(value, &size);
      if (size > MAX_PUSH) fail("too large for push constants:", value);
      memcpy(job.push, bytes, size);
      job.push_size = (uint32_t)size;
      free(bytes);
    } else if (!strcmp(option, "--float")) {
      add_update(&job, value, 0);
    } else if (!strcmp(option, "--int")) {
      add_update(&job, value, 1);
    } else if (!strcmp(option, "--group")) {
      if (sscanf(value, "%ux%u", &job.group_width, &job.group_height) != 2) fail("expected XxY, found", value);
    } else if (!strcmp(option, "--entry")) {
      job.entry = value;
    } else if (!strcmp(option, "--device")) {
      job.device_index = (uint32_t)atoi(value);
    } else if (!strcmp(option, "--picture")) {
      job.picture_path = value;
    } else {
      fail("unknown option", option);
    }
  }
  return job;
}

// MARK: Device

static void choose_family(Gpu *gpu) {
  VkQueueFamilyProperties families[16];
  uint32_t count = 16;
  vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &count, families);
  for (uint32_t i = 0; i < count; i++) {
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
      gpu->family = i;
      return;
    }
  }
  fail("no compute queue on the", "device");
}

static Gpu open_device(uint32_t index) {
  Gpu gpu = {0};
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  check(vkCreateInstance(&instance, NULL, &gpu.instance), "vkCreateInstance");
  VkPhysicalDevice devices[16];
  uint32_t count = 16;
  check(vkEnumeratePhysicalDevices(gpu.instance, &count, devices), "vkEnumeratePhysicalDevices");
  if (index >= count) fail("no Vulkan device with this", "--device");
  gpu.physical = devices[index];
  choose_family(&gpu);
  float priority = 1;
  VkDeviceQueueCreateInfo queue = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = gpu.family, .queueCount = 1,
    .pQueuePriorities = &priority,
  };
  // A module may use any optional feature that the driver has.
  VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan12Features features12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &features13,
  };
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features12};
  vkGetPhysicalDeviceFeatures2(gpu.physical, &features);
  VkDeviceCreateInfo device = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue,
  };
  check(vkCreateDevice(gpu.physical, &device, NULL, &gpu.device), "vkCreateDevice");
  vkGetDeviceQueue(gpu.device, gpu.family, 0, &gpu.queue);
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = gpu.family};
  check(vkCreateCommandPool(gpu.device, &pool, NULL, &gpu.pool), "vkCreateCommandPool");
  return gpu;
}

// MARK: Buffers

static uint32_t host_memory_type(const Gpu *gpu, uint32_t allowed) {
  VkPhysicalDeviceMemoryProperties properties;
  vkGetPhysicalDeviceMemoryProperties(gpu->physical, &properties);
  const VkMemoryPropertyFlags coherent = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkMemoryPropertyFlags wishes[] = {coherent | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, coherent};
  for (int wish = 0; wish < 2; wish++) {
    for (uint32_t i = 0; i < properties.memoryTypeCount; i++) {
      if ((allowed >> i & 1) && (properties.memoryTypes[i].propertyFlags & wishes[wish]) == wishes[wish]) return i;
    }
  }
  fail("no host-visible memory on the", "device");
  return 0;
}

static void create_buffer(const Gpu *gpu, Buffer *buffer) {
  VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = buffer->size,
    .usage = buffer->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
                                                               : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
  };
  check(vkCreateBuffer(gpu->device, &info, NULL, &buffer->buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(gpu->device, buffer->buffer, &needs);
  VkMemoryAllocateInfo memory = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size,
    .memoryTypeIndex = host_memory_type(gpu, needs.memoryTypeBits),
  };
  check(vkAllocateMemory(gpu->device, &memory, NULL, &buffer->memory), "vkAllocateMemory");
  check(vkBindBufferMemory(gpu->device, buffer->buffer, buffer->memory, 0), "vkBindBufferMemory");
  check(vkMapMemory(gpu->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, (void **)&buffer->mapped), "vkMapMemory");
}

static void create_buffers(const Gpu *gpu, Job *job) {
  for (uint32_t i = 0; i < job->buffer_count; i++) {
    Buffer *buffer = &job->buffers[i];
    size_t size = 0;
    uint8_t *bytes = job->contents[i] ? read_file(job->contents[i], &size) : NULL;
    if (bytes) buffer->size = size;
    create_buffer(gpu, buffer);
    if (bytes) memcpy(buffer->mapped, bytes, size);
    free(bytes);
  }
}

// MARK: Kernel

static VkDescriptorSetLayout create_set_layout(const Gpu *gpu, const Job *job, uint32_t set) {
  VkDescriptorSetLayoutBinding bindings[MAX_BUFFERS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < job->buffer_count; i++) {
    if (job->buffers[i].set != set) continue;
    bindings[count++] = (VkDescriptorSetLayoutBinding){
      .binding = job->buffers[i].binding, .descriptorType = job->buffers[i].type, .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };
  }
  VkDescriptorSetLayoutCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = bindings,
  };
  VkDescriptorSetLayout layout;
  check(vkCreateDescriptorSetLayout(gpu->device, &info, NULL, &layout), "vkCreateDescriptorSetLayout");
  return layout;
}

static void bind_buffers(const Gpu *gpu, const Job *job, const Kernel *kernel) {
  for (uint32_t i = 0; i < job->buffer_count; i++) {
    const Buffer *buffer = &job->buffers[i];
    VkDescriptorBufferInfo range = {.buffer = buffer->buffer, .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = kernel->sets[buffer->set], .dstBinding = buffer->binding,
      .descriptorCount = 1, .descriptorType = buffer->type, .pBufferInfo = &range,
    };
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
  }
}

static void create_sets(const Gpu *gpu, const Job *job, Kernel *kernel, const VkDescriptorSetLayout *layouts) {
  VkDescriptorPoolSize sizes[] = {
    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MAX_BUFFERS}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, MAX_BUFFERS},
  };
  VkDescriptorPoolCreateInfo pool_info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = MAX_SETS, .poolSizeCount = 2, .pPoolSizes = sizes,
  };
  VkDescriptorPool pool;
  check(vkCreateDescriptorPool(gpu->device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool, .descriptorSetCount = kernel->set_count,
    .pSetLayouts = layouts,
  };
  check(vkAllocateDescriptorSets(gpu->device, &info, kernel->sets), "vkAllocateDescriptorSets");
  bind_buffers(gpu, job, kernel);
}

static Kernel create_kernel(const Gpu *gpu, const Job *job) {
  Kernel kernel = {0};
  for (uint32_t i = 0; i < job->buffer_count; i++) {
    if (job->buffers[i].set >= kernel.set_count) kernel.set_count = job->buffers[i].set + 1;
  }
  VkDescriptorSetLayout layouts[MAX_SETS];
  for (uint32_t set = 0; set < kernel.set_count; set++) layouts[set] = create_set_layout(gpu, job, set);
  VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = (job->push_size + 3) & ~3u};
  VkPipelineLayoutCreateInfo layout = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = kernel.set_count, .pSetLayouts = layouts,
    .pushConstantRangeCount = job->push_size ? 1 : 0, .pPushConstantRanges = &range,
  };
  check(vkCreatePipelineLayout(gpu->device, &layout, NULL, &kernel.layout), "vkCreatePipelineLayout");
  size_t size;
  uint8_t *code = read_file(job->module_path, &size);
  VkShaderModuleCreateInfo module_info = {
    .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = (const uint32_t *)(void *)code,
  };
  VkShaderModule module;
  check(vkCreateShaderModule(gpu->device, &module_info, NULL, &module), "vkCreateShaderModule");
  VkComputePipelineCreateInfo pipeline = {
    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = kernel.layout,
    .stage = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module,
      .pName = job->entry,
    },
  };
  check(vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &kernel.pipeline), "vkCreateComputePipelines");
  free(code);
  create_sets(gpu, job, &kernel, layouts);
  return kernel;
}

// MARK: Frames

static void apply_updates(Job *job, uint32_t frame) {
  for (uint32_t i = 0; i < job->update_count; i++) {
    const Update *update = &job->updates[i];
    uint8_t *target = update->into_push ? job->push : NULL;
    for (uint32_t b = 0; !target && b < job->buffer_count; b++) {
      Buffer *buffer = &job->buffers[b];
      if (buffer->set == update->set && buffer->binding == update->binding && update->offset + 4 <= buffer->size) target = buffer->mapped;
    }
    if (!target) fail("an update points outside every", "buffer");
    double value = update->start + update->step * frame;
    float single = (float)value;
    int32_t integer = (int32_t)value;
    memcpy(target + update->offset, update->is_integer ? (void *)&integer : (void *)&single, 4);
  }
}

static void record(const Job *job, const Kernel *kernel, VkCommandBuffer commands) {
  VkCommandBufferBeginInfo begin = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
  };
  check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, kernel->set_count, kernel->sets, 0, NULL);
  if (job->push_size)
    vkCmdPushConstants(commands, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, (job->push_size + 3) & ~3u, job->push);
  vkCmdDispatch(commands, (job->width + job->group_width - 1) / job->group_width,
                (job->height + job->group_height - 1) / job->group_height, 1);
  VkMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT, .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
  };
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

static void render_frame(const Gpu *gpu, Job *job, const Kernel *kernel, VkCommandBuffer commands, VkFence fence, uint32_t frame) {
  apply_updates(job, frame);
  check(vkResetCommandPool(gpu->device, gpu->pool, 0), "vkResetCommandPool");
  record(job, kernel, commands);
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  check(vkQueueSubmit(gpu->queue, 1, &submit, fence), "vkQueueSubmit");
  check(vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  check(vkResetFences(gpu->device, 1, &fence), "vkResetFences");
}

// MARK: Result

typedef struct {
  double user, system, wall;
} Instant;

static Instant now(void) {
  struct rusage usage;
  struct timespec clock;
  getrusage(RUSAGE_SELF, &usage);
  clock_gettime(CLOCK_MONOTONIC, &clock);
  return (Instant){
    usage.ru_utime.tv_sec * 1e3 + usage.ru_utime.tv_usec / 1e3, usage.ru_stime.tv_sec * 1e3 + usage.ru_stime.tv_usec / 1e3,
    clock.tv_sec * 1e3 + clock.tv_nsec / 1e6,
  };
}

static void write_picture(const Job *job) {
  FILE *file = fopen(job->picture_path, "wb");
  if (!file) fail("cannot write", job->picture_path);
  fprintf(file, "P6\n%u %u\n255\n", job->width, job->height);
  for (size_t pixel = 0; pixel < (size_t)job->width * job->height; pixel++) fwrite(job->buffers[0].mapped + 4 * pixel, 1, 3, file);
  if (fclose(file)) fail("cannot write", job->picture_path);
}

static void print_result(const Gpu *gpu, const Job *job, Instant start, Instant first, Instant end) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(gpu->physical, &properties);
  double later = job->frames > 1 ? job->frames - 1 : 1;
  printf("{\"device\":\"%s\",\"width\":%u,\"height\":%u,\"frames\":%u,\"firstFrameWallMs\":%.3f,"
         "\"userMsPerFrame\":%.3f,\"systemMsPerFrame\":%.3f,\"wallMsPerFrame\":%.3f}\n",
         properties.deviceName, job->width, job->height, job->frames, first.wall - start.wall,
         (end.user - first.user) / later, (end.system - first.system) / later, (end.wall - first.wall) / later);
}

int main(int count, char **words) {
  Job job = parse(count, words);
  Gpu gpu = open_device(job.device_index);
  create_buffers(&gpu, &job);
  Kernel kernel = create_kernel(&gpu, &job);
  VkCommandBufferAllocateInfo allocate = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = gpu.pool, .commandBufferCount = 1,
  };
  VkCommandBuffer commands;
  check(vkAllocateCommandBuffers(gpu.device, &allocate, &commands), "vkAllocateCommandBuffers");
  VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  check(vkCreateFence(gpu.device, &fence_info, NULL, &fence), "vkCreateFence");
  Instant start = now();
  render_frame(&gpu, &job, &kernel, commands, fence, 0);
  Instant first = now();
  for (uint32_t frame = 1; frame < job.frames; frame++) render_frame(&gpu, &job, &kernel, commands, fence, frame);
  Instant end = now();
  if (job.picture_path) write_picture(&job);
  print_result(&gpu, &job, start, first, end);
  return 0;  // the process ends here, and with it every handle
}
