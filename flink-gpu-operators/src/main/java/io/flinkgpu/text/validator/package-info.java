/**
 * Checks on the bytes of a match: Luhn, IBAN, IPv6, SSN, entropy; pure Java, no state.
 *
 * <p>Imported by: {@code text}, and the GPU's redaction, which hands their constants to the
 * kernels.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.text.validator;
