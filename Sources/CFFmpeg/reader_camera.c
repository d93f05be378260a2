// The cameras of the machine and the forms that they give pictures in, as the Linux kernel says them (Video4Linux).
#define _GNU_SOURCE
#include "reader.h"

#if ETALON_HAS_FFMPEG
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { mostDevices = 64 };

static int ask(int descriptor, unsigned long request, void *answer) {
  int result;
  do {
    result = ioctl(descriptor, request, answer);
  } while (result < 0 && errno == EINTR);
  return result;
}

// A device that gives pictures; others of a camera give only what is known of them.
static bool takes_pictures(int descriptor, struct v4l2_capability *found) {
  memset(found, 0, sizeof *found);
  if (ask(descriptor, VIDIOC_QUERYCAP, found) < 0) return false;
  uint32_t can = found->capabilities & V4L2_CAP_DEVICE_CAPS ? found->device_caps : found->capabilities;
  return (can & V4L2_CAP_VIDEO_CAPTURE) != 0;
}

bool etalon_camera(int32_t index, EtalonCameraInfo *camera) {
  for (int number = 0; number < mostDevices; number++) {
    snprintf(camera->path, sizeof camera->path, "/dev/video%d", number);
    int descriptor = open(camera->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    struct v4l2_capability found;
    bool is_camera = takes_pictures(descriptor, &found);
    close(descriptor);
    if (!is_camera || index-- > 0) continue;
    snprintf(camera->name, sizeof camera->name, "%.32s", (const char *)found.card);
    return true;
  }
  return false;
}

// The shortest time between two pictures tells the highest rate.
static EtalonVideoFraction highest_rate(int descriptor, uint32_t format, uint32_t width, uint32_t height) {
  EtalonVideoFraction highest = {0, 0};
  struct v4l2_frmivalenum step = {.pixel_format = format, .width = width, .height = height};
  for (; ask(descriptor, VIDIOC_ENUM_FRAMEINTERVALS, &step) == 0; step.index++) {
    bool is_discrete = step.type == V4L2_FRMIVAL_TYPE_DISCRETE;
    struct v4l2_fract time = is_discrete ? step.discrete : step.stepwise.min;
    if (time.numerator == 0) continue;
    EtalonVideoFraction rate = {time.denominator, time.numerator};
    if (highest.denominator == 0 || rate.numerator * highest.denominator > highest.numerator * rate.denominator) highest = rate;
    if (!is_discrete) break;
  }
  return highest;
}

static bool find_mode(int descriptor, int32_t index, EtalonCameraMode *mode) {
  struct v4l2_fmtdesc format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  for (; ask(descriptor, VIDIOC_ENUM_FMT, &format) == 0; format.index++) {
    struct v4l2_frmsizeenum size = {.pixel_format = format.pixelformat};
    for (; ask(descriptor, VIDIOC_ENUM_FRAMESIZES, &size) == 0; size.index++) {
      bool is_discrete = size.type == V4L2_FRMSIZE_TYPE_DISCRETE;
      uint32_t width = is_discrete ? size.discrete.width : size.stepwise.max_width;
      uint32_t height = is_discrete ? size.discrete.height : size.stepwise.max_height;
      if (index-- > 0) {
        if (is_discrete) continue;
        break;
      }
      uint32_t code = format.pixelformat;
      snprintf(mode->code, sizeof mode->code, "%c%c%c%c", code & 127, code >> 8 & 127, code >> 16 & 127, code >> 24 & 127);
      snprintf(mode->words, sizeof mode->words, "%.32s", (const char *)format.description);
      mode->width = (int32_t)width;
      mode->height = (int32_t)height;
      mode->rate = highest_rate(descriptor, code, width, height);
      return true;
    }
  }
  return false;
}

bool etalon_camera_mode(const char *path, int32_t index, EtalonCameraMode *mode) {
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  memset(mode, 0, sizeof *mode);
  bool result = find_mode(descriptor, index, mode);
  close(descriptor);
  return result;
}

#endif
