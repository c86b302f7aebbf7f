package io.flinkgpu.operator.redact;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.RowFinding;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.ArrayList;
import java.util.List;

/** Sends the findings of records that are emitted, before these. Task thread only. */
final class RecordFindings<T> {

    private final FindingOutput output;
    private final List<String> fields;
    private RedactedBatch part;
    private int next;
    private long records;

    /** Of the record under way: its rows, and their bytes, in earlier parts. */
    private int earlierRows;

    private long earlierBytes;

    private final List<Kept> kept = new ArrayList<>();

    /**
     * A finding of the record under way.
     *
     * @param record as {@link io.flinkgpu.api.Finding} has it, like the source
     */
    private record Kept(RowFinding found, String source, long record) {}

    /**
     * @param fields the names of a record's texts, in the order of its rows; none of chunks of lines
     */
    RecordFindings(FindingOutput output, List<String> fields) {
        this.output = output;
        this.fields = fields;
    }

    void start(RedactedBatch part) {
        this.part = part;
        next = 0;
    }

    /** Keeps what a part has of a record until its end. */
    void add(StreamRecord<T> record, int firstRow, int rows) {
        List<RowFinding> findings = part.findings();
        // Those of a record that was refused are before it.
        while (next < findings.size() && findings.get(next).row() < firstRow) {
            next++;
        }
        int firstStart = part.inputStart(firstRow);
        for (; next < findings.size() && findings.get(next).row() < firstRow + rows; next++) {
            RowFinding found = findings.get(next);
            if (record.getValue() instanceof LineChunk chunk) {
                long line =
                        chunk.offsetBytes()
                                + earlierBytes
                                + part.inputStart(found.row())
                                - firstStart;
                kept.add(new Kept(found, chunk.file(), line));
            } else {
                String field = fields.get(earlierRows + found.row() - firstRow);
                kept.add(new Kept(found, field, records + 1));
            }
        }
        earlierRows += rows;
        earlierBytes += part.inputStart(firstRow + rows) - firstStart;
    }

    /** Ends a record: sends what was found in it if it is emitted. */
    void end(StreamRecord<T> record, boolean isEmitted) {
        if (isEmitted) {
            records++;
            Long timestamp = record.hasTimestamp() ? record.getTimestamp() : null;
            kept.forEach(one -> output.send(one.found, one.source, one.record, timestamp));
        }
        kept.clear();
        earlierRows = 0;
        earlierBytes = 0;
    }
}
