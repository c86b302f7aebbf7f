package io.flinkgpu.sql.aggregate;

import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.operator.lines.LinePartials;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.runtime.util.StreamRecordCollector;

import org.apache.arrow.memory.RootAllocator;

/**
 * Groups of lines by key and slice, until a slice ends: then all are sent, as Flink's operator of local windows does
 * with its buffer. Task thread only.
 */
final class SlicedLines implements LinePartials {

    private final long sliceMillis;
    private final LocalGroups groups;
    private final BinaryRowData keyRow = new BinaryRowData(1);
    private final BinaryRowWriter writer = new BinaryRowWriter(keyRow);
    private byte[] keyArray;
    private MemorySegment keySegment;
    private long firstEnd = Long.MAX_VALUE;

    SlicedLines(LinesAggregation lines, Output<StreamRecord<RowData>> output) {
        sliceMillis = lines.sliceMillis();
        groups =
                new LocalGroups(
                        lines.aggregation(),
                        lines.specs(),
                        new RootAllocator(lines.maxBytes()),
                        "set gpu.sql.exclude to TableSourceScan",
                        new RowOutput(lines.aggregation(), new StreamRecordCollector<>(output)));
    }

    @Override
    public void merge(KeyBytes key, long slice, GroupSource group) throws Exception {
        groups.merge(row(key), end(slice), group);
    }

    @Override
    public void add(KeyBytes key, long slice, RowValues values) throws Exception {
        groups.add(row(key), end(slice), values);
    }

    private long end(long slice) {
        long end = slice + sliceMillis;
        firstEnd = Math.min(firstEnd, end);
        return end;
    }

    private BinaryRowData row(KeyBytes key) {
        if (keyArray != key.array()) {
            keyArray = key.array();
            keySegment = MemorySegmentFactory.wrap(keyArray);
        }
        writer.reset();
        writer.writeString(
                0, BinaryStringData.fromAddress(new MemorySegment[] {keySegment}, 0, key.length()));
        writer.complete();
        return keyRow;
    }

    @Override
    public void advance(long watermark) throws Exception {
        if (watermark >= firstEnd - 1) {
            flush();
        }
    }

    @Override
    public void flush() throws Exception {
        groups.sendAll();
        firstEnd = Long.MAX_VALUE;
    }

    @Override
    public void close() {
        groups.close();
    }
}
