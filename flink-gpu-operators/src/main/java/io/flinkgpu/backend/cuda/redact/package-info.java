/**
 * Redaction of a batch on the device; rows over the kernels' step budget, rows with a drop, and keyed hashes,
 * are finished on the host.
 *
 * <p>Imported by: {@code backend.cuda}.
 *
 * <p>Owns: a share in a rule set's tables on the device, one slot for each batch under way, and
 * a result's columns until they are returned; backend thread only.
 */
package io.flinkgpu.backend.cuda.redact;
