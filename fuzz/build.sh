#!/bin/bash -eu
# Builds the fuzz targets and their seed archives. OSS-Fuzz runs this in its image for
# Go, which has the command compile_go_fuzzer; $OUT is the folder for what is built.
cd "$(dirname "$0")/.."

export GOWORK=off # the image needs no other module
go run ./fuzz/seeds "$OUT"
for target in Decide Lint Diff; do
	compile_go_fuzzer github.com/robotstxt-go/robotstxt/fuzz "$target" "${target,,}"
done
