package io.flinkgpu.backend.plan;

import org.apache.flink.annotation.Internal;

/**
 * A place of a row that was redacted.
 *
 * @param row its row of the batch
 * @param rule the rule's index
 * @param offset where the place starts in the row as it came, in bytes
 * @param length its bytes
 * @param hash a keyed hash of what was found, in hex
 */
@Internal
public record RowFinding(int row, int rule, int offset, int length, String hash) {}
