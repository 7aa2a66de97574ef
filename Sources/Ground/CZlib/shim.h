#pragma once
// zlib's CRC-32, which checks files after their transfer.
#include <zlib.h>
