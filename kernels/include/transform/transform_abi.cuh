#pragma once

// What the transform kernel and Java's TransformAbi must agree on; see redact/redact_abi.cuh.

#include <cstdint>

namespace flinkgpu {

// ---- launch shapes ----

inline constexpr uint32_t transform_threads = 128;   // at most; a power of two
inline constexpr uint32_t transform_item_shift = 2;  // a thread has 1 shifted by it rows, or 1
inline constexpr uint32_t literal_copies = 4;        // of packed literals: a word a row
inline constexpr uint32_t early_columns = 2;         // whose offsets a block loads first of all
inline constexpr uint32_t stage_slack_bytes = 16;    // what copies may read past a stage's bytes

// ---- limits ----

inline constexpr uint32_t max_window_bytes = 65024;  // places in a window have 16 bits
inline constexpr uint32_t max_text_bytes = 2147483647;

// ---- the order of OpCode ----

inline constexpr uint32_t op_substring = 0;
inline constexpr uint32_t op_left = 1;
inline constexpr uint32_t op_right = 2;
inline constexpr uint32_t op_split = 3;
inline constexpr uint32_t op_split_part = 4;
inline constexpr uint32_t op_trim = 5;
inline constexpr uint32_t op_null_text = 6;
inline constexpr uint32_t op_select_text = 7;
inline constexpr uint32_t op_coalesce_text = 8;
inline constexpr uint32_t op_equal_text = 9;
inline constexpr uint32_t op_contains = 10;
inline constexpr uint32_t op_starts_with = 11;
inline constexpr uint32_t op_ends_with = 12;
inline constexpr uint32_t op_is_empty = 13;
inline constexpr uint32_t op_is_null_text = 14;
inline constexpr uint32_t op_matches = 15;
inline constexpr uint32_t op_length = 16;
inline constexpr uint32_t op_load_number = 17;
inline constexpr uint32_t op_literal_number = 18;
inline constexpr uint32_t op_null_number = 19;
inline constexpr uint32_t op_select_number = 20;
inline constexpr uint32_t op_coalesce_number = 21;
inline constexpr uint32_t op_equal_long = 22;
inline constexpr uint32_t op_less_long = 23;
inline constexpr uint32_t op_equal_double = 24;
inline constexpr uint32_t op_less_double = 25;
inline constexpr uint32_t op_is_null_number = 26;
inline constexpr uint32_t op_load_condition = 27;
inline constexpr uint32_t op_literal_condition = 28;
inline constexpr uint32_t op_and = 29;
inline constexpr uint32_t op_or = 30;
inline constexpr uint32_t op_not = 31;
inline constexpr uint32_t op_is_true = 32;
inline constexpr uint32_t op_is_null_condition = 33;
inline constexpr uint32_t op_select_condition = 34;
inline constexpr uint32_t op_coalesce_condition = 35;

// ---- the orders of Operand.Kind, TextPart.Change and ColumnType ----

inline constexpr uint32_t operand_register = 0;
inline constexpr uint32_t operand_column = 1;
inline constexpr uint32_t operand_literal = 2;

inline constexpr uint32_t change_none = 0;
inline constexpr uint32_t change_upper = 1;
inline constexpr uint32_t change_lower = 2;
inline constexpr uint32_t change_replace = 3;

inline constexpr uint32_t type_text = 0;
inline constexpr uint32_t type_long = 1;
inline constexpr uint32_t type_double = 2;
inline constexpr uint32_t type_boolean = 3;

inline constexpr uint32_t no_register = 255;

// ---- structs that Java writes or reads; little endian ----

// A step of a pass; columns are numbered as the pass reads them, those of text first.
struct instruction {
  uint8_t code;
  uint8_t to;
  uint8_t to_second;
  uint8_t condition;
  uint8_t x;
  uint8_t y;
  uint8_t a_kind;
  uint8_t b_kind;
  uint16_t a;
  uint16_t b;
  int32_t count;
  int64_t number;
  uint16_t a_place;  // the kernel's own: where the operand's slots are
  uint16_t b_place;  // the kernel's own
  uint32_t reserved;
};
static_assert(sizeof(instruction) == 32);

// A piece of an output text: one text where the guard is true, another where it is false.
struct alignas(16) text_part {
  uint8_t guard;  // no_register: always true
  uint8_t change;
  uint8_t kind;
  uint8_t other_kind;
  uint16_t text;
  uint16_t other;
  uint16_t what;
  uint16_t with;
  uint16_t text_place;   // the kernel's own: where the operand's slots are
  uint16_t other_place;  // the kernel's own
  uint32_t text_word;    // if short: the bytes of the literal
  uint32_t other_word;
  uint8_t is_short;  // 1 if both are literals of at most 4 bytes, and there is no change
  uint8_t text_bytes;
  uint8_t other_bytes;
  uint8_t reserved[5];
};
static_assert(sizeof(text_part) == 32);

// What a block notes of a text column for a tile.
inline constexpr uint32_t window_column_bytes = 48;

// Where a literal is in the program.
struct literal_entry {
  uint32_t offset;
  uint32_t length;  // bytes
};
static_assert(sizeof(literal_entry) == 8);

// A WholeMatcher: offsets in the program.
struct automaton_entry {
  uint32_t classes;  // 256 bytes
  uint32_t next;     // uint16: next[(state << stride_shift) + class]
  uint32_t accepts;  // a byte a state
  uint32_t start;
  uint32_t stride_shift;
  uint32_t dead;
};
static_assert(sizeof(automaton_entry) == 24);

// A column that is read.
struct source_column {
  // Text: where offset 0 is; the text of the first row is aligned to 16 bytes. Booleans: a bit a
  // row; numbers: 8 bytes.
  const uint8_t* data;
  const int32_t* offsets;   // text: rows + 1, aligned to 16 bytes
  const uint8_t* validity;  // a bit a row; null where no row is null
  uint32_t separator_bytes;
  uint32_t type;
};
static_assert(sizeof(source_column) == 32);

// What the host reads back of an output. Zeroed before.
struct output_header {
  uint64_t total;  // text: bytes of all rows; exact, also where it is more than there is room for
  uint32_t nulls;
  uint32_t reserved;
};
static_assert(sizeof(output_header) == 16);

// A column that is written: in whole words of 4 bytes where a row is a bit.
struct output_column {
  uint8_t* data;
  int32_t* offsets;       // text: rows + 1, aligned to 16 bytes
  uint32_t* validity;     // a bit a row
  uint64_t* scan_states;  // text: a word a tile; zeroed before
  output_header* header;
  uint32_t capacity;  // text: bytes of data
  uint32_t type;
  uint32_t first_part;
  uint32_t parts;
  uint32_t source;   // others: the register
  uint32_t changes;  // text: not 0 if a part has a change
};
static_assert(sizeof(output_column) == 64);

// How far the passes of a batch came. Zeroed before the first.
struct transform_status {
  uint32_t failed_pass;  // 1 + the number of a pass without room for its output; else 0
  uint32_t reserved;
};
static_assert(sizeof(transform_status) == 8);

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
  uint32_t separator_bytes;  // of the texts that are written: a line feed after each row
  // Of the first texts in `columns`, so that nobody waits for these addresses; null if absent.
  const int32_t* early_offsets[early_columns];
};
static_assert(sizeof(transform_args) == 160);

}  // namespace flinkgpu
