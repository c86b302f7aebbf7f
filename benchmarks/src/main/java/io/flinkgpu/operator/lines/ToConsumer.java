package io.flinkgpu.operator.lines;

import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;

import java.util.function.Consumer;

/** Gives the values of records to a consumer, and drops all else. */
record ToConsumer<T>(Consumer<T> to) implements Output<StreamRecord<T>> {

    @Override
    public void collect(StreamRecord<T> element) {
        to.accept(element.getValue());
    }

    @Override
    public <X> void collect(OutputTag<X> tag, StreamRecord<X> element) {}

    @Override
    public void emitWatermark(Watermark mark) {}

    @Override
    public void emitWatermarkStatus(WatermarkStatus status) {}

    @Override
    public void emitLatencyMarker(LatencyMarker marker) {}

    @Override
    public void emitRecordAttributes(RecordAttributes attributes) {}

    @Override
    public void emitWatermark(WatermarkEvent event) {}

    @Override
    public void close() {}
}
