package io.flinkgpu;

import io.flinkgpu.api.GpuOptions;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;

/** A stream grouped by a key. */
public final class KeyedGpuStream<T, K> {

    private final DataStream<T> stream;
    private final GpuOptions options;
    private final KeySelector<T, K> selector;
    private final TypeInformation<K> keyType;

    KeyedGpuStream(
            DataStream<T> stream,
            GpuOptions options,
            KeySelector<T, K> selector,
            TypeInformation<K> keyType) {
        this.stream = stream;
        this.options = options;
        this.selector = selector;
        this.keyType = keyType;
    }

    /**
     * Cuts the stream into windows with one of Flink's assigners and its default trigger: tumbling and
     * sliding windows in event time or processing time, event-time sessions with a fixed gap, and
     * {@code GlobalWindows.createWithEndOfStreamTrigger()}.
     *
     * @throws IllegalArgumentException for any other assigner, naming Flink's own operator as the way
     */
    public WindowedGpuStream<T, K> window(WindowAssigner<? super T, ?> assigner) {
        throw new UnsupportedOperationException();
    }
}
