// Streams and cameras, which FFmpeg opens itself: which protocols and containers may be opened for them, and how long they are waited for.
//
// A stream is open to whoever sends it. So a playlist may name parts by http and https only, no other container may name anything, and redirects stay
// within these two protocols: FFmpeg's own lists of protocols and of containers say so, and what a playlist names is looked at here once more.
#include "reader.h"

#if ETALON_HAS_FFMPEG
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { firstPause = 250, longestPause = 8000 };

// What each kind of stream may open. `crypto` decrypts what another protocol of the list gives.
static const char *const webProtocols = "http,https,tcp,tls,crypto,httpproxy";
static const char *const rtspProtocols = "rtsp,rtsps,tcp,tls";

static bool begins_with(const char *text, const char *start) { return strncasecmp(text, start, strlen(start)) == 0; }

static bool is_web(const char *address) {
  if (begins_with(address, "crypto+")) address += strlen("crypto+");
  return begins_with(address, "http://") || begins_with(address, "https://");
}

static bool is_playlist(const AVFormatContext *container) {
  return container->iformat && strcmp(container->iformat->name, "hls") == 0;
}

// Whether another attempt may help: not where the server has answered that it does not have, or does not give, what was asked for.
static bool is_passing(int error) {
  return error != AVERROR_HTTP_BAD_REQUEST && error != AVERROR_HTTP_UNAUTHORIZED && error != AVERROR_HTTP_FORBIDDEN &&
         error != AVERROR_HTTP_NOT_FOUND && error != AVERROR_HTTP_OTHER_4XX && error != AVERROR_INVALIDDATA &&
         error != AVERROR_PROTOCOL_NOT_FOUND && error != AVERROR(EINVAL) && error != AVERROR_EXIT && error != AVERROR(ENOMEM);
}

static void keep_reason(EtalonSource *source, int error) {
  // What we have ended ourselves.
  if (error == AVERROR_EXIT) return;
  ff.av_strerror(error, source->connection.reason, sizeof source->connection.reason);
}

// Counts a part once, however often it is asked for.
static void lose(EtalonSource *source, const char *address) {
  uint64_t number = etalon_hash(ETALON_HASH_START, (const uint8_t *)address, strlen(address));
  for (int index = 0; index < ETALON_LOST_ADDRESSES; index++) {
    if (source->lost[index] == number) return;
  }
  source->lost[source->connection.lost_parts++ % ETALON_LOST_ADDRESSES] = number;
}

// Connections that break in the middle of a part go on where they broke, which FFmpeg does itself where the server gives parts of files; where it does
// not, a second connection would begin at the start again.
static int connect_once(AVFormatContext *container, AVIOContext **io, const char *address, const AVDictionary *given) {
  EtalonSource *source = container->interrupt_callback.opaque;
  AVDictionary *options = NULL;
  const AVDictionaryEntry *entry = NULL;
  while ((entry = ff.av_dict_get(given, "", entry, AV_DICT_IGNORE_SUFFIX))) ff.av_dict_set(&options, entry->key, entry->value, 0);
  ff.av_dict_set(&options, "protocol_whitelist", webProtocols, 0);
  ff.av_dict_set_int(&options, "reconnect", 1, 0);
  ff.av_dict_set_int(&options, "reconnect_delay_max", source->patience / 1000 + 1, 0);
  int result = ff.avio_open2(io, address, AVIO_FLAG_READ, &container->interrupt_callback, &options);
  ff.av_dict_free(&options);
  return result;
}

// A page that says that there is no video is one, whatever its status.
static bool is_page(AVIOContext *io) {
  uint8_t *type = NULL;
  bool result = ff.av_opt_get(io, "mime_type", AV_OPT_SEARCH_CHILDREN, &type) >= 0 && type && begins_with((char *)type, "text/html");
  ff.av_free(type);
  return result;
}

