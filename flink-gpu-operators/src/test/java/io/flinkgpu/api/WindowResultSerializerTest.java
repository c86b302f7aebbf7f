package io.flinkgpu.api;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Flink's contract suite for serializers, and which snapshots fit.
 *
 * <p>Covers: WindowResultSerializer, ResultFormat.
 */
class WindowResultSerializerTest extends SerializerTestBase<WindowResult<String>> {

    private static final List<ValueSpec> SPECS = specs("d");

    @Override
    protected TypeSerializer<WindowResult<String>> createSerializer() {
        return new WindowResultTypeInfo<>(Types.STRING, SPECS)
                .createSerializer(new SerializerConfigImpl());
    }

    @Override
    protected int getLength() {
        return -1;
    }

    @Override
    protected Class<WindowResult<String>> getTypeClass() {
        return new WindowResultTypeInfo<>(Types.STRING, SPECS).getTypeClass();
    }

    @Override
    protected boolean allowNullInstances(TypeSerializer<WindowResult<String>> serializer) {
        return true;
    }

    // An array of a generic class cannot be made otherwise.
    @SuppressWarnings("unchecked")
    @Override
    protected WindowResult<String>[] getTestData() {
        ResultSchema schema = new ResultSchema(SPECS);
        Object[] nulls = new Object[schema.size()];
        Object[] values = {
            Integer.MIN_VALUE,
            0.5,
            1,
            7L,
            2L,
            0.25,
            0.5,
            Double.NaN,
            null, //
            Long.MAX_VALUE,
            -0.0,
            3L,
            Long.MIN_VALUE,
            0L,
            0.25,
            0.5,
            Double.NaN,
            null, //
            1.5f,
            Double.NaN,
            -0f,
            2.5,
            1L,
            0.25,
            0.5,
            Double.NaN,
            null, //
            1.0,
            1.0,
            Double.POSITIVE_INFINITY,
            1e-320,
            1L,
            0.25,
            0.5,
            Double.NaN,
            null, //
            new BigDecimal("0.1"),
            new BigDecimal("-0.123457"),
            new BigDecimal("99999999999999999.9"),
            new BigDecimal("-170141183460469231731687303715884105727.9"),
            5L,
            1e-9,
            1e9,
            0.0,
            1.5
        };
        return (WindowResult<String>[])
                new WindowResult<?>[] {
                    new WindowResult<>("", 0, 1, new AggregateValues(schema, nulls)),
                    new WindowResult<>("key", 60_000, 120_000, new AggregateValues(schema, values)),
                    new WindowResult<>(
                            "global",
                            Long.MIN_VALUE,
                            Long.MAX_VALUE,
                            new AggregateValues(schema, values.clone()))
                };
    }

    @Test
    void aSnapshotFitsItsOwnSchemaOnly() throws IOException {
        assertThat(fits(serializer(SPECS), serializer(specs("d")))).isTrue();
        assertThat(fits(serializer(SPECS), serializer(specs("other")))).isFalse();
        assertThat(fits(serializer(SPECS), serializer(SPECS.subList(0, 3)))).isFalse();
    }

    @Test
    void textsAndListsAreReadAsTheyWereWritten() throws IOException {
        List<ValueSpec> specs =
                List.of(
                        new ValueSpec(
                                "v",
                                ColumnType.TEXT,
                                List.of(
                                        new CellAggregate(CellAggregate.Kind.MIN, "", null, 0),
                                        Aggregate.COUNT,
                                        new CellAggregate(
                                                CellAggregate.Kind.TOP,
                                                "top",
                                                ColumnType.decimal(9, 2),
                                                3),
                                        new CellAggregate(
                                                CellAggregate.Kind.ARG_MIN,
                                                "at",
                                                ColumnType.FLOAT,
                                                0),
                                        new CellAggregate(
                                                CellAggregate.Kind.DISTINCT_SKETCH,
                                                "",
                                                null,
                                                12))));
        TypeSerializer<WindowResult<String>> serializer = serializer(specs);
        assertThat(fits(serializer, serializer)).isTrue();
        Object[] values = {
            "\ud800 \u00e9",
            3L,
            Arrays.asList(new BigDecimal("1.50"), null),
            Float.NaN,
            new byte[] {2, 1, 7}
        };
        WindowResult<String> result =
                new WindowResult<>("key", 0, 1, new AggregateValues(specs, values));
        DataOutputSerializer target = new DataOutputSerializer(64);
        serializer.serialize(result, target);
        WindowResult<String> read =
                serializer.deserialize(new DataInputDeserializer(target.getCopyOfBuffer()));
        assertThat(read).isEqualTo(result);
        assertThat(read.values().getText("v_min")).isEqualTo(values[0]);
        assertThat(read.values().getList("top")).isEqualTo(values[2]);
        assertThat(read.values().get("at")).isEqualTo(Float.NaN);
    }

