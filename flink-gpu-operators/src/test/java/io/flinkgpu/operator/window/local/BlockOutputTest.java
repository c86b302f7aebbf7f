package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.operator.window.LiveHeap;
import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is added comes out, in blocks whose keys are of one key group.
 *
 * <p>Covers: BlockOutput.
 */
class BlockOutputTest {

    private static final int KEY_GROUPS = 5;
    private static final List<ValueSpec> VALUES =
            Aggregates.of((Long number) -> number).sum().min().specs();

    private final KeyCodec<Long> codec = KeyCodec.of(LongSerializer.INSTANCE);
    private final KeyBytes bytes = new KeyBytes();
    private final RowValues row = new RowValues(1);
    private final List<WindowInput<Long, Long>> sent = new ArrayList<>();
    private final BlockOutput<Long, Long> output =
            new BlockOutput<>(VALUES, codec, KEY_GROUPS, false, new Collected());

    @Test
    void whatIsAddedComesOut() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, Partial> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            long key = random.nextInt(300);
            long start = 10L * random.nextInt(3);
            row.putWord(0, random.nextInt());
            Partial partial = expected.computeIfAbsent(key + "@" + start, k -> new Partial(VALUES));
            partial.add(0, row.word(0));
            if (random.nextBoolean()) {
                addRow(key, start);
            } else {
                Partial group = new Partial(VALUES);
                group.add(0, row.word(0));
                codec.write(key, bytes);
                output.group(
                        output.keyGroup(key),
                        bytes,
                        start,
                        start + 10,
                        new PartialSource(1).open(group));
            }
            if (random.nextInt(1000) == 0) {
                output.flush();
            }
        }
        output.flush();
        Map<String, Partial> actual = new HashMap<>();
        for (WindowInput<Long, Long> block : sent) {
            for (SentGroup<Long> group : SentGroup.in(block, codec, VALUES)) {
                assertThat(block.block().keyGroup()).isEqualTo(keyGroup(group.key()));
                assertThat(group.endMillis()).isEqualTo(group.startMillis() + 10);
                actual.computeIfAbsent(
                                group.key() + "@" + group.startMillis(), k -> new Partial(VALUES))
                        .merge(group.partial());
            }
        }
        assertThat(actual).as("seed=%d", seed).isEqualTo(expected);
    }

    @Test
    void onlyFullBlocksLeaveBeforeAFlush() {
        addRow(1, 0);
        long other = 2;
        while (keyGroup(other) == keyGroup(1)) {
            other++;
        }
        assertThat(sent).isEmpty();
        for (int i = 0; sent.isEmpty(); i++) {
            assertThat(i).isLessThan(100_000);
            addRow(other, 0);
        }
        assertThat(sent).hasSize(1);
        assertThat(sent.get(0).key()).isEqualTo(other);
        output.flush();
        assertThat(sent).hasSize(2);
        assertThat(sent.get(1).key()).isEqualTo(1);
        assertThat(sent.get(1).block().records()).isEqualTo(1);
        output.flush();
        assertThat(sent).hasSize(2);
    }

    /** The arrays of 128 blocks that were full would be 4 MiB and more. */
    @Test
    void whatWasSentIsNotKept() {
        BlockOutput<Long, Long> many =
                new BlockOutput<>(VALUES, codec, 128, false, new Collected());
        codec.write(1L, bytes);
        row.putWord(0, 1);
        long before = LiveHeap.bytes();
        for (int keyGroup = 0; keyGroup < 128; keyGroup++) {
            for (int i = 0; i < 3_000; i++) {
                many.row(keyGroup, bytes, 0, 10, row);
            }
        }
        many.flush();
        assertThat(sent).hasSizeGreaterThan(128);
        sent.clear();
        assertThat(LiveHeap.bytes() - before).isLessThan(1 << 20);
        many.flush();
        assertThat(sent).isEmpty();
    }

    /** Its input is sorted by key, and a block by the key of its first record. */
    @Test
    void inBatchExecutionABlockIsOfOneRecord() {
        BlockOutput<Long, Long> ofBatch =
                new BlockOutput<>(VALUES, codec, KEY_GROUPS, true, new Collected());
        codec.write(1L, bytes);
        ofBatch.row(0, bytes, 0, 10, row);
        ofBatch.row(0, bytes, 0, 10, row);
        assertThat(sent).hasSize(2);
        ofBatch.flush();
        assertThat(sent).hasSize(2);
    }

    private void addRow(long key, long start) {
        codec.write(key, bytes);
        output.row(output.keyGroup(key), bytes, start, start + 10, row);
    }

    private static int keyGroup(long key) {
        return KeyGroupRangeAssignment.assignToKeyGroup(key, KEY_GROUPS);
    }

    /** Adds to {@link #sent}. */
    private final class Collected implements Output<StreamRecord<WindowInput<Long, Long>>> {

        @Override
        public void collect(StreamRecord<WindowInput<Long, Long>> record) {
            assertThat(record.hasTimestamp()).isFalse();
            sent.add(record.getValue());
        }

        @Override
        public <X> void collect(OutputTag<X> tag, StreamRecord<X> record) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void emitWatermark(Watermark mark) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void emitWatermarkStatus(WatermarkStatus status) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void emitLatencyMarker(LatencyMarker marker) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void emitRecordAttributes(RecordAttributes attributes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void emitWatermark(WatermarkEvent watermark) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
