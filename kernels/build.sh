#!/bin/sh
# What the Maven build of this module runs; people use the Makefile.
# Places are relative to this folder, since make cannot take a path with spaces.
#   build.sh fatbin <build directory> <file>   builds the fatbin if nvcc is there
#   build.sh check <build directory>           runs the host tests if g++ is there; on a build server it must be;
#                                              compares two builds if nvcc is there as well
#   build.sh format                            checks the format if clang-format 14 is there
set -eu
cd "$(dirname "$0")"

missing() {
  for tool in "$@"; do
    command -v "$tool" > /dev/null 2>&1 || { echo "$tool"; return; }
  done
}

case "$1" in
  fatbin)
    tool=$(missing make nvcc)
    if [ -n "$tool" ]; then
      rm -f "$3"
      echo "No CUDA kernels in the jar: $tool is not on the PATH. The CPU backend needs none."
      exit 0
    fi
    make --no-print-directory -s BUILD="$2" all
    mkdir -p "$(dirname "$3")"
    cmp -s "$2/flinkgpu.fatbin" "$3" || cp "$2/flinkgpu.fatbin" "$3"
    ;;
  check)
    tool=$(missing make g++)
    if [ -n "$tool" ]; then
      echo "Host tests of the kernels skipped: $tool is not on the PATH."
      [ -z "${CI:-}" ]
      exit
    fi
    make --no-print-directory -s BUILD="$2" check
    if command -v nvcc > /dev/null 2>&1; then
      make --no-print-directory -s BUILD="$2" check-reproducible
    fi
    ;;
  format)
    tool=$(missing make clang-format)
    if [ -n "$tool" ]; then
      echo "Format of the kernels not checked: $tool is not on the PATH."
      exit 0
    fi
    # Other versions lay out some lines differently.
    case $(clang-format --version) in
      *version\ 14.*) make --no-print-directory -s format-check ;;
      *) echo "Format of the kernels not checked: clang-format is not version 14." ;;
    esac
    ;;
esac
