package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.device.ResultCheck;

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

    /** Checks the numbers that places are found by; a text may have more bytes than one can have. */
    void check(NumberedPasses plan, int rows) throws FatalDeviceException {
        int passes = plan.program().passes().size();
        ResultCheck.requireBetween("a pass without room", 0, passes, failedPass);
        for (int i = 0; i < totals.length; i++) {
            ResultCheck.requireBetween("bytes of a text", 0, Long.MAX_VALUE, totals[i]);
            ResultCheck.requireBetween("nulls of a column", 0, rows, nullCounts[i]);
        }
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
