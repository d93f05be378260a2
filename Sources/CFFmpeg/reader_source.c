// Files and pipes as FFmpeg's input. Reading through these functions instead of FFmpeg's protocols means that no other file or address is ever opened,
// and that a pipe that has nothing to read can be given up.
#define _GNU_SOURCE
#include "reader.h"

#if ETALON_HAS_FFMPEG
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { bufferSize = 1 << 16, pollMilliseconds = 50 };

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool etalon_source_is_stopped(EtalonSource *source) {
  if (source->cancelled && *source->cancelled) source->stopped = ETALON_VIDEO_CANCELLED;
  if (source->stopped == ETALON_VIDEO_OK && source->refused[0]) source->stopped = ETALON_VIDEO_UNSUPPORTED;
  if (source->stopped == ETALON_VIDEO_OK && source->deadline && milliseconds() > source->deadline) source->stopped = ETALON_VIDEO_TIMED_OUT;
  return source->stopped != ETALON_VIDEO_OK;
}

void etalon_source_expect(EtalonSource *source) {
  if (!etalon_source_is_local(source)) source->deadline = milliseconds() + source->patience;
}

bool etalon_source_pause(EtalonSource *source, int duration) {
  for (int64_t end = milliseconds() + duration; !etalon_source_is_stopped(source);) {
    int64_t left = end - milliseconds();
    if (left <= 0) return true;
    usleep((useconds_t)(left < pollMilliseconds ? left : pollMilliseconds) * 1000);
  }
  return false;
}

// Reads from a descriptor that others may read from as well, so that it is not changed to one that does not wait.
static ssize_t read_shared(EtalonSource *source, uint8_t *bytes, int count) {
  struct pollfd state = {.fd = source->descriptor, .events = POLLIN};
  int found = poll(&state, 1, pollMilliseconds);
  if (found > 0) return read(source->descriptor, bytes, (size_t)count);
  errno = EAGAIN;
  return -1;
}

// Waits for something to read. A pipe that nothing has written into yet is not at its end.
static int read_pipe(EtalonSource *source, uint8_t *bytes, int count) {
  int64_t deadline = milliseconds() + source->patience;
  while (!etalon_source_is_stopped(source)) {
    bool is_shared = source->kind == ETALON_FROM_DESCRIPTOR;
    ssize_t found = is_shared ? read_shared(source, bytes, count) : read(source->descriptor, bytes, (size_t)count);
    if (found > 0) {
      source->has_data = true;
      return (int)found;
    }
    if (found == 0 && (source->has_data || is_shared)) return AVERROR_EOF;
    if (found < 0 && errno != EAGAIN && errno != EINTR) return AVERROR(errno);
    if (milliseconds() > deadline) {
      source->stopped = ETALON_VIDEO_TIMED_OUT;
      break;
    }
    if (is_shared) continue;
    struct pollfd state = {.fd = source->descriptor, .events = POLLIN};
    // Without a writer a pipe is always ready, so the wait is a sleep.
    if (poll(&state, 1, pollMilliseconds) > 0 && !(state.revents & POLLIN)) usleep(pollMilliseconds * 1000);
  }
  return AVERROR_EXIT;
}

static int read_bytes(void *opaque, uint8_t *bytes, int count) {
  EtalonSource *source = opaque;
  if (etalon_source_is_stopped(source)) return AVERROR_EXIT;
  if (source->is_pipe) return read_pipe(source, bytes, count);
  ssize_t found;
  do {
    found = read(source->descriptor, bytes, (size_t)count);
  } while (found < 0 && errno == EINTR);
  if (found == 0) return AVERROR_EOF;
  return found < 0 ? AVERROR(errno) : (int)found;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
  EtalonSource *source = opaque;
  if (whence & AVSEEK_SIZE) return source->size;
  off_t place = lseek(source->descriptor, offset, whence & ~AVSEEK_FORCE);
  return place < 0 ? AVERROR(errno) : place;
}

bool etalon_source_open(EtalonSource *source, const EtalonReadOptions *options, EtalonVideoMessage *message) {
  source->cancelled = options->cancelled;
  source->patience = options->patience_milliseconds;
  source->kind = options->kind;
  if (!etalon_source_is_local(source)) return true;
  bool is_shared = source->kind == ETALON_FROM_DESCRIPTOR;
  // Otherwise opening a named pipe would wait without end for something that writes into it.
  source->descriptor =
      is_shared ? fcntl(atoi(options->path), F_DUPFD_CLOEXEC, 3) : open(options->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  if (source->descriptor < 0 || fstat(source->descriptor, &status) != 0) {
    etalon_tell(message, ETALON_VIDEO_CANNOT_READ, "open", "%s", strerror(errno));
    return false;
  }
  if (S_ISDIR(status.st_mode)) {
    etalon_tell(message, ETALON_VIDEO_CANNOT_READ, "open", "it is a folder");
    return false;
  }
  source->is_pipe = is_shared || !S_ISREG(status.st_mode);
  source->size = source->is_pipe ? 0 : status.st_size;
  if (!source->is_pipe && source->size == 0) {
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "", "the file is empty");
    return false;
  }
  uint8_t *buffer = ff.av_malloc(bufferSize);
  source->io = buffer ? ff.avio_alloc_context(buffer, bufferSize, 0, source, read_bytes, NULL, source->is_pipe ? NULL : seek_bytes) : NULL;
  if (source->io == NULL) {
    ff.av_free(buffer);
    etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "avio_alloc_context", AVERROR(ENOMEM));
    return false;
  }
  if (source->is_pipe) source->io->seekable = 0;
  return true;
}

void etalon_source_close(EtalonSource *source) {
  if (source->io) ff.av_freep(&source->io->buffer);
  ff.avio_context_free(&source->io);
  if (source->descriptor >= 0) close(source->descriptor);
  source->descriptor = -1;
}

bool etalon_source_rewind(EtalonSource *source) {
  if (!etalon_source_is_local(source)) return true;
  return !source->is_pipe && source->io && ff.avio_seek(source->io, 0, SEEK_SET) >= 0;
}

bool etalon_source_was_stopped(const EtalonSource *source, EtalonVideoMessage *message) {
  if (source->stopped == ETALON_VIDEO_OK) return false;
  if (source->stopped == ETALON_VIDEO_CANCELLED) {
    etalon_tell(message, source->stopped, "", "it was told to stop");
  } else if (source->refused[0]) {
    etalon_tell(message, source->stopped, "", "it names '%s', which is not opened for a stream: only http and https are", source->refused);
  } else if (source->stopped == ETALON_VIDEO_CANNOT_READ) {
    etalon_tell(message, source->stopped, "", "it broke off after %.1f s of %.1f s", source->ended, source->length);
  } else if (!etalon_source_is_local(source)) {
    const char *what = source->is_connected ? "nothing arrived" : "there was no answer";
    const char *reason = source->connection.reason;
    etalon_tell(
        message, source->stopped, "", "%s for %g s%s%s", what, source->patience / 1000.0, reason[0] ? "; the last attempt: " : "", reason);
  } else if (source->has_data || source->kind == ETALON_FROM_DESCRIPTOR) {
    etalon_tell(message, source->stopped, "", "nothing was written into the pipe for %d s", source->patience / 1000);
  } else {
    etalon_tell(message, ETALON_VIDEO_CANNOT_READ, "", "it is a named pipe that nothing writes into");
  }
  return true;
}

#endif
