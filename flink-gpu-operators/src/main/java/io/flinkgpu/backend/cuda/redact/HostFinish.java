package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.Replacer;
import io.flinkgpu.text.RowRedactor;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;

/**
 * What is left to do on the host: keyed hashes, since the key stays off the device, the rows over
 * the kernels' step budget, those in which a rule drops a match, and those with bytes that are no UTF-8. Pure Java.
 * Not thread-safe.
 */
final class HostFinish {

    private final Replacer replacer;
    private final RowRedactor rowRedactor;
    private final int rules;

    HostFinish(CompiledRules rules, byte[] hashKey) {
        this.rules = rules.ruleSet().rules().size();
        replacer = new Replacer(rules.ruleSet(), hashKey);
        rowRedactor = new RowRedactor(rules, hashKey);
    }

    /**
     * Writes the hashes into the spans that the device left for them.
     *
     * @param patches host address of the list of {@code hash_patch} structs
     * @throws FatalDeviceException if one is of no bytes of the input, or has no place in the output
     */
    void writeHashes(TextView input, long patches, int count, OutputColumns output)
            throws FatalDeviceException {
        int inputBytes = input.dataBytes();
        for (long at = patches; at < patches + (long) count * RedactAbi.PATCH_BYTES; ) {
            int from = MemoryUtil.getInt(at + RedactAbi.PATCH_SOURCE_OFFSET);
            int length = MemoryUtil.getInt(at + RedactAbi.PATCH_SOURCE_BYTES);
            int to = MemoryUtil.getInt(at + RedactAbi.PATCH_OUTPUT_OFFSET);
            int rule = MemoryUtil.getInt(at + RedactAbi.PATCH_RULE);
            ResultCheck.requireBetween("the rule of a match to be hashed", 0, rules - 1L, rule);
            ResultCheck.requireBetween("the start of a match to be hashed", 0, inputBytes, from);
            ResultCheck.requireBetween(
                    "the bytes of a match to be hashed", 0, inputBytes - from, length);
            byte[] match = input.copy(from, from + length);
            int replacementBytes = replacer.replace(rule, match, 0, length);
            ResultCheck.requireBetween(
                    "the place of a hash", 0, output.dataBytes() - replacementBytes, to);
            MemoryUtil.copyToMemory(
                    replacer.buffer(), 0, output.dataAddress() + to, replacementBytes);
            at += RedactAbi.PATCH_BYTES;
        }
    }

    /**
     * Redacts the rows that the device left empty and puts them in their places.
     *
     * @param overRows their numbers; sorted by this call
     * @param matchesPerRule the counters of redacted matches, to be added to
     * @return new columns; the caller closes them and the old ones
     */
    OutputColumns fillRows(
            TextView input, int[] overRows, OutputColumns output, long[] matchesPerRule)
            throws BackendException {
        Arrays.sort(overRows);
        requireRows(overRows, input.rows());
        byte[][] redacted = new byte[overRows.length][];
        long totalBytes = output.dataBytes();
        for (int i = 0; i < overRows.length; i++) {
            byte[] row = input.copyRow(overRows[i]);
            int length = rowRedactor.redact(row, row.length, matchesPerRule);
            redacted[i] = Arrays.copyOf(rowRedactor.buffer(), length);
            MemoryUtil.putByte(
                    output.changedAddress() + overRows[i], (byte) (rowRedactor.changed() ? 1 : 0));
            totalBytes += length;
        }
        OutputColumns.checkSize(totalBytes);
        OutputColumns filled = output.another(totalBytes);
        MemoryUtil.copyMemory(output.changedAddress(), filled.changedAddress(), output.rows());
        splice(overRows, redacted, output, filled);
        return filled;
    }

    private static void requireRows(int[] overRows, int rows) throws FatalDeviceException {
        int least = 0;
        for (int row : overRows) {
            ResultCheck.requireBetween("a row left to the host", least, rows - 1L, row);
            least = row + 1;
        }
    }

    /** Puts each row in front of its separator, which the device has written. */
    private static void splice(
            int[] overRows, byte[][] redacted, OutputColumns from, OutputColumns to) {
        int shift = 0;
        int copied = 0;
        int row = 0;
        for (int i = 0; i < overRows.length; i++) {
            int place = from.offset(overRows[i]);
            copyRun(from, copied, place, to, shift);
            for (; row <= overRows[i]; row++) {
                to.putOffset(row, from.offset(row) + shift);
            }
            MemoryUtil.copyToMemory(
                    redacted[i], 0, to.dataAddress() + place + shift, redacted[i].length);
            shift += redacted[i].length;
            copied = place;
        }
        copyRun(from, copied, (int) from.dataBytes(), to, shift);
        for (; row <= from.rows(); row++) {
            to.putOffset(row, from.offset(row) + shift);
        }
    }

    private static void copyRun(
            OutputColumns from, int start, int end, OutputColumns to, int shift) {
        MemoryUtil.copyMemory(
                from.dataAddress() + start, to.dataAddress() + start + shift, end - start);
    }
}
