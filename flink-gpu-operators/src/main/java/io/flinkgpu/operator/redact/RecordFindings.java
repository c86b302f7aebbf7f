package io.flinkgpu.operator.redact;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.RowFinding;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.List;

/** Sends the findings of records as they are emitted. Task thread only. */
final class RecordFindings<T> {

    private final FindingOutput output;
    private final List<String> fields;
    private RedactedBatch part;
    private int next;
    private long records;

    /** Of the record under way: its rows, and their bytes, in earlier parts. */
    private int earlierRows;

    private long earlierBytes;

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

    /** Sends what a part has of a record. */
    void emit(StreamRecord<T> record, int firstRow, int rows, boolean last) {
        List<RowFinding> findings = part.findings();
        // Those of a record that was refused are before it.
        while (next < findings.size() && findings.get(next).row() < firstRow) {
            next++;
        }
        int firstStart = part.inputStart(firstRow);
        Long timestamp = record.hasTimestamp() ? record.getTimestamp() : null;
        for (; next < findings.size() && findings.get(next).row() < firstRow + rows; next++) {
            RowFinding found = findings.get(next);
            if (record.getValue() instanceof LineChunk chunk) {
                long line =
                        chunk.offsetBytes()
                                + earlierBytes
                                + part.inputStart(found.row())
                                - firstStart;
                output.send(found, chunk.file(), line, timestamp);
            } else {
                String field = fields.get(earlierRows + found.row() - firstRow);
                output.send(found, field, records + 1, timestamp);
            }
        }
        earlierRows += rows;
        earlierBytes += part.inputStart(firstRow + rows) - firstStart;
        if (last) {
            records++;
            endRecord();
        }
    }

    /** Forgets the record under way. */
    void endRecord() {
        earlierRows = 0;
        earlierBytes = 0;
    }
}
