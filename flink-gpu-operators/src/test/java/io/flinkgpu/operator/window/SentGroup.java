package io.flinkgpu.operator.window;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.groups.BlockReader;
import io.flinkgpu.groups.BlockWriter;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.state.Partial;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

import java.util.ArrayList;
import java.util.List;

/**
 * A record of a block, as an object.
 *
 * @param isGroup false if it is a row
 */
public record SentGroup<K>(
        K key, long startMillis, long endMillis, boolean isGroup, Partial partial) {

    /** The records of a block, in order. */
    public static <K> List<SentGroup<K>> in(
            WindowInput<K, ?> block, KeyCodec<K> codec, List<ValueSpec> values) {
        List<SentGroup<K>> all = new ArrayList<>();
        BlockReader reader = new BlockReader(values).open(block.block());
        while (reader.next()) {
            Partial partial = new Partial(values);
            reader.addTo(partial);
            all.add(
                    new SentGroup<>(
                            codec.read(reader.bytes(), reader.keyAt(), reader.keyLength()),
                            reader.start(),
                            reader.end(),
                            reader.isGroup(),
                            partial));
        }
        if (all.size() != block.block().records() || !all.get(0).key().equals(block.key())) {
            throw new AssertionError("another first key or number of records: " + block);
        }
        return all;
    }

    /** A block of one group. */
    public static <K, T> WindowInput<K, T> block(
            K key,
            long startMillis,
            long endMillis,
            Partial partial,
            KeyCodec<K> codec,
            int keyGroups,
            List<ValueSpec> values) {
        BlockWriter writer =
                new BlockWriter(KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups), values);
        KeyBytes bytes = new KeyBytes();
        codec.write(key, bytes);
        writer.group(bytes, startMillis, endMillis, new PartialSource(values.size()).open(partial));
        return WindowInput.block(key, writer.take());
    }
}
