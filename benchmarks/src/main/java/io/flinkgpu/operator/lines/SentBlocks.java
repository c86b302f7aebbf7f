package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.bench.GivenAggregation;
import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowInputTypeInfo;
import io.flinkgpu.operator.window.local.BlockOutput;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.util.MockStreamingRuntimeContext;
import org.apache.flink.types.Row;

import java.util.ArrayList;
import java.util.List;

/** The way of a {@link GivenAggregation}'s groups from the lines' subtask to the tables of windows, without a job. */
final class SentBlocks {

    static final List<ValueSpec> VALUES = GivenAggregation.AGGREGATES.specs();

    private static final int KEY_GROUPS = 128;

    private final List<WindowInput<String, Row>> sent = new ArrayList<>();
    private final ToConsumer<WindowInput<String, Row>> blocks = new ToConsumer<>(sent::add);
    private final TypeSerializer<WindowInput<String, Row>> serializer =
            new WindowInputTypeInfo<>(Types.STRING, Types.ROW(Types.STRING, Types.BIG_DEC))
                    .createSerializer(new SerializerConfigImpl());

    /** What sends them, the caller's to close. */
    LineOutput output(LineAggregateSpec spec) throws Exception {
        return new LineOutput(
                spec,
                blocks,
                new LineMetrics(
                        UnregisteredMetricsGroup.createOperatorMetricGroup(),
                        new MockStreamingRuntimeContext(
                                1, 0, new MockEnvironmentBuilder().build())),
                new OwnWatermarks(blocks),
                new BlockOutput<>(
                        VALUES, KeyCodec.of(StringSerializer.INSTANCE), KEY_GROUPS, false, blocks),
                ErrorValues.of(ErrorDetail.FULL));
    }

    /** Forgets what was sent. */
    void clear() {
        sent.clear();
    }

    /** Writes and reads what was sent, without the network's own copies. */
    void cross(List<WindowInput<String, Row>> received) throws Exception {
        DataOutputSerializer target = new DataOutputSerializer(1 << 16);
        DataInputDeserializer source = new DataInputDeserializer();
        for (WindowInput<String, Row> input : sent) {
            target.clear();
            serializer.serialize(input, target);
            source.setBuffer(target.getSharedBuffer(), 0, target.length());
            received.add(serializer.deserialize(source));
        }
    }

    /**
     * Adds what was received to the tables of the windows' subtasks.
     *
     * @param windows one table for each subtask
     */
    static void add(
            GroupTables tables, List<GroupTable> windows, List<WindowInput<String, Row>> received)
            throws Exception {
        for (WindowInput<String, Row> input : received) {
            GroupBlock block = input.block();
            GroupTable table = windows.get(block.keyGroup() * windows.size() / KEY_GROUPS);
            tables.add(block, (start, end) -> table, (to, group) -> {});
        }
    }
}
