// FFmpeg's libraries, opened at run time. This header needs none of FFmpeg's: handles are opaque, numbers have fixed widths.
//
// FFmpeg's structures differ between major versions, so code that knows them is a *shim* for one major version: the sources of this folder,
// compiled against the headers of that version. One shim is part of the executable; others are shared libraries beside it, named
// `libetalon-ffmpeg-<major of libavformat>.so` and made by `Scripts/build-ffmpeg-shim`. `etalon_video_open` takes the first one whose libraries
// are on the machine. All further functions are reached through the tables that it returns.
#ifndef CFFMPEG_H
#define CFFMPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

/// Changes whenever a structure or a table of this interface does; a shim with another number is not used.
enum { ETALON_VIDEO_LAYOUT = 2 };

/// The major versions of libavformat for which there may be a shim, the newest first.
#define ETALON_VIDEO_MAJORS 62, 61, 60, 59

// MARK: Failures

/// What kind of failure a message tells.
typedef enum {
  ETALON_VIDEO_OK = 0,
  /// The end of the stream; no failure.
  ETALON_VIDEO_END,
  /// The libraries are missing, or are of a version that no shim knows.
  ETALON_VIDEO_NO_LIBRARY,
  /// A file cannot be read.
  ETALON_VIDEO_CANNOT_READ,
  /// A file is in a form that is not known, or has nothing of what was asked for.
  ETALON_VIDEO_UNSUPPORTED,
  /// A file is damaged.
  ETALON_VIDEO_DAMAGED,
  /// A picture is larger than the limit.
  ETALON_VIDEO_TOO_LARGE,
  /// The flag for cancellation was set.
  ETALON_VIDEO_CANCELLED,
  /// Nothing arrived for too long.
  ETALON_VIDEO_TIMED_OUT,
  ETALON_VIDEO_NO_MEMORY,
  ETALON_VIDEO_CANNOT_WRITE,
  /// A combination of options that the libraries refuse.
  ETALON_VIDEO_BAD_OPTION,
} EtalonVideoCode;

/// What went wrong; texts end in a zero and may be empty.
typedef struct {
  EtalonVideoCode code;
  /// The function that failed.
  char operation[64];
  /// Why, in the words of the system or of FFmpeg.
  char reason[448];
} EtalonVideoMessage;

/// A fraction; a denominator of zero means that there is none.
typedef struct {
  int64_t numerator;
  int64_t denominator;
} EtalonVideoFraction;

#include "CFFmpegReading.h"
#include "CFFmpegWriting.h"

// MARK: The interface

/// What one shim offers, after its libraries were opened. Lives as long as the process.
typedef struct {
  /// `ETALON_VIDEO_LAYOUT` of the shim.
  uint32_t layout;
  /// The major version of libavformat.
  uint32_t major;
  /// The versions of the libraries: `libavformat 59.27.100, libavcodec 59.37.100, ...`.
  const char *_Nonnull versions;
  /// The licence of the libraries as they say it themselves: `GPL version 2 or later`.
  const char *_Nonnull license;
  const EtalonReading *_Nonnull reading;
  const EtalonWriting *_Nonnull writing;
} EtalonVideoInterface;

/// Opens the libraries of this shim's version.
///
/// - `folder`: where the libraries are; null for where the system looks.
typedef const EtalonVideoInterface *_Nullable EtalonVideoShim(
    const char *_Nullable folder, EtalonVideoMessage *_Nonnull message);

/// The shim of this build; in a shared library the only name that is exported.
EtalonVideoShim etalon_video_shim;

/// Opens FFmpeg's libraries with the shim of this build or with one of those in a folder. Any thread may call it, as often as it likes: a library is
/// opened once. Returns null and a message without a usable library.
///
/// - `folder`: as for a shim.
/// - `shims`: the folder with other shims; null for the one of the executable.
const EtalonVideoInterface *_Nullable etalon_video_open(
    const char *_Nullable folder, const char *_Nullable shims, EtalonVideoMessage *_Nonnull message);

/// Debian's packages with the libraries that the shim of this build needs; null for a build without FFmpeg's headers.
const char *_Nullable etalon_video_packages(void);

#endif
