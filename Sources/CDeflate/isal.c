// ISA-L is opened when the program runs, so that one binary works with and without it. Its header is needed for the layout of the stream, which
// has been the same for all of `libisal.so.2`; without the header at build time only libdeflate is used.
#define _GNU_SOURCE
#include "isal.h"

#if __has_include(<isa-l/igzip_lib.h>)
#include <dlfcn.h>
#include <isa-l/igzip_lib.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct {
  void (*init)(struct isal_zstream *);
  int (*deflate)(struct isal_zstream *);
  char name[64];
} library;

static pthread_once_t opened = PTHREAD_ONCE_INIT;

// `libisal.so.2` is a link to a file whose name has the whole version.
static void find_name(void *handle) {
  strcpy(library.name, "ISA-L");
  struct link_map *map = NULL;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) || !map) return;
  char *path = realpath(map->l_name, NULL);
  const char *version = path ? strstr(path, ".so.") : NULL;
  if (version && strlen(version) < 32) {
    strcat(library.name, " ");
    strcat(library.name, version + 4);
  }
  free(path);
}

static void open_library(void) {
  void *handle = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
  *(void **)&library.init = dlsym(handle, "isal_deflate_init");
  *(void **)&library.deflate = dlsym(handle, "isal_deflate");
  if (!library.init) library.deflate = NULL;
  find_name(handle);
}

bool isal_is_available(void) {
  pthread_once(&opened, open_library);
  return library.deflate != NULL;
}

const char *isal_name(void) { return isal_is_available() ? library.name : "ISA-L (absent)"; }

// Room for 8192 tokens: a new Huffman code so often suits pictures, whose rows differ from top to bottom, better than the default of 65,536.
enum { LEVEL = 2, WORK_SIZE = ISAL_DEF_LVL2_REQ + 8 * IGZIP_K * ISAL_DEF_LVL2_TOKEN_SIZE };

struct isal_deflater {
  struct isal_zstream stream;
  uint8_t work[WORK_SIZE];
};

#if defined(__x86_64__)
// ISA-L 2.30's loops for x86-64 begin with a mistake (`write_first_byte` in `igzip_icf_body_h1_gr_bt.asm`): the place of the third byte in the hash
// table is computed from bits 16 to 47 of the stream's address instead of from the input. Streams are right all the same, but their bytes would
// hang on where the system puts them. So they lie where that computation gives 0.
__attribute__((target("sse4.2"))) static bool hashes_to_zero(uint64_t address) {
  enum { LARGEST_HASH = IGZIP_LVL2_HASH_SIZE - 1 };
  return (__builtin_ia32_crc32si(0, (uint32_t)(address >> 16)) & LARGEST_HASH) == 0;
}

// Memory at the next such address that is free, in a part of the address space where Linux puts nothing by itself.
static void *map_where_hash_is_zero(size_t size) {
  enum { TRIES = 64 };
  const uint64_t first = 1ull << 45, end = 1ull << 46, step = 1 << 16;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static uint64_t next = 1ull << 45;
  void *found = NULL;
  pthread_mutex_lock(&lock);
  for (int tried = 0; tried < TRIES && !found; next = next + step < end ? next + step : first) {
    if (!hashes_to_zero(next)) continue;
    tried++;
    void *wanted = (void *)next;
    void *memory = mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory == MAP_FAILED) continue;
    // Linux before 4.17 takes the address for a wish.
    if (memory == wanted) found = memory;
    else munmap(memory, size);
  }
  pthread_mutex_unlock(&lock);
  return found;
}
#endif

isal_deflater *isal_new(int level) {
  if (!isal_is_available() || level != LEVEL) return NULL;
#if defined(__x86_64__)
  // Without SSE 4.2, ISA-L takes loops that were written in C.
  if (__builtin_cpu_supports("sse4.2")) {
    void *memory = map_where_hash_is_zero(sizeof(isal_deflater));
    if (memory) return memory;
  }
#endif
  void *memory = mmap(NULL, sizeof(isal_deflater), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void isal_free(isal_deflater *deflater) {
  if (deflater) munmap(deflater, sizeof(isal_deflater));
}

void isal_begin(isal_deflater *deflater) {
  library.init(&deflater->stream);
  deflater->stream.level = LEVEL;
  deflater->stream.level_buf = deflater->work;
  deflater->stream.level_buf_size = WORK_SIZE;
  deflater->stream.gzip_flag = IGZIP_ZLIB;
  deflater->stream.flush = NO_FLUSH;
}

void isal_feed(isal_deflater *deflater, const uint8_t *bytes, size_t count, bool last) {
  deflater->stream.next_in = (uint8_t *)bytes;
  deflater->stream.avail_in = (uint32_t)count;
  deflater->stream.end_of_stream = last;
}

// ISA-L leaves the upper halves of the AVX registers in use, after which every SSE instruction of the process pays for a merge.
static void clear_upper_halves(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper" ::: "memory");
#endif
}

cdeflate_progress isal_run(isal_deflater *deflater, uint8_t *out, size_t room, size_t *written) {
  struct isal_zstream *stream = &deflater->stream;
  uint32_t available = room > UINT32_MAX ? UINT32_MAX : (uint32_t)room;
  stream->next_out = out;
  stream->avail_out = available;
  int result = library.deflate(stream);
  clear_upper_halves();
  *written = available - stream->avail_out;
  if (result != COMP_OK) return CDEFLATE_FAILED;
  bool done = stream->end_of_stream ? stream->internal_state.state == ZSTATE_END : stream->avail_in == 0 && stream->avail_out > 0;
  return done ? CDEFLATE_DONE : CDEFLATE_MORE;
}

#else

bool isal_is_available(void) { return false; }
const char *isal_name(void) { return "ISA-L (absent)"; }
isal_deflater *isal_new(int level) {
  (void)level;
  return NULL;
}
void isal_free(isal_deflater *deflater) { (void)deflater; }
void isal_begin(isal_deflater *deflater) { (void)deflater; }
void isal_feed(isal_deflater *deflater, const uint8_t *bytes, size_t count, bool last) {
  (void)deflater, (void)bytes, (void)count, (void)last;
}
cdeflate_progress isal_run(isal_deflater *deflater, uint8_t *out, size_t room, size_t *written) {
  (void)deflater, (void)out, (void)room;
  *written = 0;
  return CDEFLATE_FAILED;
}

#endif
