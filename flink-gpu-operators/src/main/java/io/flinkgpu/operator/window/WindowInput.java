package io.flinkgpu.operator.window;

import io.flinkgpu.groups.GroupBlock;

import org.apache.flink.annotation.Internal;

import java.util.Objects;

/**
 * What is sent to the subtask of a key: a raw record, whose timestamp is that of the stream's record, or
 * a block of rows and groups whose keys are of one key group. It lives between two operators only and is
 * never in state.
 *
 * @param record null of a block, and if the record is
 * @param key of a block the key of its first record; null of a raw record
 * @param block null of a raw record
 * @param <K> the key
 * @param <T> the record
 */
@Internal
public record WindowInput<K, T>(T record, K key, GroupBlock block) {

    /**
     * A record as it came.
     *
     * @param record may be null
     */
    public static <K, T> WindowInput<K, T> raw(T record) {
        return new WindowInput<>(record, null, null);
    }

    /**
     * A block.
     *
     * @param key of its first record, not null
     */
    public static <K, T> WindowInput<K, T> block(K key, GroupBlock block) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(block, "block");
        return new WindowInput<>(null, key, block);
    }

    /** Whether this is a record; if not, it is a block. */
    public boolean isRaw() {
        return block == null;
    }

    @Override
    public String toString() {
        return isRaw() ? "WindowInput[raw]" : "WindowInput[" + block + "]";
    }
}
