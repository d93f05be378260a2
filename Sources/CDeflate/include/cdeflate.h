// One face for two compressors: ISA-L's igzip, which is looked for when the program runs and may be absent, and libdeflate.
#ifndef CDEFLATE_H
#define CDEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { CDEFLATE_ISAL, CDEFLATE_LIBDEFLATE } cdeflate_library;

/// Whether ISA-L can be used in this process.
bool cdeflate_has_isal(void);

/// The library and its version, such as `libdeflate 1.14`.
const char *cdeflate_library_name(cdeflate_library library);

/// Makes zlib streams, one after the other.
typedef struct cdeflate_stream cdeflate_stream;

/// Null when the library is absent or memory is short.
cdeflate_stream *cdeflate_new(cdeflate_library library, int level);
void cdeflate_free(cdeflate_stream *stream);

/// Whether input may be fed in pieces; otherwise the first piece must be the last.
bool cdeflate_takes_pieces(const cdeflate_stream *stream);

/// How much room for output one `cdeflate_run` needs at least.
size_t cdeflate_room(const cdeflate_stream *stream, size_t input);

/// Starts a new zlib stream.
void cdeflate_begin(cdeflate_stream *stream);

/// Hands over a piece of input, which must stay where it is until `cdeflate_run` says that it is done.
void cdeflate_feed(cdeflate_stream *stream, const uint8_t *bytes, size_t count, bool last);

typedef enum { CDEFLATE_DONE, CDEFLATE_MORE, CDEFLATE_FAILED } cdeflate_progress;

/// Compresses into `out`; `CDEFLATE_MORE` means that there is more output for another call.
cdeflate_progress cdeflate_run(cdeflate_stream *stream, uint8_t *out, size_t room, size_t *written);

/// Takes a zlib stream apart; false unless it is whole and holds exactly `size` bytes.
bool cdeflate_inflate(const uint8_t *stream, size_t count, uint8_t *out, size_t size);

#endif
