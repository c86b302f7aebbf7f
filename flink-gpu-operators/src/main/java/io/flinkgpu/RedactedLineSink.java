package io.flinkgpu;

import io.flinkgpu.api.LineChunk;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SideOutputDataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.flink.util.OutputTag;

/**
 * A sink of lines and the redaction before it as the one that they are to the user, which {@link
 * GpuStreams#redactLinesTo} makes.
 */
@PublicEvolving
public final class RedactedLineSink extends DataStreamSink<LineChunk> {

    private final SingleOutputStreamOperator<LineChunk> redaction;

    /**
     * @param sink of what the redaction emits
     */
    RedactedLineSink(
            SingleOutputStreamOperator<LineChunk> redaction, DataStreamSink<LineChunk> sink) {
        super((PhysicalTransformation<LineChunk>) sink.getTransformation());
        this.redaction = redaction;
    }

    /** A side output of the redaction. */
    public <X> SideOutputDataStream<X> getSideOutput(OutputTag<X> tag) {
        return redaction.getSideOutput(JobChecks.copy(tag));
    }

    @Override
    public RedactedLineSink uid(String uid) {
        redaction.uid(uid + "-redaction");
        super.uid(uid);
        return this;
    }
}
