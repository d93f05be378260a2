// Reads DWAA, DWAB, B44 and B44A with OpenEXR's library in C++, which is opened at run time like the one in C.
//
// Its functions are looked up by the names that the C++ ABI of Linux (Itanium) gives them, because a library in C++ that is linked would have to be
// on every machine. They are called like functions in C whose first argument is the object. Of its classes only this is relied on, which has been
// so since version 2 and cannot change within a version of the library: a `Slice` has the members below, a `FrameBuffer` is a map of them, and the two
// classes of files are smaller than the room they get here. The headers cannot be included: they need folders that only pkg-config knows.
#include "libraries.h"

#if __has_include(<OpenEXR/OpenEXRConfig.h>)
#include <OpenEXR/OpenEXRConfig.h>
#endif

#if defined(OPENEXR_VERSION_MAJOR) && OPENEXR_VERSION_MAJOR == 3 && OPENEXR_VERSION_MINOR <= 2

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#define NUMBER_TEXT(number) #number
#define NUMBER(number) NUMBER_TEXT(number)
#define VERSION NUMBER(OPENEXR_VERSION_MAJOR) "_" NUMBER(OPENEXR_VERSION_MINOR)
// Every name begins with the namespace `Imf_3_1`.
#define MANGLED(name) "_ZN7Imf_" VERSION name

namespace {

struct Name {
  char text[256];
  bool operator<(const Name &other) const { return std::strcmp(text, other.text) < 0; }
};

struct Slice {
  int type;
  char *base;
  std::size_t xStride, yStride;
  int xSampling, ySampling;
  double fillValue;
  bool xTileCoordinates, yTileCoordinates;
};

using FrameBuffer = std::map<Name, Slice>;

struct Functions {
  void (*openFile)(void *file, const char *path, int threads, bool reconstructs);
  void (*closeFile)(void *file);
  void (*openPart)(void *part, void *file, int number);
  void (*insert)(FrameBuffer *buffer, const char *name, const Slice *slice);
  void (*setFrameBuffer)(void *part, const FrameBuffer *buffer);
  void (*readPixels)(void *part, int first, int last);
};

template <typename Function> bool find(void *library, const char *name, Function &function, EtalonEXRMessage *message) {
  void *found = dlsym(library, name);
  if (found == nullptr) return etalon_exr_tell(message, ETALON_EXR_NO_LIBRARY, "dlsym", "OpenEXR's library has no function %s", name);
  std::memcpy(&function, &found, sizeof function);
  return true;
}

bool load(Functions &functions, EtalonEXRMessage *message) {
  const char *name = OPENEXR_VERSION_MINOR == 1 ? "libOpenEXR-" VERSION ".so.30" : "libOpenEXR-" VERSION ".so.31";
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char *reason = dlerror();
    return etalon_exr_tell(message, ETALON_EXR_NO_LIBRARY, "dlopen", "%s", reason ? reason : "");
  }
  return find(library, MANGLED("18MultiPartInputFileC1EPKcib"), functions.openFile, message) &&
         find(library, MANGLED("18MultiPartInputFileD1Ev"), functions.closeFile, message) &&
         find(library, MANGLED("9InputPartC1ERNS_18MultiPartInputFileEi"), functions.openPart, message) &&
         find(library, MANGLED("11FrameBuffer6insertEPKcRKNS_5SliceE"), functions.insert, message) &&
         find(library, MANGLED("9InputPart14setFrameBufferERKNS_11FrameBufferE"), functions.setFrameBuffer, message) &&
         find(library, MANGLED("9InputPart10readPixelsEii"), functions.readPixels, message);
}

std::mutex lock;
bool isLoaded;
Functions openEXR;

bool loadOnce(EtalonEXRMessage *message) {
  std::lock_guard<std::mutex> guard(lock);
  if (!isLoaded) isLoaded = load(openEXR, message);
  return isLoaded;
}

