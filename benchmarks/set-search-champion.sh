#!/bin/sh
# Fetches xiatwhu/baidu_topk, a CUDA program of the Baidu topic search contest of 2023, from its public
# repository and compiles its version 7, for the peer "champion" of the search benchmark: nothing of it
# belongs to this project.
#
#   benchmarks/set-search-champion.sh FOLDER [ARCHITECTURE]     default: sm_90
#
# Needs git, a network and nvcc 12 or newer; no GPU. FOLDER then holds query_doc_scoring, the program
# itself, and set_search_peer, which runs the same on files that are read faster (native/
# set_search_peer.cpp). Copy both to the GPU machine and name the folder there:
#
#   java -cp ... io.flinkgpu.bench.SearchBench champion --champion FOLDER
#
# CHAMPION_REPOSITORY names another place to clone from, CHAMPION_COMMIT another commit than the one that was measured.
set -eu

out=${1:?usage: set-search-champion.sh FOLDER [ARCHITECTURE]}
architecture=${2:-sm_90}
repository=${CHAMPION_REPOSITORY:-https://github.com/xiatwhu/baidu_topk}
commit=${CHAMPION_COMMIT:-83326a5c9a710c0df53dfd96557a0c9320436a0d}
bench=$(cd "$(dirname "$0")/native" && pwd)

mkdir -p "$out"
rm -rf "$out/repository" "$out/source"
git clone -q "$repository" "$out/repository"
mkdir "$out/source"
for file in main.cpp topk.h topk_v7_popc.cu fast_topk.cuh cub_scan_by_key.cuh thread_pool.h; do
  git -C "$out/repository" show "$commit:src/$file" > "$out/source/$file"
done
for program in "query_doc_scoring $out/source/main.cpp" "set_search_peer $bench/set_search_peer.cpp"; do
  nvcc -w -O3 -std=c++17 "-arch=$architecture" -include "$bench/cub_names.h" -I "$out/source" \
    "${program#* }" "$out/source/topk_v7_popc.cu" -o "$out/${program%% *}"
done
rm -rf "$out/repository" "$out/source"
echo "set-search-champion: version 7 of commit $commit in $out"
