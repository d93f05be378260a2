#ifndef CDEFLATE_ISAL_H
#define CDEFLATE_ISAL_H

#include "cdeflate.h"

typedef struct isal_deflater isal_deflater;

bool isal_is_available(void);
const char *isal_name(void);
isal_deflater *isal_new(int level);
void isal_free(isal_deflater *deflater);
void isal_begin(isal_deflater *deflater);
void isal_feed(isal_deflater *deflater, const uint8_t *bytes, size_t count, bool last);
cdeflate_progress isal_run(isal_deflater *deflater, uint8_t *out, size_t room, size_t *written);

#endif
