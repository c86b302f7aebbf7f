package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.security.SecureRandom;

/**
 * Writes what the line kernels are told. Pure: calls no driver.
 *
 * @param seedLow the key of the hash, with {@code seedHigh}
 * @param hashMask bits of hashes that are used: -1, or fewer to make keys collide in tests
 */
@Internal
public record LinesArgs(
        LinePlan plan, LinesFields fields, long seedLow, long seedHigh, int hashMask) {

    /** Where a batch and its results are on the device. */
    record Places(
            long base,
            long fields,
            long table,
            long result,
            long resultBytes,
            long refusedStarts) {}

    /** With a hash that nobody outside can make keys collide in. */
    public static LinesArgs of(LinePlan plan) throws BackendException {
        SecureRandom random = new SecureRandom();
        return new LinesArgs(plan, random.nextLong(), random.nextLong(), -1);
    }

    public LinesArgs(LinePlan plan, long seedLow, long seedHigh, int hashMask)
            throws BackendException {
        this(plan, new LinesFields(plan), seedLow, seedHigh, hashMask);
    }

    /** Bytes of a table. */
    long tableBytes(LinesTable table) {
        return 8L * fields.recordWords() * table.slots();
    }

    /**
     * Writes the {@code lines_args} struct.
     *
     * @param args host address of the struct
     */
    void writeStruct(
            long args,
            LinesInput input,
            LinesLayout layout,
            LinesShape shape,
            LinesTable table,
            Places places) {
        long base = places.base();
        TimeSlices time = plan.time();
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_DATA, base);
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_BREAKS, base + layout.breaks);
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_FIELDS, places.fields());
        MemoryUtil.putLong(
                args + LinesAbi.LINES_ARGS_VALUES, places.fields() + fields.valuesOffset());
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_HEADER, base + layout.header);
        MemoryUtil.putLong(
                args + LinesAbi.LINES_ARGS_BINS_PRESENT,
                base + layout.header + LinesAbi.LINES_HEADER_BYTES);
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_REFUSED_BITS, base + layout.refusedBits);
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_SCAN_STATES, base + layout.scanStates);
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_TABLE, places.table());
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_RESULT, places.result());
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_REFUSED_STARTS, places.refusedStarts());
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_SEED_LOW, seedLow);
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_SEED_HIGH, seedHigh);
        MemoryUtil.putLong(
                args + LinesAbi.LINES_ARGS_SLICE_MILLIS, time == null ? 1 : time.sliceMillis());
        MemoryUtil.putLong(
                args + LinesAbi.LINES_ARGS_SLICE_OFFSET, time == null ? 0 : time.offsetMillis());
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_RESULT_ROOM, places.resultBytes());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_DATA_BYTES, input.dataBytes());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_BREAKS_COUNT, input.breaksCount());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_FIRST_OFFSET, input.firstOffset());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_FIELDS_COUNT, fields.fields());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_VALUES_COUNT, fields.values());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_KEY_FIELD, plan.key());
        MemoryUtil.putInt(
                args + LinesAbi.LINES_ARGS_TIME_FIELD,
                time == null ? LinesFields.NONE : time.field());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_SEPARATOR, plan.format().separator());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_QUOTED, plan.format().isQuoted() ? 1 : 0);
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_RECORD_WORDS, fields.recordWords());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_TABLE_MASK, table.slots() - 1);
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_PROBES, table.probes());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_OWN_SLOTS, shape.ownSlots());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_HASH_MASK, hashMask);
    }
}
