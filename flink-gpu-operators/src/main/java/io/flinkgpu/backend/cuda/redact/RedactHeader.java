package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.device.ResultCheck;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * What the kernels found out about a batch.
 *
 * @param outputBytes of all rows, separators included; those left to the host are as long as they came
 * @param overRows rows left to the host
 * @param lines how many lines the device has found, if it had to find them
 * @param hashMatches matches whose hash the host fills in
 * @param matchesPerRule redacted matches of each rule, but for the rows left to the host
 */
record RedactHeader(
        long outputBytes, int overRows, int lines, int hashMatches, long[] matchesPerRule) {

    /** Reads the {@code batch_header} struct at a host address. */
    static RedactHeader read(long address, int ruleCount) {
        long[] matches = new long[ruleCount];
        for (int rule = 0; rule < ruleCount; rule++) {
            matches[rule] = MemoryUtil.getLong(address + RedactAbi.HEADER_RULE_MATCHES + 8L * rule);
        }
        return new RedactHeader(
                MemoryUtil.getLong(address + RedactAbi.HEADER_OUTPUT_BYTES),
                MemoryUtil.getInt(address + RedactAbi.HEADER_OVER_ROWS),
                MemoryUtil.getInt(address + RedactAbi.HEADER_LINES),
                MemoryUtil.getInt(address + RedactAbi.HEADER_HASH_MATCHES),
                matches);
    }

    /**
     * Checks the numbers that places are found by.
     *
     * @param dataBytes of the input
     * @param mostRows that it can have
     */
    void check(int dataBytes, int mostRows) throws FatalDeviceException {
        ResultCheck.requireBetween("output bytes", 0, Long.MAX_VALUE, outputBytes);
        ResultCheck.requireBetween("rows left to the host", 0, mostRows, overRows);
        ResultCheck.requireBetween("lines", 0, dataBytes, lines);
        ResultCheck.requireBetween("matches to be hashed", 0, dataBytes, hashMatches);
    }
}