// A file in memory that has a path.
class MemoryFile {
public:
  MemoryFile(const uint8_t *bytes, std::size_t count) : descriptor(memfd_create("etalon-exr", MFD_CLOEXEC)) {
    while (descriptor >= 0 && count > 0) {
      ssize_t written = write(descriptor, bytes, count);
      if (written <= 0) {
        close(descriptor);
        descriptor = -1;
        return;
      }
      bytes += written;
      count -= static_cast<std::size_t>(written);
    }
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  }
  ~MemoryFile() {
    if (descriptor >= 0) close(descriptor);
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  int descriptor;
  char path[32];
};

// A file of the library, closed at its end.
class InputFile {
public:
  explicit InputFile(const char *path) { openEXR.openFile(room, path, 0, false); }
  ~InputFile() { openEXR.closeFile(room); }
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  alignas(16) unsigned char room[512] = {};
};

void read(const char *path, int part, const char *const names[4], const EtalonEXRTarget &target, int rowsAtOnce) {
  InputFile file(path);
  alignas(16) unsigned char input[512] = {};
  openEXR.openPart(input, file.room, part);
  const EtalonEXRWindow &data = target.data;
  std::size_t width = static_cast<std::size_t>(static_cast<int64_t>(data.right) - data.left + 1);
  std::size_t rows = static_cast<std::size_t>(rowsAtOnce);
  std::vector<float> numbers(4 * rows * width);
  for (int64_t first = data.top; first <= data.bottom; first += rowsAtOnce) {
    int64_t last = first + rowsAtOnce - 1;
    if (last > data.bottom) last = data.bottom;
    if (first > target.display.bottom || last < target.display.top) continue;
    FrameBuffer buffer;
    for (int component = 0; component < 4; component++) {
      if (names[component] == nullptr) continue;
      // The address that the number of column 0 and row 0 would have; it need not lie in the memory.
      float *plane = numbers.data() + rows * width * static_cast<std::size_t>(component);
      intptr_t origin = reinterpret_cast<intptr_t>(plane) - static_cast<intptr_t>(sizeof(float)) *
                                                                (static_cast<intptr_t>(width) * first + data.left);
      Slice slice = {ETALON_EXR_FLOAT, reinterpret_cast<char *>(origin), sizeof(float), sizeof(float) * width, 1, 1, 0, false, false};
      openEXR.insert(&buffer, names[component], &slice);
    }
    openEXR.setFrameBuffer(input, &buffer);
    openEXR.readPixels(input, static_cast<int>(first), static_cast<int>(last));
    for (int component = 0; component < 4; component++) {
      // Where a channel becomes several components its numbers are in the plane of the last.
      int from = component;
      for (int other = 0; other < 4; other++) {
        if (target.sources[other] == target.sources[component]) from = other;
      }
      if (names[component] == nullptr || from != component) continue;
      for (int64_t row = first; row <= last; row++) {
        const float *line = numbers.data() + width * (rows * static_cast<std::size_t>(from) + static_cast<std::size_t>(row - first));
        etalon_exr_place(
            &target, target.sources[component], static_cast<int32_t>(row), data.left, static_cast<int32_t>(width), line);
      }
    }
  }
}

} // namespace

extern "C" bool etalon_exr_read_with_cxx(
    const uint8_t *bytes, size_t count, int32_t part, const char *const names[4], const EtalonEXRTarget *target, int32_t rows_at_once,
    EtalonEXRMessage *message) {
  if (!loadOnce(message)) return false;
  if (rows_at_once < 1) return etalon_exr_tell(message, ETALON_EXR_DAMAGED, "", "its pieces have no rows");
  MemoryFile file(bytes, count);
  if (file.descriptor < 0) return etalon_exr_tell(message, ETALON_EXR_NO_MEMORY, "memfd_create", "not enough memory");
  try {
    read(file.path, part, names, *target, rows_at_once);
    return true;
  } catch (const std::bad_alloc &) {
    return etalon_exr_tell(message, ETALON_EXR_NO_MEMORY, "Imf::InputPart::readPixels", "not enough memory");
  } catch (const std::exception &failure) {
    return etalon_exr_tell(message, ETALON_EXR_DAMAGED, "Imf::InputPart::readPixels", "%s", failure.what());
  } catch (...) {
    return etalon_exr_tell(message, ETALON_EXR_DAMAGED, "Imf::InputPart::readPixels", "the library gives up");
  }
}

#else

extern "C" bool etalon_exr_read_with_cxx(
    const uint8_t *, size_t, int32_t, const char *const *, const EtalonEXRTarget *, int32_t, EtalonEXRMessage *message) {
  return etalon_exr_tell(message, ETALON_EXR_UNSUPPORTED, "", "this version of OpenEXR's library does not unpack it");
}

#endif
