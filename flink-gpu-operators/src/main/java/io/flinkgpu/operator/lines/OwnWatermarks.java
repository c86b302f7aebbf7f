package io.flinkgpu.operator.lines;

import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.FlushReason;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

/** Emits the watermarks that an operator makes of lines. Task thread only. */
final class OwnWatermarks {

    private final Output<?> output;

    /** Whether downstream was notified that this input is idle. */
    private boolean isIdle;

    OwnWatermarks(Output<?> output) {
        this.output = output;
    }

    /** Takes note of what is passed on. */
    void status(WatermarkStatus status) {
        isIdle = status.isIdle();
    }

    /** Of the source's own watermarks only the last is passed on, after all that is before it. */
    void source(Watermark mark, BatchEngine<?, ?> engine) throws Exception {
        if (mark.equals(Watermark.MAX_WATERMARK)) {
            engine.drain(FlushReason.WATERMARK);
            emit(mark);
        }
    }

    /** An idle input's lines come before it says that it is active, and watermarks of idle ones are lost. */
    void emit(Watermark mark) {
        if (isIdle) {
            isIdle = false;
            output.emitWatermarkStatus(WatermarkStatus.ACTIVE);
        }
        output.emitWatermark(mark);
    }
}
