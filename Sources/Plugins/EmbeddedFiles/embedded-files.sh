#!/bin/sh
# Writes EmbeddedFiles.swift into folder $2: the files in Config of the package at $1, by their paths relative to it.
set -eu
cd "$1/Config"
output=$2/EmbeddedFiles.swift

text=$(
    printf '%s\n' '/// Files of Config, by path. Written by embedded-files.sh.' 'enum EmbeddedFiles {' '    static let all: [String: String] = ['
    find . -type f ! -path './scenarios/*' | sed 's|^\./||' | LC_ALL=C sort | while read -r file; do
        printf '        "%s": ###"""\n' "$file"
        cat "$file"
        printf '\n"""###,\n'
    done
    printf '%s\n' '    ]' '}'
)
[ "$(cat "$output" 2>/dev/null || true)" = "$text" ] || printf '%s\n' "$text" > "$output"
