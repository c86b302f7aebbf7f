package io.flinkgpu.backend.cuda.table;

import io.flinkgpu.backend.cuda.device.DeviceLayout;
import io.flinkgpu.backend.plan.TablePlan;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.security.SecureRandom;

/**
 * Where a table lies in its block of device memory, and what its kernels are told. Pure: calls no driver.
 *
 * <pre>
 *   | header | entries, two a text | bytes of all texts |      the first two are zeroed when it is made
 * </pre>
 *
 * @param seedLow the key of the hash, with {@code seedHigh}
 * @param hashMask bits of hashes that are used: -1, or fewer to make texts collide in tests
 */
@Internal
public record TableArgs(TablePlan plan, long seedLow, long seedHigh, int hashMask) {

    /** With a hash that nobody outside can make texts collide in. */
    public static TableArgs of(TablePlan plan) {
        SecureRandom random = new SecureRandom();
        return new TableArgs(plan, random.nextLong(), random.nextLong(), -1);
    }

    private static long entries() {
        return DeviceLayout.align(TableAbi.TABLE_HEADER_BYTES);
    }

    private long slots() {
        return 2L * plan.maxKeys();
    }

    /** Bytes of header and entries; the rest of the block is for the texts. */
    public long zeroBytes() {
        return entries() + TableAbi.TABLE_ENTRY_BYTES * slots();
    }

    /** Why the table is no good after changes; null if it is. */
    public String defectOf(long headerAddress) {
        return plan.defectOf(
                MemoryUtil.getLong(headerAddress + TableAbi.TABLE_HEADER_KEY_COUNT),
                MemoryUtil.getLong(headerAddress + TableAbi.TABLE_HEADER_KEY_BYTES));
    }

    /**
     * Writes the {@code table_args} struct.
     *
     * @param args host address of the struct
     * @param base where the block with this layout is on the device
     * @param table where the table's block is
     * @param round of changes, from 1
     */
    public void write(
            long args, TableInput input, TableLayout layout, long base, long table, int round) {
        int first = input.texts().start(0);
        long validity = input.validity() == 0 ? 0 : base + layout.validity;
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_OFFSETS, base + layout.offsets);
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_DATA, base + layout.data - first);
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_VALIDITY, validity);
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_NUMBERS, base + layout.numbers);
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_CHANGED, base + layout.changed);
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_FOUND, base + layout.found);
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_FOUND_BITS, base + layout.foundBits);
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_HEADER, table);
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_ENTRIES, table + entries());
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_KEYS, table + zeroBytes());
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_SEED_LOW, seedLow);
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_SEED_HIGH, seedHigh);
        MemoryUtil.putLong(args + TableAbi.TABLE_ARGS_MAX_KEY_BYTES, plan.maxKeyBytes());
        MemoryUtil.putInt(args + TableAbi.TABLE_ARGS_ROWS, input.count());
        MemoryUtil.putInt(
                args + TableAbi.TABLE_ARGS_SEPARATOR_BYTES, input.texts().separatorBytes());
        MemoryUtil.putInt(args + TableAbi.TABLE_ARGS_SLOTS, (int) slots());
        MemoryUtil.putInt(args + TableAbi.TABLE_ARGS_MAX_KEYS, plan.maxKeys());
        MemoryUtil.putInt(args + TableAbi.TABLE_ARGS_ROUND, round);
        MemoryUtil.putInt(args + TableAbi.TABLE_ARGS_HASH_MASK, hashMask);
    }
}
