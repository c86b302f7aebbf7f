/**
 * Rule sets from YAML and TSV files, rule packs of other tools, checks on their rules, and the built-in rule set; the
 * only package that knows the parsers of YAML and TOML.
 *
 * <p>Imported by: users' jobs; nothing in the library.
 *
 * <p>Owns: nothing: files are read and closed within a call.
 */
package io.flinkgpu.rules;
