#pragma once

// Every number and struct on which the kernels and Java's RedactAbi must agree. Java's
// KernelAbiTest reads this file as text: the `inline constexpr uint32_t name = number;` lines, and
// the structs, of which it computes where each field is. Fields that are named `reserved`, or whose
// comment begins with "the kernel's own", are none of Java's business.

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

inline constexpr uint32_t max_rules = 4096;
inline constexpr uint32_t max_thread_steps = 8192;  // of a thread of redact_find
inline constexpr uint32_t max_output_bytes = 2147483647;
inline constexpr uint32_t near_over_rows = 1024;  // those that the host reads with the header

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

// start_info[b]: the byte's pair class, and above it the context that it leaves after it; '\n'
// leaves context_start, since a row may start there.
inline constexpr uint32_t start_info_context_shift = 6;
inline constexpr uint32_t pair_classes = 64;

// pairs[first * pair_classes + second]: bit c is set unless no match starts with such bytes in
// context c; the bits above say the same of the lean automaton.
inline constexpr uint32_t pairs_lean_shift = 4;
inline constexpr uint32_t no_gate = 256;

// text/automaton/LiteralIndex.java: three bytes of a text, or six of a long one, have a hash of so
// many bits.
inline constexpr uint32_t text_hash_bits = 16;
inline constexpr uint32_t no_text = 65535;
inline constexpr uint32_t long_text = 65534;  // what follows is found by six bytes

// A word of a context that the device looks for has so many bytes at least.
inline constexpr uint32_t context_word_bytes = 3;

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

// The later rules that can match where a rule does: text/Rivals.java.
inline constexpr uint32_t rivals_none = 0;
inline constexpr uint32_t rivals_walked = 1;   // by an automaton of their own
inline constexpr uint32_t rivals_unknown = 2;  // left to the host

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
  uint32_t rivals;
  uint32_t words_first;  // in the same list, in lower case: a match counts only in rows with one
  uint32_t words;        // of them, unless there are none
  // A bit for the lowest five bits of the first byte of each word; of the second; and so on.
  uint32_t word_masks[context_word_bytes];
  uint16_t rival_start_state[contexts];  // rivals_walked: where a walk for them starts
};
static_assert(sizeof(rule_entry) == 76);

// A text of an allow list, or a word of a context, in the text pool.
struct allow_entry {
  uint32_t text_offset;
  uint32_t text_bytes;
};
static_assert(sizeof(allow_entry) == 8);

// A compiled rule set: the tables of text/Dfa.java, the actions and the validators' constants.
// The automaton of all rules, the lean one of text/automaton/Prefilter.java, for texts without the
// gate byte, and those of the rules' rivals are one table with a set of start states for each. Of a
// set of several automata there is one of these for each that is tried everywhere; the actions are
// those of all rules.
struct rule_tables {
  const uint8_t* start_info;      // 256
  const uint8_t* pairs;           // pair_classes * pair_classes
  const uint8_t* class_of;        // 256
  const uint16_t* next;           // next[(state << stride_shift) + class]
  const uint16_t* match_rule;     // a state below match_limit
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
static_assert(sizeof(rule_tables) == 128);

// A rule that is tried only where one of its texts is: the tables of its automaton, by where they
// are in those of all such rules.
struct text_rule {
  uint32_t next;
  uint32_t class_of;
  uint32_t match_back_off;
  uint32_t rule;
  uint32_t min_lead;  // bytes between the start of a match and a text, at least
  uint32_t max_lead;  // at most
  uint32_t stride_shift;
  uint32_t end_class;
  uint32_t final_limit;
  uint32_t match_limit;
  uint16_t start_state[contexts];
};
static_assert(sizeof(text_rule) == 48);

// A text of up to eight bytes, the first the lowest, in lower case.
struct text_entry {
  uint64_t value;
  uint64_t mask;
  uint32_t length;
  uint32_t next;         // another one with the same hash, long_text or no_text
  uint32_t rules_first;  // of the rules that need it
  uint32_t rules_count;
};
static_assert(sizeof(text_entry) == 32);

// text/automaton/LiteralIndex.java, and the automata of its rules.
struct text_tables {
  const uint32_t* filter;      // a bit a hash of three bytes
  const uint16_t* first;       // an entry a hash, no_text or long_text
  const uint16_t* first_long;  // an entry a hash of six bytes, or no_text
  const text_entry* entries;
  const uint16_t* entry_rules;  // numbers in `rules`
  const text_rule* rules;
  const uint16_t* next;
  const uint8_t* class_of;
  const uint8_t* match_back_off;
  const uint8_t* context_after;  // 256; never context_start
};
static_assert(sizeof(text_tables) == 80);

// What the host reads back of a batch. Zeroed before the kernels run.
struct batch_header {
  uint64_t output_bytes;  // of all rows; exact, also where it is more than there is room for
  uint32_t over_rows;     // rows left to the host, as far as there is room for the output
  uint32_t hash_matches;  // redacted matches with a hash action
  uint32_t patches;       // entries of the patch list in use
  uint32_t tickets;       // tiles that redact_write has started
  uint32_t lines;         // of the text, found by redact_lines; exact, also where they are too many
  uint32_t line_tickets;  // tiles that redact_lines has started
  uint64_t rule_matches[max_rules];  // there are only as many as the set has rules
};
static_assert(sizeof(batch_header) == 32800);

// A span of the output that the host fills in: the keyed hash of a match.
struct hash_patch {
  uint32_t source_offset;
  uint32_t source_bytes;
  uint32_t output_offset;
  uint32_t rule;
};
static_assert(sizeof(hash_patch) == 16);

// A row left to the host. Its output is stars, as many as it has bytes.
struct over_row {
  uint32_t source_offset;
  uint32_t output_offset;
};
static_assert(sizeof(over_row) == 8);

// One batch on its way through the kernels; the only kernel parameter.
//
//   data     | row 0 bytes | sep | row 1 bytes | sep | ...      sep: separator_bytes of '\n'
//   offsets  | 0 | o1 | o2 | ... | on |                         rows + 1 of them
//
// Where `rows` is 0, redact_lines runs first, finds the rows and writes the offsets. Then each '\n'
// ends a row, the last byte is one, and separator_bytes is 1. Of more than row_capacity rows the
// last one that there is room for goes on to the end of the data.
//
// Of a set of several automata, redact_texts runs before redact_find, which runs once for each
// automaton that is tried everywhere: each of them adds the matches that it accepts, and at one
// start that of the first rule stays. bitmap and candidates are zeroed before.
struct redact_args {
  rule_tables tables;
  text_tables texts;
  const uint8_t* data;
  int32_t* offsets;
  uint32_t* bitmap;       // a bit a start position: a candidate
  uint32_t* candidates;   // a value a start position, see candidate.cuh; valid where the bit is set
  uint32_t* found;        // the same before it is judged; of one automaton, candidates itself
  uint8_t* row_over;      // a byte a row: left to the host; then one: any row; zeroed before
  over_row* over_rows;    // the rows left to the host, in any order
  over_row* near_rows;    // the first near_over_rows of them, once more
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
static_assert(sizeof(redact_args) == 360);

}  // namespace flinkgpu
