// OpenSSL's SHA-256, which content hashes are made with.
#include <openssl/sha.h>
