package io.flinkgpu;

import io.flinkgpu.api.LineChunk;

import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;

/** A sink and the redaction before it as the one that they are to the user. */
final class RedactedLineSink extends DataStreamSink<LineChunk> {

    private final SingleOutputStreamOperator<LineChunk> redaction;

    /**
     * @param sink of what the redaction emits
     */
    RedactedLineSink(
            SingleOutputStreamOperator<LineChunk> redaction, DataStreamSink<LineChunk> sink) {
        super((PhysicalTransformation<LineChunk>) sink.getTransformation());
        this.redaction = redaction;
    }

    @Override
    public DataStreamSink<LineChunk> uid(String uid) {
        redaction.uid(uid + "-redaction");
        return super.uid(uid);
    }
}
