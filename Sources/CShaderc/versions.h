#ifndef CSHADERC_VERSIONS_H
#define CSHADERC_VERSIONS_H

#ifdef __cplusplus
extern "C" {
#endif

// Names the SPIRV-Tools that is linked.
const char *cshaderc_spirv_tools_version(void);

#ifdef __cplusplus
}
#endif

#endif
