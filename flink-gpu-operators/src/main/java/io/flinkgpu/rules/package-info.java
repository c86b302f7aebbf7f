/**
 * Rule sets from YAML and TSV files, and the built-in rule set; the only package that knows the
 * YAML parser.
 *
 * <p>Imported by: users' jobs; nothing in the library.
 *
 * <p>Owns: nothing: files are read and closed within a call.
 */
package io.flinkgpu.rules;