static int connect_again(AVFormatContext *container, AVIOContext **io, const char *address, const AVDictionary *options) {
  EtalonSource *source = container->interrupt_callback.opaque;
  int pause = firstPause;
  while (true) {
    int result = connect_once(container, io, address, options);
    if (result >= 0 || !source->is_connected || !is_passing(result)) return result;
    keep_reason(source, result);
    if (!etalon_source_pause(source, pause)) return AVERROR_EXIT;
    source->connection.reconnections++;
    if (pause < longestPause) pause *= 2;
  }
}

static int open_part(AVFormatContext *container, AVIOContext **io, const char *address, int flags, AVDictionary **options) {
  EtalonSource *source = container->interrupt_callback.opaque;
  bool is_first = container->iformat == NULL;
  if ((flags & AVIO_FLAG_WRITE) || !is_web(address) || !(is_first || is_playlist(container))) {
    snprintf(source->refused, sizeof source->refused, "%.200s", address);
    return AVERROR(EPERM);
  }
  etalon_log_begin();
  int result = connect_again(container, io, address, options ? *options : NULL);
  if (result >= 0 && is_page(*io)) {
    ff.avio_closep(io);
    snprintf(
        source->connection.reason, sizeof source->connection.reason, "the server has sent a page (text/html) instead of video");
    result = is_first ? AVERROR_INVALIDDATA : AVERROR_HTTP_NOT_FOUND;
  } else if (result < 0) {
    keep_reason(source, result);
  }
  if (result < 0 && !is_first && !etalon_source_is_stopped(source)) lose(source, address);
  return result;
}

static bool add_option(AVDictionary **options, const char *name, const char *value) {
  return value == NULL || ff.av_dict_set(options, name, value, 0) >= 0;
}

// What a camera is asked for, and what FFmpeg calls it.
static const AVInputFormat *find_camera(
    const EtalonReadOptions *wanted, AVDictionary **options, char *place, size_t room, EtalonVideoMessage *message) {
  if (!etalon_devices_open(message)) return NULL;
  bool is_test = strcmp(wanted->path, "test") == 0;
  const AVInputFormat *form = ff.av_find_input_format(is_test ? "lavfi" : "video4linux2");
  if (form == NULL) {
    etalon_tell(
        message, ETALON_VIDEO_NO_LIBRARY, "", "FFmpeg's libavdevice of this machine was built without '%s'",
        is_test ? "lavfi" : "video4linux2");
    return NULL;
  }
  if (is_test) {
    snprintf(
        place, room, "testsrc=size=%s:rate=%s,format=%s,realtime", wanted->camera_size ? wanted->camera_size : "640x480",
        wanted->camera_rate ? wanted->camera_rate : "25", wanted->camera_format ? wanted->camera_format : "yuv420p");
    return form;
  }
  snprintf(place, room, "%s", wanted->path);
  add_option(options, "video_size", wanted->camera_size);
  add_option(options, "framerate", wanted->camera_rate);
  add_option(options, "input_format", wanted->camera_format);
  return form;
}

static bool tell_failure(EtalonReader *reader, EtalonVideoMessage *message, int result) {
  EtalonSource *source = &reader->source;
  // What a playlist may not name stops it before its time is over.
  etalon_source_is_stopped(source);
  if (etalon_source_was_stopped(source, message)) return false;
  if (source->kind == ETALON_FROM_CAMERA) {
    etalon_tell_error(message, ETALON_VIDEO_CANNOT_READ, "avformat_open_input", result);
  } else if (result == AVERROR_INVALIDDATA) {
    const char *reason = source->connection.reason[0] ? source->connection.reason : etalon_log_last();
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "", "%s", reason[0] ? reason : "its form is not known");
  } else if (result == AVERROR(EINVAL) && strstr(etalon_log_last(), "whitelist")) {
    etalon_tell(
        message, ETALON_VIDEO_UNSUPPORTED, "", "it is in a form, or names a protocol, that is not read from a stream");
  } else if (result == AVERROR(EIO) || result == AVERROR(EINVAL)) {
    etalon_tell_error(message, ETALON_VIDEO_CANNOT_READ, "avformat_open_input", result);
    size_t length = strlen(message->reason);
    snprintf(
        message->reason + length, sizeof message->reason - length, "; the connection broke, or the server redirects in a circle or elsewhere");
  } else {
    etalon_tell_error(message, ETALON_VIDEO_CANNOT_READ, "avformat_open_input", result);
  }
  return false;
}

