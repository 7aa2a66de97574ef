#!/bin/sh
# Writes BuildInformation.swift into folder $2: the commit of the package at $1, whether its files differ from it,
# and the compiler's version. In a clone git provides the commit; in an archive made by git, archived-commit.txt in
# this script's folder does.
set -eu
root=$1
output=$2/BuildInformation.swift

commit=$(sed -n 's/^commit: //p' "$root/Sources/Plugins/BuildInformation/archived-commit.txt" 2>/dev/null || true)
case $commit in '$'*|'') commit=unknown ;; esac
dirty=false
if [ -e "$root/.git" ] && found=$(git -C "$root" rev-parse HEAD 2>/dev/null); then
    commit=$found
    [ -z "$(git --no-optional-locks -C "$root" status --porcelain 2>/dev/null)" ] || dirty=true
fi

# The compiler is in the directory of the package manager that runs this script.
compiler=$(dirname "$(readlink -f "/proc/$PPID/exe" 2>/dev/null || true)")/swiftc
[ -x "$compiler" ] || compiler=swiftc
swift=$("$compiler" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)

text="/// The commit and the compiler of this build. Written by build-information.sh.
enum BuildInformation {
    static let commit = \"$commit\"
    static let isDirty = $dirty
    static let swift = \"${swift:-unknown}\"
}"
[ "$(cat "$output" 2>/dev/null || true)" = "$text" ] || printf '%s\n' "$text" > "$output"
