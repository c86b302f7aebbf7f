package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.embeddings.TableGauge;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** What the host reads of a batch: its header, and after it what became of the ids of each table. */
final class LookupHead implements AutoCloseable {

    private static final LookupInput NOTHING =
            new LookupInput(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null);

    private final DeviceTables tables;
    private final ArrowBuf head;

    /** Of the last batch; before the first one, more than any asks for. */
    private long askedAgain = Long.MAX_VALUE;

    private long hostLines = Long.MAX_VALUE;

    /**
     * @param tables stay the caller's
     * @param allocator of memory that the queue copies
     */
    LookupHead(DeviceTables tables, BufferAllocator allocator) {
        this.tables = tables;
        int count = tables.all().size();
        head = allocator.buffer(new LookupLayout(NOTHING, count, 0, false, false).headBytes(count));
    }

    /** Where it is copied to. */
    long address() {
        return head.memoryAddress();
    }

    private int at(long field) {
        return MemoryUtil.getInt(head.memoryAddress() + field);
    }

    /** Whether a bag is not what it has to be. */
    boolean isBad() {
        return at(LookupAbi.LOOKUP_HEADER_BAD_BAGS) != 0;
    }

    /** Whether a bag is not combined, or one launch has left the batch to others. */
    boolean isUncombined() {
        return at(LookupAbi.LOOKUP_HEADER_UNCOMBINED) != 0;
    }

    /** How many values it has. */
    long values() {
        return MemoryUtil.getLong(head.memoryAddress() + LookupAbi.LOOKUP_HEADER_BAG_VALUES)
                + MemoryUtil.getLong(head.memoryAddress() + LookupAbi.LOOKUP_HEADER_ID_VALUES);
    }

    int diskReads() {
        return at(LookupAbi.LOOKUP_HEADER_DISK_READS);
    }

    /** The lines that these take. */
    int diskLines() {
        return at(LookupAbi.LOOKUP_HEADER_DISK_LINES);
    }

    /**
     * Adds a batch to what is watched of the tables.
     *
     * @param counts where they start, from the header on
     * @param isDirect whether vectors of the host were read as often as they were asked for
     * @param diskNanos what it waited for disks
     */
    void addCounts(long counts, boolean isDirect, long diskNanos) {
        askedAgain = 0;
        hostLines = 0;
        for (int i = 0; i < tables.all().size(); i++) {
            long table = counts + (long) LookupAbi.LOOKUP_COUNTS_BYTES * i;
            VectorShape shape = tables.all().get(i).shape();
            long missing = at(table + LookupAbi.LOOKUP_COUNTS_MISSING);
            long device = at(table + LookupAbi.LOOKUP_COUNTS_DEVICE);
            long host = at(table + LookupAbi.LOOKUP_COUNTS_HOST);
            long disk = at(table + LookupAbi.LOOKUP_COUNTS_DISK);
            long hostUnique = at(table + LookupAbi.LOOKUP_COUNTS_HOST_UNIQUE);
            long diskUnique = at(table + LookupAbi.LOOKUP_COUNTS_DISK_UNIQUE);
            add(i, TableGauge.LOOKUPS, missing + device + host + disk);
            add(i, TableGauge.UNIQUE, at(table + LookupAbi.LOOKUP_COUNTS_UNIQUE));
            add(i, TableGauge.MISSING, missing);
            add(i, TableGauge.DEVICE_HITS, device);
            add(i, TableGauge.HOST_HITS, host);
            add(i, TableGauge.DISK_HITS, disk);
            add(i, TableGauge.DISK_READS, diskUnique);
            if (diskUnique > 0) {
                tables.gauges().waited(i, diskNanos);
            }
            add(i, TableGauge.LINK_BYTES, (isDirect ? host : hostUnique) * shape.stride());
            add(i, TableGauge.NAN_WEIGHTS, at(table + LookupAbi.LOOKUP_COUNTS_NAN_WEIGHTS));
            askedAgain += (host - hostUnique) * shape.lines();
            hostLines += hostUnique * shape.lines();
        }
    }

    /** Lines of host memory that the batch before asked for more than once. */
    long askedAgain() {
        return askedAgain;
    }

    /** Different lines of host memory that it asked for. */
    long hostLines() {
        return hostLines;
    }

    private void add(int table, TableGauge gauge, long count) {
        if (count > 0) {
            tables.gauges().add(table, gauge, count);
        }
    }

    @Override
    public void close() {
        head.close();
    }
}
