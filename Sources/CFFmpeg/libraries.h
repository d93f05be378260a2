// FFmpeg's functions as a table that is filled at run time. Code of a shim calls `ff.avcodec_send_packet(...)`.
#ifndef ETALON_LIBRARIES_H
#define ETALON_LIBRARIES_H

#include "CFFmpeg.h"

#if __has_include(<libavformat/avformat.h>) && __has_include(<libavcodec/avcodec.h>) && __has_include(<libswresample/swresample.h>)
#define ETALON_HAS_FFMPEG 1

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>
#include <libavutil/timecode.h>
#include <libswresample/swresample.h>

// Side data of streams belongs to their codec parameters since FFmpeg 6.1.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
#define ETALON_HAS_CODED_SIDE_DATA 1
#define ETALON_STREAM_SIDE_DATA_FUNCTIONS(X)
#define ETALON_CODEC_SIDE_DATA_FUNCTIONS(X) X(av_packet_side_data_get)
#else
#define ETALON_STREAM_SIDE_DATA_FUNCTIONS(X) X(av_stream_get_side_data)
#define ETALON_CODEC_SIDE_DATA_FUNCTIONS(X)
#endif

// Fields of frames became flags in libavutil 58.7, and the duration lost its prefix in 57.30.
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
#define ETALON_FRAME_IS_KEY(frame) (((frame)->flags & AV_FRAME_FLAG_KEY) != 0)
#define ETALON_FRAME_IS_INTERLACED(frame) (((frame)->flags & AV_FRAME_FLAG_INTERLACED) != 0)
#define ETALON_FRAME_IS_TOP_FIRST(frame) (((frame)->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0)
#else
#define ETALON_FRAME_IS_KEY(frame) ((frame)->key_frame != 0)
#define ETALON_FRAME_IS_INTERLACED(frame) ((frame)->interlaced_frame != 0)
#define ETALON_FRAME_IS_TOP_FIRST(frame) ((frame)->top_field_first != 0)
#endif
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
#define ETALON_FRAME_DURATION(frame) ((frame)->duration)
#else
#define ETALON_FRAME_DURATION(frame) ((frame)->pkt_duration)
#endif

#define ETALON_AVFORMAT_FUNCTIONS(X) \
  X(av_dump_format) \
  X(av_find_best_stream) \
  X(av_find_input_format) \
  X(av_get_output_timestamp) \
  X(av_guess_format) \
  X(av_guess_frame_rate) \
  X(av_guess_sample_aspect_ratio) \
  X(av_interleaved_write_frame) \
  X(av_muxer_iterate) \
  X(av_probe_input_buffer2) \
  X(av_read_frame) \
  X(av_write_frame) \
  X(av_write_trailer) \
  X(avformat_alloc_context) \
  X(avformat_alloc_output_context2) \
  X(avformat_close_input) \
  X(avformat_find_stream_info) \
  X(avformat_flush) \
  X(avformat_free_context) \
  X(avformat_index_get_entries_count) \
  X(avformat_index_get_entry) \
  X(avformat_index_get_entry_from_timestamp) \
  X(avformat_init_output) \
  X(avformat_new_stream) \
  X(avformat_open_input) \
  X(avformat_query_codec) \
  X(avformat_seek_file) \
  X(avformat_version) \
  X(avformat_write_header) \
  X(avio_alloc_context) \
  X(avio_closep) \
  X(avio_context_free) \
  X(avio_flush) \
  X(avio_open2) \
  X(avio_seek) \
  ETALON_STREAM_SIDE_DATA_FUNCTIONS(X)

#define ETALON_AVCODEC_FUNCTIONS(X) \
  X(av_codec_is_decoder) \
  X(av_codec_is_encoder) \
  X(av_codec_iterate) \
  X(av_get_audio_frame_duration2) \
  X(av_get_bits_per_sample) \
  X(av_get_exact_bits_per_sample) \
  X(av_new_packet) \
  X(av_packet_alloc) \
  X(av_packet_clone) \
  X(av_packet_free) \
  X(av_packet_get_side_data) \
  X(av_packet_move_ref) \
  X(av_packet_new_side_data) \
  X(av_packet_ref) \
  X(av_packet_rescale_ts) \
  X(av_packet_unref) \
  X(av_shrink_packet) \
  X(avcodec_alloc_context3) \
  X(avcodec_descriptor_get) \
  X(avcodec_descriptor_get_by_name) \
  X(avcodec_find_decoder) \
  X(avcodec_find_decoder_by_name) \
  X(avcodec_find_encoder) \
  X(avcodec_find_encoder_by_name) \
  X(avcodec_flush_buffers) \
  X(avcodec_free_context) \
  X(avcodec_get_name) \
  X(avcodec_license) \
  X(avcodec_open2) \
  X(avcodec_parameters_copy) \
  X(avcodec_parameters_from_context) \
  X(avcodec_parameters_to_context) \
  X(avcodec_profile_name) \
  X(avcodec_receive_frame) \
  X(avcodec_receive_packet) \
  X(avcodec_send_frame) \
  X(avcodec_send_packet) \
  X(avcodec_version) \
  ETALON_CODEC_SIDE_DATA_FUNCTIONS(X)

