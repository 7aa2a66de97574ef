#pragma once
// The system's password hashes, crypt(3).
#include <crypt.h>
