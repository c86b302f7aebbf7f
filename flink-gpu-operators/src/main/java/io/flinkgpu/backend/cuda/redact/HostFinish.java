package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.Replacer;
import io.flinkgpu.text.RowRedactor;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is left to do on the host: keyed hashes, since the key stays off the device, the rows over
 * the kernels' step budget, those in which a rule drops a match, and those with bytes that are no UTF-8. The device has
 * left stars in their places, so that only what gets longer or shorter makes others move. Pure Java. Not thread-safe.
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
     * Redacts the rows that the device has hidden and puts them in their places.
     *
     * @param holdsLines whether the input is one row that holds lines, each with its end, and a row is one of these
     * @param overRows host address of the list of {@code over_row} structs, in any order
     * @param matchesPerRule the counters of redacted matches, to be added to
     * @return the columns, or new ones where rows have become longer or shorter; the caller closes them and the old ones
     * @throws FatalDeviceException if one is no row of the input, or has not its place in the output
     */
    OutputColumns fillRows(
            TextView input,
            boolean holdsLines,
            long overRows,
            int count,
            OutputColumns output,
            long[] matchesPerRule)
            throws BackendException {
        List<MovingRow> moving = new ArrayList<>();
        long totalBytes = output.dataBytes();
        int least = 0;
        int leastPlace = 0;
        for (long entry : sorted(overRows, count)) {
            int from = (int) (entry >>> Integer.SIZE);
            int place = (int) entry;
            ResultCheck.requireBetween(
                    "the start of a row left to the host", least, input.dataBytes() - 1L, from);
            int row = holdsLines ? MovingRow.OF_LINES : rowAt(input, from);
            int end = holdsLines ? endOfLine(input, from) : input.end(row);
            int room = end - from;
            if (holdsLines) {
                long lastPlace = output.dataBytes() - room;
                ResultCheck.requireBetween("the place of a row", leastPlace, lastPlace, place);
            } else {
                checkRow(input, row, from, output, place);
            }
            byte[] bytes = input.copy(from, end);
            int length = rowRedactor.redact(bytes, room, matchesPerRule);
            if (!holdsLines && rowRedactor.changed()) {
                MemoryUtil.putByte(output.changedAddress() + row, (byte) 1);
            }
            if (length == room) {
                MemoryUtil.copyToMemory(
                        rowRedactor.buffer(), 0, output.dataAddress() + place, length);
            } else {
                moving.add(
                        new MovingRow(
                                row, place, room, Arrays.copyOf(rowRedactor.buffer(), length)));
            }
            totalBytes += length - room;
            least = end;
            leastPlace = place + room;
        }
        if (moving.isEmpty()) {
            return output;
        }
        OutputColumns.checkSize(totalBytes);
        OutputColumns filled = output.another(totalBytes);
        MovingRow.copy(moving, output, filled);
        return filled;
    }

    /** Checks that a row starts where it should, and has the bytes of its place. */
    private static void checkRow(TextView input, int row, int from, OutputColumns output, int place)
            throws FatalDeviceException {
        int start = input.start(row);
        ResultCheck.requireBetween("the start of a row left to the host", start, start, from);
        int offset = output.offset(row);
        ResultCheck.requireBetween("the place of a row", offset, offset, place);
        int room = input.end(row) - from;
        int bytesThere = output.offset(row + 1) - output.separatorBytes() - place;
        ResultCheck.requireBetween("the bytes of a row", room, room, bytesThere);
    }

    /** The entries in order, each a row's start above its place. */
    private static long[] sorted(long overRows, int count) {
        long[] entries = new long[count];
        for (int i = 0; i < count; i++) {
            long at = overRows + (long) i * RedactAbi.OVER_ROW_BYTES;
            long start = MemoryUtil.getInt(at + RedactAbi.OVER_ROW_SOURCE_OFFSET);
            int place = MemoryUtil.getInt(at + RedactAbi.OVER_ROW_OUTPUT_OFFSET);
            entries[i] = start << Integer.SIZE | Integer.toUnsignedLong(place);
        }
        Arrays.sort(entries);
        return entries;
    }

    /** The last row that starts at an offset or before it. */
    private static int rowAt(TextView input, int offset) {
        int low = 0;
        int high = input.rows();
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (input.start(middle) <= offset) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Where the line ends that starts at an offset. */
    private static int endOfLine(TextView input, int from) {
        int at = from;
        while (at < input.dataBytes() && MemoryUtil.getByte(input.dataAddress() + at) != '\n') {
            at++;
        }
        return at;
    }
}
