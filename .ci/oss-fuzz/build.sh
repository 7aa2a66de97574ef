#!/bin/bash -eu
# Builds a fuzzer for each entry point of the archive codec into $OUT, as OSS-Fuzz calls it: with $SRC, $OUT, $WORK and $SANITIZER.
# .ci/oss-fuzz/check does the same here.

cd "$SRC/watchlink"
if [ "$SANITIZER" = coverage ]; then
    flags=(-profile-generate -profile-coverage-mapping -sanitize=fuzzer)
else
    flags=(-sanitize=fuzzer -sanitize="$SANITIZER")
fi
# The machines that run the fuzzers have no Swift.
Tests/Fuzzing/build "$WORK/fuzzing" "${flags[@]}" -static-stdlib
mkdir -p "$WORK/seeds"
python3 Tests/Fuzzing/seeds.py "$WORK/seeds"
find Tests/Archives/hostile -type f -size -65k -exec cp -n {} "$WORK/seeds" \;

for door in values stable objects; do
    cp "$WORK/fuzzing/fuzzer" "$OUT/archive-$door"
    (cd "$WORK/seeds" && zip --quiet --recurse-paths "$OUT/archive-${door}_seed_corpus.zip" .)
    cat >"$OUT/archive-$door.options" <<OPTIONS
[libfuzzer]
max_len = 65536
timeout = 5

[asan]
detect_leaks = 0
OPTIONS
done