#define ETALON_AVUTIL_FUNCTIONS(X) \
  X(av_audio_fifo_alloc) \
  X(av_audio_fifo_drain) \
  X(av_audio_fifo_free) \
  X(av_audio_fifo_read) \
  X(av_audio_fifo_size) \
  X(av_audio_fifo_write) \
  X(av_buffer_create) \
  X(av_buffer_unref) \
  X(av_channel_layout_compare) \
  X(av_channel_layout_copy) \
  X(av_channel_layout_default) \
  X(av_channel_layout_describe) \
  X(av_channel_layout_uninit) \
  X(av_chroma_location_name) \
  X(av_color_primaries_name) \
  X(av_color_range_name) \
  X(av_color_space_name) \
  X(av_color_transfer_name) \
  X(av_dict_count) \
  X(av_dict_free) \
  X(av_dict_get) \
  X(av_dict_set) \
  X(av_dict_set_int) \
  X(av_frame_alloc) \
  X(av_frame_free) \
  X(av_frame_get_buffer) \
  X(av_frame_get_side_data) \
  X(av_frame_make_writable) \
  X(av_frame_move_ref) \
  X(av_frame_new_side_data) \
  X(av_frame_ref) \
  X(av_frame_unref) \
  X(av_free) \
  X(av_freep) \
  X(av_get_bytes_per_sample) \
  X(av_get_media_type_string) \
  X(av_get_pix_fmt) \
  X(av_get_pix_fmt_name) \
  X(av_get_planar_sample_fmt) \
  X(av_get_sample_fmt_name) \
  X(av_log_format_line2) \
  X(av_log_set_callback) \
  X(av_log_set_level) \
  X(av_malloc) \
  X(av_mallocz) \
  X(av_opt_child_next) \
  X(av_opt_find) \
  X(av_opt_get) \
  X(av_opt_next) \
  X(av_opt_set) \
  X(av_opt_set_dict) \
  X(av_opt_set_int) \
  X(av_pix_fmt_count_planes) \
  X(av_pix_fmt_desc_get) \
  X(av_pix_fmt_desc_get_id) \
  X(av_pix_fmt_desc_next) \
  X(av_reduce) \
  X(av_rescale_q) \
  X(av_rescale_q_rnd) \
  X(av_sample_fmt_is_planar) \
  X(av_strdup) \
  X(av_strerror) \
  X(av_timecode_init_from_string) \
  X(av_timecode_make_string) \
  X(avutil_version)

#define ETALON_SWRESAMPLE_FUNCTIONS(X) \
  X(swr_alloc) \
  X(swr_alloc_set_opts2) \
  X(swr_convert) \
  X(swr_free) \
  X(swr_get_delay) \
  X(swr_init) \
  X(swr_inject_silence) \
  X(swresample_version)

// Side data of a stream moved from one structure to another.
#if LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(60, 15, 100)
#define ETALON_SIDE_DATA_FUNCTIONS(X) X(av_stream_new_side_data)
#else
#define ETALON_SIDE_DATA_FUNCTIONS(X) X(av_packet_side_data_new)
#endif

#define ETALON_MEMBER(name) __typeof__(name) *name;

/// FFmpeg's functions. All members are set before any other code of the shim runs.
typedef struct {
  ETALON_AVFORMAT_FUNCTIONS(ETALON_MEMBER)
  ETALON_AVCODEC_FUNCTIONS(ETALON_MEMBER)
  ETALON_AVUTIL_FUNCTIONS(ETALON_MEMBER)
  ETALON_SWRESAMPLE_FUNCTIONS(ETALON_MEMBER)
  ETALON_SIDE_DATA_FUNCTIONS(ETALON_MEMBER)
} EtalonFFmpeg;

extern EtalonFFmpeg ff;

/// Opens libavdevice, once; false with a message where the machine has none that fits.
bool etalon_devices_open(EtalonVideoMessage *message);

/// The tables of `reader.c` and `writer.c`.
extern const EtalonReading etalon_reading;
extern const EtalonWriting etalon_writing;

/// Fills a message: which function failed, and a text in the manner of printf.
__attribute__((format(printf, 4, 5))) void etalon_tell(
    EtalonVideoMessage *message, EtalonVideoCode code, const char *operation, const char *format, ...);

/// Fills a message from an error number of FFmpeg, with what FFmpeg logged on this thread since `etalon_log_begin`.
void etalon_tell_error(EtalonVideoMessage *message, EtalonVideoCode code, const char *operation, int error);

/// Forgets what FFmpeg logged on this thread.
void etalon_log_begin(void);

/// The last error that FFmpeg logged on this thread; empty if there is none.
const char *etalon_log_last(void);

/// FFmpeg's log becomes silent, and keeps its last error for each thread.
void etalon_log_install(void);

#endif
#endif