bool etalon_address_open(EtalonReader *reader, EtalonVideoMessage *message) {
  EtalonSource *source = &reader->source;
  const char *place = reader->options.path;
  char camera[256], lists[600];
  const AVInputFormat *form = NULL;
  AVDictionary *options = NULL;
  if (source->kind == ETALON_FROM_CAMERA) {
    form = find_camera(&reader->options, &options, camera, sizeof camera, message);
    if (form == NULL) return false;
    place = camera;
  } else if (source->kind == ETALON_FROM_RTSP) {
    form = ff.av_find_input_format("rtsp");
    ff.av_dict_set(&options, "protocol_whitelist", rtspProtocols, 0);
    // One connection for everything: packets arrive in order or not at all, and no port has to be open.
    ff.av_dict_set(&options, "rtsp_transport", "tcp", 0);
  } else {
    ff.av_dict_set(&options, "protocol_whitelist", webProtocols, 0);
    snprintf(lists, sizeof lists, "hls,%s", etalon_forms());
    ff.av_dict_set(&options, "format_whitelist", lists, 0);
    // Each part is asked for through `open_part`, which judges it by its address and not by its ending.
    ff.av_dict_set(&options, "allowed_extensions", "ALL", 0);
    ff.av_dict_set(&options, "allowed_segment_extensions", "ALL", 0);
    ff.av_dict_set(&options, "extension_picky", "0", 0);
    ff.av_dict_set_int(&options, "http_persistent", 0, 0);
    // Without them a list in which nothing new appears would end like one that is whole, after three looks from FFmpeg 6 on.
    ff.av_dict_set_int(&options, "max_reload", INT_MAX, 0);
    ff.av_dict_set_int(&options, "m3u8_hold_counters", INT_MAX, 0);
  }
  reader->container = ff.avformat_alloc_context();
  if (reader->container == NULL) {
    ff.av_dict_free(&options);
    etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "avformat_alloc_context", AVERROR(ENOMEM));
    return false;
  }
  reader->container->io_open = source->kind == ETALON_FROM_WEB ? open_part : etalon_refuse_to_open;
  reader->container->interrupt_callback = (AVIOInterruptCB){.callback = etalon_interrupt, .opaque = source};
  if (source->kind == ETALON_FROM_CAMERA) reader->container->flags |= AVFMT_FLAG_NONBLOCK;
  etalon_log_begin();
  // Frees the context if it fails.
  int result = ff.avformat_open_input(&reader->container, place, form, &options);
  ff.av_dict_free(&options);
  return result >= 0 || tell_failure(reader, message, result);
}

bool etalon_address_reopen(EtalonReader *reader, EtalonVideoMessage *message) {
  EtalonSource *source = &reader->source;
  int index = reader->stream->index;
  for (int pause = firstPause;; pause = pause < longestPause ? 2 * pause : pause) {
    if (!etalon_source_pause(source, pause)) break;
    ff.avformat_close_input(&reader->container);
    reader->stream = NULL;
    if (etalon_container_open(reader, message)) {
      source->connection.reconnections++;
      break;
    }
    snprintf(source->connection.reason, sizeof source->connection.reason, "%.200s", message->reason);
    if (etalon_source_is_stopped(source)) break;
  }
  if (etalon_source_is_stopped(source)) {
    etalon_source_was_stopped(source, message);
    return false;
  }
  if (reader->stream->index != index) {
    etalon_tell(message, ETALON_VIDEO_DAMAGED, "", "its streams have changed");
    return false;
  }
  return etalon_forget(reader, message);
}

#endif
