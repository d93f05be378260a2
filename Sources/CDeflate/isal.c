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

isal_deflater *isal_new(int level) {
  if (!isal_is_available() || level != LEVEL) return NULL;
  return aligned_alloc(64, (sizeof(isal_deflater) + 63) / 64 * 64);
}

void isal_free(isal_deflater *deflater) { free(deflater); }

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
