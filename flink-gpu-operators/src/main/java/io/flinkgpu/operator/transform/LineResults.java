package io.flinkgpu.operator.transform;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.DeviceTime;
import io.flinkgpu.operator.SplitText;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.vector.FieldVector;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Emits each chunk with the lines that were made of its lines. */
final class LineResults implements BatchEmitter<LineChunk, TransformedBatch> {

    private final Output<StreamRecord<LineChunk>> output;
    private final DeviceTime deviceTime;
    private FieldVector vector;
    private TextView text;
    private boolean hasNulls;

    /** The lines of the chunk under way that were in earlier parts. */
    private final SplitText earlierLines = new SplitText();

    LineResults(BatchContext<LineChunk, LineChunk> context) {
        this.output = context.output();
        this.deviceTime = new DeviceTime(context.metrics());
    }

    @Override
    public int start(TransformedBatch part) {
        deviceTime.add(part.deviceNanos());
        vector = part.columns().vector(0);
        text = part.columns().text(0);
        hasNulls = vector.getNullCount() > 0;
        return text.rows();
    }

    @Override
    public void emit(StreamRecord<LineChunk> record, int firstRow, int rows, boolean last) {
        if (!last) {
            earlierLines.add(lines(firstRow, firstRow + rows));
            return;
        }
        byte[] lines = earlierLines.take(lines(firstRow, firstRow + rows));
        LineChunk chunk = record.getValue();
        boolean lastLineIsKept = rows > 0 && !vector.isNull(firstRow + rows - 1);
        if (lastLineIsKept && !chunk.isTerminated()) {
            lines = Arrays.copyOf(lines, lines.length - 1);
        }
        output.collect(record.replace(chunk.withBytes(lines)));
    }

    private byte[] lines(int from, int to) {
        if (from == to) {
            return new byte[0];
        }
        if (!hasNulls) {
            return text.copy(text.start(from), text.start(to));
        }
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (int row = from; row < to; row++) {
            if (!vector.isNull(row)) {
                lines.writeBytes(text.copy(text.start(row), text.start(row + 1)));
            }
        }
        return lines.toByteArray();
    }
}
