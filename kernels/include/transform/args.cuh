#pragma once

// The parameter of the transform kernel; see transform_abi.cuh. A file of its own for its
// length.

#include "transform/transform_abi.cuh"

namespace flinkgpu {

// How far the passes of a batch came. Zeroed before the first.
struct transform_status {
  uint32_t failed_pass;  // 1 + the number of a pass without room for its output; else 0
  uint32_t reserved;
};
inline constexpr uint32_t status_failed_pass = 0;
inline constexpr uint32_t status_bytes = 8;

// One pass over a batch; the only kernel parameter.
//
// A block takes a tile of consecutive rows, threads * (1 << item_shift) of them. What it knows of
// them is in its shared memory, at these offsets:
//
//   head | numbers | number nulls | conditions | outputs | columns | window | slots      | stage
//                                                                   | starts | lengths |
//
// If the tile's text fits into the window, texts are 32-bit slots: a place in the block's shared
// memory and a length. If not, they are a start and a length, and the text stays where it is.
// Literals are in the head, and copies of their slots, unless there is no window.
struct transform_args {
  const uint8_t* program;
  const source_column* columns;
  const output_column* outputs;
  transform_status* status;
  uint32_t head_offset;      // in the program: instructions, parts, packed literals, their text
  uint32_t head_bytes;       // a multiple of 4
  uint32_t parts_offset;     // in the head
  uint32_t packed_offset;    // in the head, a multiple of 16: literal_copies words a literal
  uint32_t literals_offset;  // in the program: literal_entry
  uint32_t text_offset;      // in the program: the literals' bytes
  uint32_t automata_offset;  // in the program
  uint32_t upper_offset;     // in the program: tables of case_map.cuh
  uint32_t lower_offset;
  uint32_t instructions;
  uint32_t text_columns;
  uint32_t outputs_count;
  uint32_t pass;
  uint32_t rows;
  uint32_t item_shift;
  uint32_t window_bytes;  // 0: texts never are in the window
  uint32_t stage_bytes;
  uint32_t shared_numbers;
  uint32_t shared_nulls;
  uint32_t shared_conditions;
  uint32_t shared_outputs;
  uint32_t shared_columns;
  uint32_t shared_window;
  uint32_t shared_slots;
  uint32_t shared_stage;
  uint32_t shared_lengths;
  uint32_t shared_bytes;
  uint32_t separator_bytes;  // of the texts that are written: a line feed behind each row
  // Of the first texts in `columns`, so that nobody waits for these addresses; null if absent.
  const int32_t* early_offsets[early_columns];
};
inline constexpr uint32_t transform_args_program = 0;
inline constexpr uint32_t transform_args_columns = 8;
inline constexpr uint32_t transform_args_outputs = 16;
inline constexpr uint32_t transform_args_status = 24;
inline constexpr uint32_t transform_args_head_offset = 32;
inline constexpr uint32_t transform_args_head_bytes = 36;
inline constexpr uint32_t transform_args_parts_offset = 40;
inline constexpr uint32_t transform_args_packed_offset = 44;
inline constexpr uint32_t transform_args_literals_offset = 48;
inline constexpr uint32_t transform_args_text_offset = 52;
inline constexpr uint32_t transform_args_automata_offset = 56;
inline constexpr uint32_t transform_args_upper_offset = 60;
inline constexpr uint32_t transform_args_lower_offset = 64;
inline constexpr uint32_t transform_args_instructions = 68;
inline constexpr uint32_t transform_args_text_columns = 72;
inline constexpr uint32_t transform_args_outputs_count = 76;
inline constexpr uint32_t transform_args_pass = 80;
inline constexpr uint32_t transform_args_rows = 84;
inline constexpr uint32_t transform_args_item_shift = 88;
inline constexpr uint32_t transform_args_window_bytes = 92;
inline constexpr uint32_t transform_args_stage_bytes = 96;
inline constexpr uint32_t transform_args_shared_numbers = 100;
inline constexpr uint32_t transform_args_shared_nulls = 104;
inline constexpr uint32_t transform_args_shared_conditions = 108;
inline constexpr uint32_t transform_args_shared_outputs = 112;
inline constexpr uint32_t transform_args_shared_columns = 116;
inline constexpr uint32_t transform_args_shared_window = 120;
inline constexpr uint32_t transform_args_shared_slots = 124;
inline constexpr uint32_t transform_args_shared_stage = 128;
inline constexpr uint32_t transform_args_shared_lengths = 132;
inline constexpr uint32_t transform_args_shared_bytes = 136;
inline constexpr uint32_t transform_args_separator_bytes = 140;
inline constexpr uint32_t transform_args_early_offsets = 144;
inline constexpr uint32_t transform_args_size = 160;

#define FLINKGPU_AT(type, field, offset) \
  static_assert(offsetof(type, field) == offset, #type "." #field)
FLINKGPU_AT(instruction, code, instruction_code);
FLINKGPU_AT(instruction, to, instruction_to);
FLINKGPU_AT(instruction, to_second, instruction_to_second);
FLINKGPU_AT(instruction, condition, instruction_condition);
FLINKGPU_AT(instruction, x, instruction_x);
FLINKGPU_AT(instruction, y, instruction_y);
FLINKGPU_AT(instruction, a_kind, instruction_a_kind);
FLINKGPU_AT(instruction, b_kind, instruction_b_kind);
FLINKGPU_AT(instruction, a, instruction_a);
FLINKGPU_AT(instruction, b, instruction_b);
FLINKGPU_AT(instruction, count, instruction_count);
FLINKGPU_AT(instruction, number, instruction_number);
FLINKGPU_AT(text_part, guard, part_guard);
FLINKGPU_AT(text_part, change, part_change);
FLINKGPU_AT(text_part, kind, part_kind);
FLINKGPU_AT(text_part, other_kind, part_other_kind);
FLINKGPU_AT(text_part, text, part_text);
FLINKGPU_AT(text_part, other, part_other);
FLINKGPU_AT(text_part, what, part_what);
FLINKGPU_AT(text_part, with, part_with);
FLINKGPU_AT(text_part, text_word, part_text_word);
FLINKGPU_AT(text_part, other_word, part_other_word);
FLINKGPU_AT(text_part, is_short, part_is_short);
FLINKGPU_AT(text_part, text_bytes, part_text_bytes);
FLINKGPU_AT(text_part, other_bytes, part_other_bytes);
FLINKGPU_AT(literal_entry, offset, literal_offset);
FLINKGPU_AT(literal_entry, bytes, literal_length);
FLINKGPU_AT(automaton_entry, classes, automaton_classes);
FLINKGPU_AT(automaton_entry, next, automaton_next);
FLINKGPU_AT(automaton_entry, accepts, automaton_accepts);
FLINKGPU_AT(automaton_entry, start, automaton_start);
FLINKGPU_AT(automaton_entry, stride_shift, automaton_stride_shift);
FLINKGPU_AT(automaton_entry, dead, automaton_dead);
FLINKGPU_AT(source_column, data, source_data);
FLINKGPU_AT(source_column, offsets, source_offsets);
FLINKGPU_AT(source_column, validity, source_validity);
FLINKGPU_AT(source_column, separator_bytes, source_separator_bytes);
FLINKGPU_AT(source_column, type, source_type);
FLINKGPU_AT(output_header, bytes, output_header_total);
FLINKGPU_AT(output_header, nulls, output_header_nulls);
FLINKGPU_AT(output_column, data, output_data);
FLINKGPU_AT(output_column, offsets, output_offsets);
FLINKGPU_AT(output_column, validity, output_validity);
FLINKGPU_AT(output_column, scan_states, output_scan_states);
FLINKGPU_AT(output_column, header, output_header_address);
FLINKGPU_AT(output_column, capacity, output_capacity);
FLINKGPU_AT(output_column, type, output_type);
FLINKGPU_AT(output_column, first_part, output_first_part);
FLINKGPU_AT(output_column, parts, output_parts);
FLINKGPU_AT(output_column, source, output_source);
FLINKGPU_AT(output_column, changes, output_changes);
FLINKGPU_AT(transform_status, failed_pass, status_failed_pass);
FLINKGPU_AT(transform_args, program, transform_args_program);
FLINKGPU_AT(transform_args, columns, transform_args_columns);
FLINKGPU_AT(transform_args, outputs, transform_args_outputs);
FLINKGPU_AT(transform_args, status, transform_args_status);
FLINKGPU_AT(transform_args, head_offset, transform_args_head_offset);
FLINKGPU_AT(transform_args, head_bytes, transform_args_head_bytes);
FLINKGPU_AT(transform_args, parts_offset, transform_args_parts_offset);
FLINKGPU_AT(transform_args, packed_offset, transform_args_packed_offset);
FLINKGPU_AT(transform_args, literals_offset, transform_args_literals_offset);
FLINKGPU_AT(transform_args, text_offset, transform_args_text_offset);
FLINKGPU_AT(transform_args, automata_offset, transform_args_automata_offset);
FLINKGPU_AT(transform_args, upper_offset, transform_args_upper_offset);
FLINKGPU_AT(transform_args, lower_offset, transform_args_lower_offset);
FLINKGPU_AT(transform_args, instructions, transform_args_instructions);
FLINKGPU_AT(transform_args, text_columns, transform_args_text_columns);
FLINKGPU_AT(transform_args, outputs_count, transform_args_outputs_count);
FLINKGPU_AT(transform_args, pass, transform_args_pass);
FLINKGPU_AT(transform_args, rows, transform_args_rows);
FLINKGPU_AT(transform_args, item_shift, transform_args_item_shift);
FLINKGPU_AT(transform_args, window_bytes, transform_args_window_bytes);
FLINKGPU_AT(transform_args, stage_bytes, transform_args_stage_bytes);
FLINKGPU_AT(transform_args, shared_numbers, transform_args_shared_numbers);
FLINKGPU_AT(transform_args, shared_nulls, transform_args_shared_nulls);
FLINKGPU_AT(transform_args, shared_conditions, transform_args_shared_conditions);
FLINKGPU_AT(transform_args, shared_outputs, transform_args_shared_outputs);
FLINKGPU_AT(transform_args, shared_columns, transform_args_shared_columns);
FLINKGPU_AT(transform_args, shared_window, transform_args_shared_window);
FLINKGPU_AT(transform_args, shared_slots, transform_args_shared_slots);
FLINKGPU_AT(transform_args, shared_stage, transform_args_shared_stage);
FLINKGPU_AT(transform_args, shared_lengths, transform_args_shared_lengths);
FLINKGPU_AT(transform_args, shared_bytes, transform_args_shared_bytes);
FLINKGPU_AT(transform_args, separator_bytes, transform_args_separator_bytes);
FLINKGPU_AT(transform_args, early_offsets, transform_args_early_offsets);
#undef FLINKGPU_AT
static_assert(sizeof(instruction) == instruction_bytes, "instruction");
static_assert(sizeof(text_part) == part_bytes, "text_part");
static_assert(sizeof(literal_entry) == literal_bytes, "literal_entry");
static_assert(sizeof(automaton_entry) == automaton_bytes, "automaton_entry");
static_assert(sizeof(source_column) == source_bytes, "source_column");
static_assert(sizeof(output_header) == output_header_bytes, "output_header");
static_assert(sizeof(output_column) == output_bytes, "output_column");
static_assert(sizeof(transform_status) == status_bytes, "transform_status");
static_assert(sizeof(transform_args) == transform_args_size, "transform_args");

}  // namespace flinkgpu
