#pragma once

// Every number on which the kernels and Java's RedactAbi must agree. Java's KernelAbiTest reads the
// `inline constexpr uint32_t name = number;` lines of this file and compares them one by one.

#include <cstddef>
#include <cstdint>

namespace flinkgpu {

// ---- launch shapes: the only place where they are written down ----

inline constexpr uint32_t segment_bytes = 32;  // start positions a thread owns: a bitmap word
inline constexpr uint32_t find_threads = 256;
inline constexpr uint32_t write_threads = 256;
inline constexpr uint32_t write_tile_bytes =
    7168;  // the rest of a block's words is for a row's end
inline constexpr uint32_t warp_lanes = 32;
inline constexpr uint32_t line_threads = 256;
inline constexpr uint32_t line_tile_bytes = 16384;  // a block of redact_lines

// ---- limits ----

inline constexpr uint32_t max_rules = 255;
inline constexpr uint32_t max_thread_steps = 8192;  // of a thread of redact_find
inline constexpr uint32_t max_output_bytes = 2147483647;

// ---- validators' constants, from the Java classes that define them ----

inline constexpr uint32_t luhn_max_bytes = 64;
inline constexpr uint32_t luhn_min_digits = 12;
inline constexpr uint32_t luhn_max_digits = 19;
inline constexpr uint32_t iban_max_bytes = 64;
inline constexpr uint32_t iban_max_characters = 34;
inline constexpr uint32_t ipv6_max_bytes = 45;
inline constexpr uint32_t us_ssn_max_bytes = 64;
inline constexpr uint32_t entropy_max_bytes = 256;
inline constexpr uint32_t entropy_fraction_bits = 15;

// ---- contexts: what precedes a start (Dfa.AT_START and so on) ----

inline constexpr uint32_t context_start = 0;
inline constexpr uint32_t context_other = 1;
inline constexpr uint32_t context_word = 2;
inline constexpr uint32_t context_cr = 3;
inline constexpr uint32_t contexts = 4;

// start_info[b]: the byte's pair class, and above it the context that it leaves behind it; '\n'
// leaves context_start, since a row may start there.
inline constexpr uint32_t start_info_context_shift = 6;
inline constexpr uint32_t pair_classes = 64;

// pairs[first * pair_classes + second]: bit c is set unless no match starts with such bytes in
// context c; the bits above say the same of the lean automaton.
inline constexpr uint32_t pairs_lean_shift = 4;
inline constexpr uint32_t no_gate = 256;

// ---- kinds ----

inline constexpr uint32_t action_text = 0;  // label; drop is an empty label
inline constexpr uint32_t action_mask = 1;
inline constexpr uint32_t action_hash = 2;

// The order of Validator.Kind.
inline constexpr uint32_t validator_none = 0;
inline constexpr uint32_t validator_luhn = 1;
inline constexpr uint32_t validator_iban = 2;
inline constexpr uint32_t validator_ipv6 = 3;
inline constexpr uint32_t validator_us_ssn = 4;
inline constexpr uint32_t validator_entropy = 5;

// MatchJudge.REDACT and so on.
inline constexpr uint32_t verdict_redact = 0;
inline constexpr uint32_t verdict_keep = 1;
inline constexpr uint32_t verdict_reject = 2;

// ---- structs that Java writes or reads; little endian ----

// What a rule does with its matches.
struct rule_entry {
  uint32_t action;
  uint32_t text_offset;  // action_text: the replacement, in the text pool
  uint32_t text_bytes;   // action_text, action_hash: bytes of every replacement
  uint32_t keep_first;   // action_mask
  uint32_t keep_last;    // action_mask
  uint32_t mask_char;    // action_mask
  uint32_t validator;
  uint32_t validator_argument;
  uint32_t allow_first;   // its allow list: `allow_values` entries from here on, then the prefixes;
  uint32_t allow_values;  // each part is sorted by unsigned bytes, and no prefix has another prefix
  uint32_t allow_prefixes;  // of the list before it
};
inline constexpr uint32_t rule_action = 0;
inline constexpr uint32_t rule_text_offset = 4;
inline constexpr uint32_t rule_text_bytes = 8;
inline constexpr uint32_t rule_keep_first = 12;
inline constexpr uint32_t rule_keep_last = 16;
inline constexpr uint32_t rule_mask_char = 20;
inline constexpr uint32_t rule_validator = 24;
inline constexpr uint32_t rule_validator_argument = 28;
inline constexpr uint32_t rule_allow_first = 32;
inline constexpr uint32_t rule_allow_values = 36;
inline constexpr uint32_t rule_allow_prefixes = 40;
inline constexpr uint32_t rule_bytes = 44;

// An allow list's text, in the text pool.
struct allow_entry {
  uint32_t text_offset;
  uint32_t text_bytes;
};
inline constexpr uint32_t allow_text_offset = 0;
inline constexpr uint32_t allow_text_bytes = 4;
inline constexpr uint32_t allow_bytes = 8;

// A compiled rule set: the tables of text/Dfa.java, the actions and the validators' constants.
// The automaton of all rules and the lean one of text/Gate.java, for texts without the gate byte,
// are one table with two sets of start states.
struct rule_tables {
  const uint8_t* start_info;      // 256
  const uint8_t* pairs;           // pair_classes * pair_classes
  const uint8_t* class_of;        // 256
  const uint16_t* next;           // next[(state << stride_shift) + class]
  const uint8_t* match_rule;      // a state below match_limit
  const uint8_t* match_back_off;  // a state below match_limit
  const rule_entry* rules;
  const allow_entry* allow;
  const uint8_t* text;           // labels and allow list entries
  const uint8_t* iban_lengths;   // 26 * 26, 0 where there is no such country
  const int32_t* entropy_terms;  // Entropy.table(): entropy_max_bytes + 1 of them
  uint16_t start_state[contexts];
  uint16_t lean_start_state[contexts];
  uint32_t stride_shift;
  uint32_t end_class;
  uint32_t final_limit;
  uint32_t match_limit;
  uint32_t rule_count;
  uint32_t gate_byte;  // no_gate: none
};
inline constexpr uint32_t tables_start_info = 0;
inline constexpr uint32_t tables_pairs = 8;
inline constexpr uint32_t tables_class_of = 16;
inline constexpr uint32_t tables_next = 24;
inline constexpr uint32_t tables_match_rule = 32;
inline constexpr uint32_t tables_match_back_off = 40;
inline constexpr uint32_t tables_rules = 48;
inline constexpr uint32_t tables_allow = 56;
inline constexpr uint32_t tables_text = 64;
inline constexpr uint32_t tables_iban_lengths = 72;
inline constexpr uint32_t tables_entropy_terms = 80;
inline constexpr uint32_t tables_start_state = 88;
inline constexpr uint32_t tables_lean_start_state = 96;
inline constexpr uint32_t tables_stride_shift = 104;
inline constexpr uint32_t tables_end_class = 108;
inline constexpr uint32_t tables_final_limit = 112;
inline constexpr uint32_t tables_match_limit = 116;
inline constexpr uint32_t tables_rule_count = 120;
inline constexpr uint32_t tables_gate_byte = 124;
inline constexpr uint32_t tables_bytes = 128;

// What the host reads back of a batch. Zeroed before the kernels run.
struct batch_header {
  uint64_t output_bytes;  // of all rows; exact, also where it is more than there is room for
  uint32_t over_rows;     // rows left to the host: over the step budget
  uint32_t hash_matches;  // redacted matches with a hash action
  uint32_t patches;       // entries of the patch list in use
  uint32_t tickets;       // tiles that redact_write has started
  uint32_t lines;         // of the text, found by redact_lines; exact, also where they are too many
  uint32_t line_tickets;  // tiles that redact_lines has started
  uint64_t rule_matches[max_rules + 1];
};
inline constexpr uint32_t header_output_bytes = 0;
inline constexpr uint32_t header_over_rows = 8;
inline constexpr uint32_t header_hash_matches = 12;
inline constexpr uint32_t header_patches = 16;
inline constexpr uint32_t header_tickets = 20;
inline constexpr uint32_t header_lines = 24;
inline constexpr uint32_t header_line_tickets = 28;
inline constexpr uint32_t header_rule_matches = 32;
inline constexpr uint32_t header_bytes = 2080;

// A span of the output that the host fills in: the keyed hash of a match.
struct hash_patch {
  uint32_t source_offset;
  uint32_t source_bytes;
  uint32_t output_offset;
  uint32_t rule;
};
inline constexpr uint32_t patch_source_offset = 0;
inline constexpr uint32_t patch_source_bytes = 4;
inline constexpr uint32_t patch_output_offset = 8;
inline constexpr uint32_t patch_rule = 12;
inline constexpr uint32_t patch_bytes = 16;

// One batch on its way through the kernels; the only kernel parameter.
//
//   data     | row 0 bytes | sep | row 1 bytes | sep | ...      sep: separator_bytes of '\n'
//   offsets  | 0 | o1 | o2 | ... | on |                         rows + 1 of them
//
// Where `rows` is 0, redact_lines runs first, finds the rows and writes the offsets. Then each '\n'
// ends a row, the last byte is one, and separator_bytes is 1. Of more than row_capacity rows the
// last one that there is room for goes on to the end of the data.
struct redact_args {
  rule_tables tables;
  const uint8_t* data;
  int32_t* offsets;
  uint32_t* bitmap;       // a bit a start position: a candidate
  uint32_t* candidates;   // a value a start position, see candidate.cuh; valid where the bit is set
  uint8_t* row_over;      // a byte a row: left to the host; then one: any row; zeroed before
  uint32_t* over_rows;    // the rows left to the host, in any order
  uint64_t* scan_states;  // a word a tile of redact_write; zeroed before
  uint32_t* carries;      // a word a tile: see select.cuh; zeroed before
  int32_t* out_offsets;   // rows + 1
  uint8_t* changed;       // a byte a row; zeroed before
  uint8_t* out_data;
  hash_patch* patches;
  batch_header* header;
  uint64_t* line_states;  // a word a tile of redact_lines; zeroed before
  uint32_t rows;          // 0: header->lines, but no more than row_capacity
  uint32_t data_bytes;
  uint32_t separator_bytes;
  uint32_t out_capacity;    // bytes
  uint32_t patch_capacity;  // entries
  uint32_t row_capacity;    // rows that there is room for, 1 at least; only where `rows` is 0
};
inline constexpr uint32_t args_data = 128;
inline constexpr uint32_t args_offsets = 136;
inline constexpr uint32_t args_bitmap = 144;
inline constexpr uint32_t args_candidates = 152;
inline constexpr uint32_t args_row_over = 160;
inline constexpr uint32_t args_over_rows = 168;
inline constexpr uint32_t args_scan_states = 176;
inline constexpr uint32_t args_carries = 184;
inline constexpr uint32_t args_out_offsets = 192;
inline constexpr uint32_t args_changed = 200;
inline constexpr uint32_t args_out_data = 208;
inline constexpr uint32_t args_patches = 216;
inline constexpr uint32_t args_header = 224;
inline constexpr uint32_t args_line_states = 232;
inline constexpr uint32_t args_rows = 240;
inline constexpr uint32_t args_data_bytes = 244;
inline constexpr uint32_t args_separator_bytes = 248;
inline constexpr uint32_t args_out_capacity = 252;
inline constexpr uint32_t args_patch_capacity = 256;
inline constexpr uint32_t args_row_capacity = 260;
inline constexpr uint32_t args_bytes = 264;

#define FLINKGPU_AT(type, field, prefix) \
  static_assert(offsetof(type, field) == prefix##_##field, #type "." #field)
FLINKGPU_AT(rule_entry, action, rule);
FLINKGPU_AT(rule_entry, text_offset, rule);
FLINKGPU_AT(rule_entry, text_bytes, rule);
FLINKGPU_AT(rule_entry, keep_first, rule);
FLINKGPU_AT(rule_entry, keep_last, rule);
FLINKGPU_AT(rule_entry, mask_char, rule);
FLINKGPU_AT(rule_entry, validator, rule);
FLINKGPU_AT(rule_entry, validator_argument, rule);
FLINKGPU_AT(rule_entry, allow_first, rule);
FLINKGPU_AT(rule_entry, allow_values, rule);
FLINKGPU_AT(rule_entry, allow_prefixes, rule);
FLINKGPU_AT(allow_entry, text_offset, allow);
FLINKGPU_AT(allow_entry, text_bytes, allow);
FLINKGPU_AT(rule_tables, start_info, tables);
FLINKGPU_AT(rule_tables, pairs, tables);
FLINKGPU_AT(rule_tables, class_of, tables);
FLINKGPU_AT(rule_tables, next, tables);
FLINKGPU_AT(rule_tables, match_rule, tables);
FLINKGPU_AT(rule_tables, match_back_off, tables);
FLINKGPU_AT(rule_tables, rules, tables);
FLINKGPU_AT(rule_tables, allow, tables);
FLINKGPU_AT(rule_tables, text, tables);
FLINKGPU_AT(rule_tables, iban_lengths, tables);
FLINKGPU_AT(rule_tables, entropy_terms, tables);
FLINKGPU_AT(rule_tables, start_state, tables);
FLINKGPU_AT(rule_tables, lean_start_state, tables);
FLINKGPU_AT(rule_tables, stride_shift, tables);
FLINKGPU_AT(rule_tables, end_class, tables);
FLINKGPU_AT(rule_tables, final_limit, tables);
FLINKGPU_AT(rule_tables, match_limit, tables);
FLINKGPU_AT(rule_tables, rule_count, tables);
FLINKGPU_AT(rule_tables, gate_byte, tables);
FLINKGPU_AT(batch_header, output_bytes, header);
FLINKGPU_AT(batch_header, over_rows, header);
FLINKGPU_AT(batch_header, hash_matches, header);
FLINKGPU_AT(batch_header, patches, header);
FLINKGPU_AT(batch_header, tickets, header);
FLINKGPU_AT(batch_header, lines, header);
FLINKGPU_AT(batch_header, line_tickets, header);
FLINKGPU_AT(batch_header, rule_matches, header);
FLINKGPU_AT(hash_patch, source_offset, patch);
FLINKGPU_AT(hash_patch, source_bytes, patch);
FLINKGPU_AT(hash_patch, output_offset, patch);
FLINKGPU_AT(hash_patch, rule, patch);
FLINKGPU_AT(redact_args, data, args);
FLINKGPU_AT(redact_args, offsets, args);
FLINKGPU_AT(redact_args, bitmap, args);
FLINKGPU_AT(redact_args, candidates, args);
FLINKGPU_AT(redact_args, row_over, args);
FLINKGPU_AT(redact_args, over_rows, args);
FLINKGPU_AT(redact_args, scan_states, args);
FLINKGPU_AT(redact_args, carries, args);
FLINKGPU_AT(redact_args, out_offsets, args);
FLINKGPU_AT(redact_args, changed, args);
FLINKGPU_AT(redact_args, out_data, args);
FLINKGPU_AT(redact_args, patches, args);
FLINKGPU_AT(redact_args, header, args);
FLINKGPU_AT(redact_args, line_states, args);
FLINKGPU_AT(redact_args, rows, args);
FLINKGPU_AT(redact_args, data_bytes, args);
FLINKGPU_AT(redact_args, separator_bytes, args);
FLINKGPU_AT(redact_args, out_capacity, args);
FLINKGPU_AT(redact_args, patch_capacity, args);
FLINKGPU_AT(redact_args, row_capacity, args);
#undef FLINKGPU_AT
static_assert(sizeof(rule_entry) == rule_bytes, "rule_entry");
static_assert(sizeof(allow_entry) == allow_bytes, "allow_entry");
static_assert(sizeof(rule_tables) == tables_bytes, "rule_tables");
static_assert(sizeof(batch_header) == header_bytes, "batch_header");
static_assert(sizeof(hash_patch) == patch_bytes, "hash_patch");
static_assert(sizeof(redact_args) == args_bytes, "redact_args");

}  // namespace flinkgpu
