package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.embeddings.DiskReads;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Reads the vectors of a batch from disk, in the order of the files, so that neighbours are one read. */
final class BatchReads {

    private final List<DeviceTable> tables;
    private final DiskReads reads;

    /**
     * @param reads stays the caller's
     */
    BatchReads(List<DeviceTable> tables, DiskReads reads) {
        this.tables = tables;
        this.reads = reads;
    }

    /**
     * Reads what the device has listed, each vector once.
     *
     * @param list {@code lookup_read} structs
     * @param lines gets the vectors where the structs say
     */
    void run(long list, int count, ArrowBuf lines) throws BackendException {
        long[] vectors = new long[count];
        for (int i = 0; i < count; i++) {
            vectors[i] = vector(list, i);
        }
        Arrays.sort(vectors);
        int[] lineOf = new int[count];
        for (int i = 0; i < count; i++) {
            int line = MemoryUtil.getInt(at(list, i) + LookupAbi.LOOKUP_READ_LINE);
            lineOf[Arrays.binarySearch(vectors, vector(list, i))] = line;
        }
        for (int i = 0; i < count; i++) {
            DeviceTable table = tables.get((int) (vectors[i] >>> Integer.SIZE));
            long offset = (long) LookupAbi.LOOKUP_LINE_BYTES * lineOf[i];
            long most = lines.capacity() - table.shape().vectorBytes();
            ResultCheck.requireBetween("the line of a read", 0, most, offset);
            table.readDisk((int) vectors[i], lines.memoryAddress() + offset);
        }
        run(reads);
    }

    /** Does what was added. */
    static void run(DiskReads reads) throws BackendException {
        try {
            reads.run();
        } catch (IOException e) {
            throw new BackendException(
                    "vectors cannot be read from disk: " + e.getMessage() + "; restart the job", e);
        }
    }

    private static long at(long list, int number) {
        return list + (long) LookupAbi.LOOKUP_READ_BYTES * number;
    }

    private static long vector(long list, int number) {
        long read = at(list, number);
        return (long) MemoryUtil.getInt(read + LookupAbi.LOOKUP_READ_TABLE) << Integer.SIZE
                | MemoryUtil.getInt(read + LookupAbi.LOOKUP_READ_INDEX);
    }
}
