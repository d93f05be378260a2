#include "CPreviewPage.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed

static const uint8_t page_html[] = {
#embed "../EtalonPreview/Page/page.html"
};
static const uint8_t controls_css[] = {
#embed "../EtalonPreview/Page/controls.css"
};
static const uint8_t page_css[] = {
#embed "../EtalonPreview/Page/page.css"
};
static const uint8_t panels_css[] = {
#embed "../EtalonPreview/Page/panels.css"
};
static const uint8_t angle_control_js[] = {
#embed "../EtalonPreview/Page/angle-control.js"
};
static const uint8_t color_control_js[] = {
#embed "../EtalonPreview/Page/color-control.js"
};
static const uint8_t connection_js[] = {
#embed "../EtalonPreview/Page/connection.js"
};
static const uint8_t controls_js[] = {
#embed "../EtalonPreview/Page/controls.js"
};
static const uint8_t curve_js[] = {
#embed "../EtalonPreview/Page/curve.js"
};
static const uint8_t diagnostics_js[] = {
#embed "../EtalonPreview/Page/diagnostics.js"
};
static const uint8_t dialogs_js[] = {
#embed "../EtalonPreview/Page/dialogs.js"
};
static const uint8_t dom_js[] = {
#embed "../EtalonPreview/Page/dom.js"
};
static const uint8_t editor_js[] = {
#embed "../EtalonPreview/Page/editor.js"
};
static const uint8_t frames_js[] = {
#embed "../EtalonPreview/Page/frames.js"
};
static const uint8_t glsl_js[] = {
#embed "../EtalonPreview/Page/glsl.js"
};
static const uint8_t handles_js[] = {
#embed "../EtalonPreview/Page/handles.js"
};
static const uint8_t help_js[] = {
#embed "../EtalonPreview/Page/help.js"
};
static const uint8_t history_js[] = {
#embed "../EtalonPreview/Page/history.js"
};
static const uint8_t icons_js[] = {
#embed "../EtalonPreview/Page/icons.js"
};
static const uint8_t inputs_js[] = {
#embed "../EtalonPreview/Page/inputs.js"
};
static const uint8_t keyframes_js[] = {
#embed "../EtalonPreview/Page/keyframes.js"
};
static const uint8_t keys_js[] = {
#embed "../EtalonPreview/Page/keys.js"
};
static const uint8_t layout_js[] = {
#embed "../EtalonPreview/Page/layout.js"
};
static const uint8_t main_js[] = {
#embed "../EtalonPreview/Page/main.js"
};
static const uint8_t notices_js[] = {
#embed "../EtalonPreview/Page/notices.js"
};
static const uint8_t overlay_js[] = {
#embed "../EtalonPreview/Page/overlay.js"
};
static const uint8_t parameters_js[] = {
#embed "../EtalonPreview/Page/parameters.js"
};
static const uint8_t pointer_js[] = {
#embed "../EtalonPreview/Page/pointer.js"
};
static const uint8_t scrubber_js[] = {
#embed "../EtalonPreview/Page/scrubber.js"
};
static const uint8_t slider_scale_js[] = {
#embed "../EtalonPreview/Page/slider-scale.js"
};
static const uint8_t sound_js[] = {
#embed "../EtalonPreview/Page/sound.js"
};
static const uint8_t stage_js[] = {
#embed "../EtalonPreview/Page/stage.js"
};
static const uint8_t store_js[] = {
#embed "../EtalonPreview/Page/store.js"
};
static const uint8_t times_js[] = {
#embed "../EtalonPreview/Page/times.js"
};
static const uint8_t transport_js[] = {
#embed "../EtalonPreview/Page/transport.js"
};
static const uint8_t value_text_js[] = {
#embed "../EtalonPreview/Page/value-text.js"
};

static const struct {
  const char *name;
  cpreview_file file;
} files[] = {
  {"page.html", {page_html, sizeof page_html}},
  {"controls.css", {controls_css, sizeof controls_css}},
  {"page.css", {page_css, sizeof page_css}},
  {"panels.css", {panels_css, sizeof panels_css}},
  {"angle-control.js", {angle_control_js, sizeof angle_control_js}},
  {"color-control.js", {color_control_js, sizeof color_control_js}},
  {"connection.js", {connection_js, sizeof connection_js}},
  {"controls.js", {controls_js, sizeof controls_js}},
  {"curve.js", {curve_js, sizeof curve_js}},
  {"diagnostics.js", {diagnostics_js, sizeof diagnostics_js}},
  {"dialogs.js", {dialogs_js, sizeof dialogs_js}},
  {"dom.js", {dom_js, sizeof dom_js}},
  {"editor.js", {editor_js, sizeof editor_js}},
  {"frames.js", {frames_js, sizeof frames_js}},
  {"glsl.js", {glsl_js, sizeof glsl_js}},
  {"handles.js", {handles_js, sizeof handles_js}},
  {"help.js", {help_js, sizeof help_js}},
  {"history.js", {history_js, sizeof history_js}},
  {"icons.js", {icons_js, sizeof icons_js}},
  {"inputs.js", {inputs_js, sizeof inputs_js}},
  {"keyframes.js", {keyframes_js, sizeof keyframes_js}},
  {"keys.js", {keys_js, sizeof keys_js}},
  {"layout.js", {layout_js, sizeof layout_js}},
  {"main.js", {main_js, sizeof main_js}},
  {"notices.js", {notices_js, sizeof notices_js}},
  {"overlay.js", {overlay_js, sizeof overlay_js}},
  {"parameters.js", {parameters_js, sizeof parameters_js}},
  {"pointer.js", {pointer_js, sizeof pointer_js}},
  {"scrubber.js", {scrubber_js, sizeof scrubber_js}},
  {"slider-scale.js", {slider_scale_js, sizeof slider_scale_js}},
  {"sound.js", {sound_js, sizeof sound_js}},
  {"stage.js", {stage_js, sizeof stage_js}},
  {"store.js", {store_js, sizeof store_js}},
  {"times.js", {times_js, sizeof times_js}},
  {"transport.js", {transport_js, sizeof transport_js}},
  {"value-text.js", {value_text_js, sizeof value_text_js}},
};

cpreview_file cpreview_file_named(const char *name) {
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (strcmp(files[i].name, name) == 0) return files[i].file;
  }
  return (cpreview_file){0};
}
