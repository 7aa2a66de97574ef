#pragma once
// zlib's CRC-32, which checks files after their way over the link.
#include <zlib.h>
