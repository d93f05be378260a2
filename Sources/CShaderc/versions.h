#ifndef CSHADERC_VERSIONS_H
#define CSHADERC_VERSIONS_H

// Names the SPIRV-Tools that is linked.
const char *cshaderc_spirv_tools_version(void);

#endif
