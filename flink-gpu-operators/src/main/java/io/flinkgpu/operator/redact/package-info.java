/**
 * Redaction of records and of chunks of lines: what is batched, and how results leave.
 *
 * <p>Imported by: {@code operator.lines} and the root.
 *
 * <p>Owns: what {@code operator} owns; records of batches in flight.
 */
package io.flinkgpu.operator.redact;
