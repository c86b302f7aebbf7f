#pragma once

// redact_write, one lane of the warp that writes one row. All lanes take the same way through the
// matches and share the bytes of each span, so neighbouring lanes write neighbouring bytes.

#include "abi.cuh"
#include "candidate.cuh"
#include "host_device.cuh"
#include "row_search.cuh"
#include "select.cuh"
#include "utf8.cuh"

namespace flinkgpu {

struct warp_lane {
  uint32_t lane;
  uint32_t lanes;
};

FLINKGPU_HD void copy_span(const warp_lane& self, uint8_t* to, const uint8_t* from,
                           uint32_t bytes) {
  for (uint32_t i = self.lane; i < bytes; i += self.lanes) {
    to[i] = from[i];
  }
}

FLINKGPU_HD void fill_span(const warp_lane& self, uint8_t* to, uint8_t byte, uint32_t bytes) {
  for (uint32_t i = self.lane; i < bytes; i += self.lanes) {
    to[i] = byte;
  }
}

// Whether the output has room for the batch. If not, nothing is written, and the host launches
// redact_write again once it has made room.
FLINKGPU_HD bool has_room(const redact_args& args) {
  return args.header->output_bytes <= args.out_capacity &&
         args.header->output_bytes <= max_output_bytes &&
         args.header->hash_matches <= args.patch_capacity;
}

// Writes what replaces a match to out_data[output]; returns its bytes.
FLINKGPU_HD uint32_t write_replacement(const redact_args& args, const warp_lane& self,
                                       uint32_t rule, uint32_t start, uint32_t bytes,
                                       uint32_t output) {
  const rule_entry& entry = args.tables.rules[rule];
  uint8_t* const to = args.out_data + output;
  if (entry.action == action_mask) {
    const uint8_t* const text = args.data + start;
    const mask_shape shape = shape_mask(text, bytes, entry.keep_first, entry.keep_last);
    copy_span(self, to, text, shape.head_bytes);
    fill_span(self, to + shape.head_bytes, static_cast<uint8_t>(entry.mask_char), shape.masked);
    copy_span(self, to + shape.head_bytes + shape.masked, text + shape.tail_start,
              bytes - shape.tail_start);
    return shape.bytes;
  }
  if (entry.action == action_hash) {
    // Stars, should a span stay unpatched: never the text.
    fill_span(self, to, '*', entry.text_bytes);
    if (self.lane == 0) {
      args.patches[atomic_add(&args.header->patches, 1)] = {start, bytes, output, rule};
    }
    return entry.text_bytes;
  }
  copy_span(self, to, args.tables.text + entry.text_offset, entry.text_bytes);
  return entry.text_bytes;
}

// The work of one lane; the batch has room.
FLINKGPU_HD void write_row(const redact_args& args, const warp_lane& self, uint32_t row) {
  const uint32_t begin = offset_at(args.offsets, row);
  const uint32_t next_start = offset_at(args.offsets, row + 1);
  const uint32_t end = next_start - args.separator_bytes;
  uint32_t output = offset_at(args.out_offsets, row);
  if (args.row_over[row] != 0) {
    copy_span(self, args.out_data + output, args.data + end, args.separator_bytes);
    return;
  }
  uint32_t position = begin;
  if (args.changed[row] != 0) {
    for (uint32_t word = begin / segment_bytes; word * uint64_t{segment_bytes} < end; ++word) {
      uint64_t left = args.bitmap[word] & bits_between(word, begin, end);
      for (; left != 0; left &= left - 1) {
        const uint32_t start = word * segment_bytes + lowest_bit(left);
        const uint32_t candidate = args.candidates[start];
        const uint32_t bytes = candidate_bytes(candidate);
        copy_span(self, args.out_data + output, args.data + position, start - position);
        output += start - position;
        output += write_replacement(args, self, candidate_rule(candidate), start, bytes, output);
        position = start + bytes;
      }
    }
  }
  copy_span(self, args.out_data + output, args.data + position, next_start - position);
}

}  // namespace flinkgpu
