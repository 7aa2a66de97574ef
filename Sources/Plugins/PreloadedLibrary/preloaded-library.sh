#!/bin/sh
# Builds the C files in folder $1 as a shared library with the compiler $3, and writes it into the Swift file $2.
set -eu
library=$2.so
# Decisions in a world must not differ between debug and release builds of the exploring program. A program that is
# linked with the same files calls its own functions; these call the library's, which must not call the program's
# (-Bsymbolic). Without a name of its own the library would contain the path of this build.
"$3" -shared -Wl,-Bsymbolic -Wl,-soname,watchlink-virtual-time.so -fPIC -O2 -D_GNU_SOURCE -Wall -Wextra -Werror -I "$1/include" "$1"/*.c -o "$library"
{
    printf '%s\n' '/// The library that programs in virtual time preload. Written by preloaded-library.sh.' 'enum PreloadedLibrary {'
    printf '    static let base64 = "%s"\n}\n' "$(base64 -w 0 "$library")"
} > "$2"
rm "$library"
