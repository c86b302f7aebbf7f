package io.flinkgpu;

import io.flinkgpu.api.RefusedRecord;

import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Sends records to a side output. */
final class ToSide extends ProcessFunction<RefusedRecord, RefusedRecord> {

    private static final long serialVersionUID = 1L;

    private final OutputTag<RefusedRecord> tag;

    ToSide(OutputTag<RefusedRecord> tag) {
        this.tag = tag;
    }

    @Override
    public void processElement(
            RefusedRecord record, Context context, Collector<RefusedRecord> out) {
        context.output(tag, record);
    }
}
