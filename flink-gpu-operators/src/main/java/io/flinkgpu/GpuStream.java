package io.flinkgpu;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.operator.window.StableKeys;

import org.apache.flink.api.common.InvalidProgramException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.apache.flink.streaming.api.datastream.DataStream;

/** A stream whose next operators are ours. */
public final class GpuStream<T> {

    private final DataStream<T> stream;
    private final GpuOptions options;

    GpuStream(DataStream<T> stream, GpuOptions options) {
        this.stream = stream;
        this.options = options;
    }

    /** Backend, batches and memory of the operators; {@link GpuOptions#DEFAULT} if not called. */
    public GpuStream<T> withOptions(GpuOptions options) {
        return new GpuStream<>(stream, options);
    }

    /**
     * Groups records by a key, as {@link DataStream#keyBy(KeySelector)} does. Keys may also be enums
     * and byte arrays, which Flink's keyBy refuses; they are compared by name and by content.
     *
     * @throws IllegalArgumentException if the selector cannot be serialized
     * @throws InvalidProgramException for another type of keys that Flink's keyBy refuses
     */
    public <K> KeyedGpuStream<T, K> keyBy(KeySelector<T, K> selector) {
        return keyBy(selector, TypeExtractor.getKeySelectorTypes(selector, stream.getType()));
    }

    /**
     * Groups records by a key of a type that cannot be inferred.
     *
     * @throws IllegalArgumentException if the selector cannot be serialized
     * @throws InvalidProgramException for a type of keys that Flink's keyBy refuses, as above
     */
    public <K> KeyedGpuStream<T, K> keyBy(KeySelector<T, K> selector, TypeInformation<K> keyType) {
        KeySelector<T, K> cleaned =
                GpuStreams.cleaned(stream.getExecutionEnvironment(), "selector", selector);
        StableKeys<K, ?> keys = StableKeys.of(keyType);
        requireKeyType(cleaned, keys);
        return new KeyedGpuStream<>(stream, options, cleaned, keys);
    }

    /** Lets Flink check the type now, where the user has named it. */
    private <K, S> void requireKeyType(KeySelector<T, K> selector, StableKeys<K, S> keys) {
        stream.keyBy(keys.selector(selector), keys.stableType());
    }
}