    @Test
    void resultsOfAnotherTypeAreRefused() {
        AggregateValues other =
                new AggregateValues(SPECS.subList(0, 1), new Object[Aggregate.values().length]);
        assertThatThrownBy(
                        () ->
                                serializer(SPECS)
                                        .serialize(
                                                new WindowResult<>("key", 0, 1, other),
                                                new DataOutputSerializer(64)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give the stream the type of its aggregates");
    }

    @Test
    void theKeysSerializerIsPartOfIt() {
        assertThat(serializer(SPECS))
                .isNotEqualTo(
                        new WindowResultSerializer<>(
                                LongSerializer.INSTANCE, new ResultSchema(SPECS)));
        assertThat(new WindowResultTypeInfo<>(Types.STRING, SPECS))
                .isEqualTo(new WindowResultTypeInfo<>(Types.STRING, specs("d")))
                .isNotEqualTo(new WindowResultTypeInfo<>(Types.LONG, SPECS));
    }

    @Test
    void aKeyIsNotNull() {
        assertThatThrownBy(
                        () ->
                                new WindowResult<>(
                                        null, 0, 1, new AggregateValues(List.of(), new Object[0])))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("key");
    }

    @Test
    void arraysAsKeysAreComparedByContent() {
        AggregateValues none = new AggregateValues(List.of(), new Object[0]);
        WindowResult<byte[]> result = new WindowResult<>(new byte[] {1}, 0, 1, none);
        assertThat(result).isEqualTo(new WindowResult<>(new byte[] {1}, 0, 1, none));
        assertThat(result).hasSameHashCodeAs(new WindowResult<>(new byte[] {1}, 0, 1, none));
        assertThat(result).isNotEqualTo(new WindowResult<>(new byte[] {2}, 0, 1, none));
        assertThat(result).hasToString("WindowResult[byte[], [0, 1), []]");
    }

    private static boolean fits(
            TypeSerializer<WindowResult<String>> before, TypeSerializer<WindowResult<String>> now)
            throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(64);
        TypeSerializerSnapshot.writeVersionedSnapshot(target, before.snapshotConfiguration());
        TypeSerializerSnapshot<WindowResult<String>> read =
                TypeSerializerSnapshot.readVersionedSnapshot(
                        new DataInputDeserializer(target.getCopyOfBuffer()),
                        WindowResultSerializerTest.class.getClassLoader());
        assertThat(read.restoreSerializer()).isEqualTo(before);
        return now.snapshotConfiguration().resolveSchemaCompatibility(read).isCompatibleAsIs();
    }

    private static TypeSerializer<WindowResult<String>> serializer(List<ValueSpec> specs) {
        return new WindowResultSerializer<>(StringSerializer.INSTANCE, new ResultSchema(specs));
    }

    private static List<ValueSpec> specs(String doubleName) {
        List<Aggregate> all = List.of(Aggregate.values());
        List<ValueSpec> specs = new ArrayList<>();
        specs.add(new ValueSpec("i", ColumnType.INT, all));
        specs.add(new ValueSpec("l", ColumnType.LONG, all));
        specs.add(new ValueSpec("f", ColumnType.FLOAT, all));
        specs.add(new ValueSpec(doubleName, ColumnType.DOUBLE, all));
        specs.add(new ValueSpec("m", ColumnType.decimal(18, 1), all));
        return specs;
    }
}
