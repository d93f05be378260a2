#include "CReportPage.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed

static const uint8_t page_html[] = {
#embed "../EtalonRegression/Report/Page/page.html"
};
static const uint8_t page_css[] = {
#embed "../EtalonRegression/Report/Page/page.css"
};
static const uint8_t dom_js[] = {
#embed "../EtalonRegression/Report/Page/dom.js"
};
static const uint8_t pictures_js[] = {
#embed "../EtalonRegression/Report/Page/pictures.js"
};
static const uint8_t layers_js[] = {
#embed "../EtalonRegression/Report/Page/layers.js"
};
static const uint8_t loupe_js[] = {
#embed "../EtalonRegression/Report/Page/loupe.js"
};
static const uint8_t viewer_js[] = {
#embed "../EtalonRegression/Report/Page/viewer.js"
};
static const uint8_t measures_js[] = {
#embed "../EtalonRegression/Report/Page/measures.js"
};
static const uint8_t trend_js[] = {
#embed "../EtalonRegression/Report/Page/trend.js"
};
static const uint8_t details_js[] = {
#embed "../EtalonRegression/Report/Page/details.js"
};
static const uint8_t list_js[] = {
#embed "../EtalonRegression/Report/Page/list.js"
};
static const uint8_t main_js[] = {
#embed "../EtalonRegression/Report/Page/main.js"
};
static const uint8_t survey_html[] = {
#embed "../EtalonRegression/Survey/Page/survey.html"
};
static const uint8_t survey_css[] = {
#embed "../EtalonRegression/Survey/Page/survey.css"
};
static const uint8_t survey_js[] = {
#embed "../EtalonRegression/Survey/Page/survey.js"
};

static const struct {
  const char *name;
  creport_file file;
} files[] = {
  {"page.html", {page_html, sizeof page_html}},
  {"page.css", {page_css, sizeof page_css}},
  {"dom.js", {dom_js, sizeof dom_js}},
  {"pictures.js", {pictures_js, sizeof pictures_js}},
  {"layers.js", {layers_js, sizeof layers_js}},
  {"loupe.js", {loupe_js, sizeof loupe_js}},
  {"viewer.js", {viewer_js, sizeof viewer_js}},
  {"measures.js", {measures_js, sizeof measures_js}},
  {"trend.js", {trend_js, sizeof trend_js}},
  {"details.js", {details_js, sizeof details_js}},
  {"list.js", {list_js, sizeof list_js}},
  {"main.js", {main_js, sizeof main_js}},
  {"survey.html", {survey_html, sizeof survey_html}},
  {"survey.css", {survey_css, sizeof survey_css}},
  {"survey.js", {survey_js, sizeof survey_js}},
};

creport_file creport_file_named(const char *name) {
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (strcmp(files[i].name, name) == 0) return files[i].file;
  }
  return (creport_file){0};
}
