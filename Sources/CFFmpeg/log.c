// Messages: what FFmpeg logs, and what a caller is told.
#include "libraries.h"

#if ETALON_HAS_FFMPEG
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// Threads of decoders and encoders have their own, which is not read: their errors come back as error numbers on the thread of the caller.
static _Thread_local char last[256];

// Decoders of a reader carry where their complaints are counted.
static void count(void *context) {
  const AVClass *class = context ? *(const AVClass **)context : NULL;
  if (!class || !class->class_name || strcmp(class->class_name, "AVCodecContext") != 0) return;
  atomic_int *complaints = ((AVCodecContext *)context)->opaque;
  if (complaints) atomic_fetch_add(complaints, 1);
}

static void keep(void *context, int level, const char *format, va_list arguments) {
  if (level > AV_LOG_ERROR) return;
  count(context);
  char line[sizeof last];
  int prefix = 0;
  ff.av_log_format_line2(context, level, format, arguments, line, sizeof line, &prefix);
  line[strcspn(line, "\r\n")] = 0;
  if (line[0]) memcpy(last, line, sizeof last);
}

void etalon_log_install(void) {
  ff.av_log_set_level(AV_LOG_ERROR);
  ff.av_log_set_callback(keep);
}

void etalon_log_begin(void) { last[0] = 0; }

// Without the address of the object that logged: `[mov,mp4 @ 0x55d0] moov atom not found`.
const char *etalon_log_last(void) {
  const char *end = strncmp(last, "[", 1) == 0 ? strstr(last, "] ") : NULL;
  return end ? end + 2 : last;
}

void etalon_tell(EtalonVideoMessage *message, EtalonVideoCode code, const char *operation, const char *format, ...) {
  message->code = code;
  snprintf(message->operation, sizeof message->operation, "%s", operation);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message->reason, sizeof message->reason, format, arguments);
  va_end(arguments);
}

void etalon_tell_error(EtalonVideoMessage *message, EtalonVideoCode code, const char *operation, int error) {
  if (error == AVERROR(ENOMEM)) code = ETALON_VIDEO_NO_MEMORY;
  const char *logged = etalon_log_last();
  char text[128] = "";
  ff.av_strerror(error, text, sizeof text);
  if (logged[0]) {
    etalon_tell(message, code, operation, "%s: %s", text, logged);
  } else {
    etalon_tell(message, code, operation, "%s", text);
  }
}

#endif
