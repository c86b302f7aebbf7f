#pragma once

// redact_find, on the side: rows that hold bytes that are no UTF-8 (Unicode 16, table 3-7) are left
// to the host, for which each such byte is an unknown character (text/automaton/UnknownBytes.java).
//
// A thread looks at the sequences that its segment holds a byte of. That tells of a row with such
// bytes, if not where all of them are: a row is well-formed as long as sequences follow each other
// from its start to its end, and in one that is, each sequence starts at the byte after the last or
// at any byte that continues none.

#include "host_device.cuh"
#include "redact/redact_abi.cuh"
#include "redact/row_count.cuh"
#include "redact/segment.cuh"
#include "text/row_search.cuh"
#include "text/utf8.cuh"

namespace flinkgpu {

FLINKGPU_HD bool is_ascii(const segment_text& text) {
  return ((text.packs[0].low | text.packs[0].high | text.packs[1].low | text.packs[1].high) &
          high_bits) == 0;
}

// Leaves the rows of a segment's bytes to the host that are not well-formed. `row` is one that
// starts before the segment, whose bytes are [begin, end).
FLINKGPU_HD_CALL void leave_unknown_to_host(const redact_args* of, uint32_t row, uint32_t begin,
                                            uint32_t end) {
  const redact_args& args = *of;
  const uint32_t rows = rows_of(args);
  row = row_at(args.offsets, row, rows, begin);
  uint32_t at = begin;
  const uint32_t row_begin = offset_at(args.offsets, row);
  for (uint32_t back = 1; back < longest_sequence; ++back) {
    if (at > row_begin && is_continuation(args.data[at])) {
      --at;
    }
  }
  uint32_t next = offset_at(args.offsets, row + 1);
  while (at < end) {
    while (at >= next) {
      ++row;
      next = offset_at(args.offsets, row + 1);
    }
    const uint32_t row_end = next - args.separator_bytes;
    if (at >= row_end) {
      at = next;
      continue;
    }
    const uint32_t bytes = sequence_bytes(args.data + at, row_end - at);
    if (bytes == 0) {
      args.row_over[row] = 1;
      args.row_over[rows] = 1;
    }
    at += bytes == 0 ? 1 : bytes;
  }
}

}  // namespace flinkgpu
