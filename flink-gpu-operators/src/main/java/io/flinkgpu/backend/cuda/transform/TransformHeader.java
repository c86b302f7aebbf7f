package io.flinkgpu.backend.cuda.transform;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * What the kernel found out about a batch.
 *
 * @param failedPass 1 + the number of a pass that had no room for what it writes; else 0
 */
record TransformHeader(int failedPass, int firstOutput, long[] totals, int[] nullCounts) {

    /** Reads the status and the headers after it at a host address. */
    static TransformHeader read(long address, NumberedPasses plan) {
        int outputs = plan.types().size() - plan.inputs();
        long[] totals = new long[outputs];
        int[] nullCounts = new int[outputs];
        for (int i = 0; i < outputs; i++) {
            long at =
                    address + TransformLayout.HEADERS + TransformAbi.OUTPUT_HEADER_BYTES * (long) i;
            totals[i] = MemoryUtil.getLong(at + TransformAbi.OUTPUT_HEADER_TOTAL);
            nullCounts[i] = MemoryUtil.getInt(at + TransformAbi.OUTPUT_HEADER_NULLS);
        }
        int failed = MemoryUtil.getInt(address + TransformAbi.STATUS_FAILED_PASS);
        return new TransformHeader(failed, plan.inputs(), totals, nullCounts);
    }

    /** Bytes of a text that a pass writes. */
    long bytes(int column) {
        return totals[column - firstOutput];
    }

    /** How many rows of a column that a pass writes are null. */
    int nulls(int column) {
        return nullCounts[column - firstOutput];
    }
}
