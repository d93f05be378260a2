// dl_iterate_phdr is an extension of the C library.
#define _GNU_SOURCE
#include "CShaderc.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

#include <glslang/build_info.h>
#include <shaderc/shaderc.h>

#include "versions.h"

// The longest build id that is printed; linkers write 20 bytes.
enum { build_id_bytes = 32 };

typedef struct {
  uintptr_t address;
  int is_first;
  char *out;
} Search;

// Notes are 4-byte aligned records: sizes of name and description, type, name, description.
static int print_build_id(const unsigned char *note, size_t size, char *out) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    memcpy(&header, note, sizeof header);
    size_t name = ((size_t)header.n_namesz + 3) & ~(size_t)3;
    size_t description = ((size_t)header.n_descsz + 3) & ~(size_t)3;
    if (name > size - sizeof header || description > size - sizeof header - name) return 0;
    const unsigned char *bytes = note + sizeof header + name;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_descsz <= build_id_bytes) {
      for (size_t i = 0; i < header.n_descsz; i++) sprintf(out + 2 * i, "%02x", bytes[i]);
      return 1;
    }
    note += sizeof header + name + description;
    size -= sizeof header + name + description;
  }
  return 0;
}

static int holds(const struct dl_phdr_info *object, uintptr_t address) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && address >= start && address - start < part->p_memsz) return 1;
  }
  return 0;
}

static int visit(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  Search *search = data;
  int is_program = search->is_first;
  search->is_first = 0;
  if (!holds(object, search->address)) return 0;
  // Linked into the program itself, the version numbers of the headers say which compiler it is; the program's build id would change with
  // every change of ours.
  for (int i = 0; !is_program && i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_NOTE) continue;
    if (print_build_id((const unsigned char *)(object->dlpi_addr + part->p_vaddr), part->p_memsz, search->out)) break;
  }
  return 1;
}

const char *cshaderc_identity(void) {
  static char text[512];
  char build_id[2 * build_id_bytes + 1] = "";
  Search search = {(uintptr_t)&shaderc_compile_into_spv, 1, build_id};
  dl_iterate_phdr(visit, &search);
  snprintf(text, sizeof text, "glslang %d.%d.%d%s; %s; %s", GLSLANG_VERSION_MAJOR, GLSLANG_VERSION_MINOR, GLSLANG_VERSION_PATCH,
           GLSLANG_VERSION_FLAVOR, cshaderc_spirv_tools_version(), build_id);
  return text;
}
