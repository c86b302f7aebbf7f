package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.cuda.device.CudaDevice;
import io.flinkgpu.backend.cuda.device.KernelModule;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.apache.flink.annotation.Internal;

/**
 * How {@code lines_add} is launched: as many blocks as run at a time, each of which takes tile after tile
 * and keeps the groups that come first in a table of its own.
 *
 * @param ownSlots records of that table, a power of two; 0 if there is no room for a useful one
 * @param sharedBytes shared memory of a block
 * @param mostBlocks blocks that run at a time
 */
@Internal
public record LinesShape(int ownSlots, int sharedBytes, int mostBlocks) {

    private static final int MIN_OWN_SLOTS = 64;
    private static final int MAX_OWN_SLOTS = 1024;

    /** With fewer records, twice the records are worth more than a second block at a time. */
    private static final int GOOD_OWN_SLOTS = 512;

    static LinesShape of(CudaDevice device, LinesFields fields) {
        LinesShape two = of(device, fields, 2);
        LinesShape one = of(device, fields, 1);
        return two.ownSlots >= GOOD_OWN_SLOTS || two.ownSlots == one.ownSlots ? two : one;
    }

    private static LinesShape of(
            CudaDevice device, LinesFields fields, int blocksPerMultiprocessor) {
        int share = device.sharedBytesPerMultiprocessor() / blocksPerMultiprocessor;
        int most =
                Math.min(share, device.sharedBytesPerBlock()) - KernelModule.RESERVED_SHARED_BYTES;
        int slots = MAX_OWN_SLOTS;
        while (slots >= MIN_OWN_SLOTS && sharedBytes(fields, slots) > most) {
            slots /= 2;
        }
        return of(
                fields,
                slots >= MIN_OWN_SLOTS ? slots : 0,
                blocksPerMultiprocessor * device.multiprocessors());
    }

    static LinesShape of(LinesFields fields, int ownSlots, int mostBlocks) {
        return new LinesShape(ownSlots, (int) sharedBytes(fields, ownSlots), mostBlocks);
    }

    LaunchConfig launch(int dataBytes) {
        long tiles = ((long) dataBytes + LinesAbi.LINES_TILE_BYTES - 1) / LinesAbi.LINES_TILE_BYTES;
        return new LaunchConfig(
                (int) Math.min(mostBlocks, tiles), LinesAbi.LINES_THREADS, sharedBytes);
    }

    private static long sharedBytes(LinesFields fields, int ownSlots) {
        return LinesAbi.LINES_SHARED_BYTES
                + 8L * (fields.values() + (long) ownSlots * fields.recordWords());
    }
}
