package io.flinkgpu.api;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flink's contract suite, with results of several aggregates, and how Flink finds the type.
 *
 * <p>Covers: DescribedResultSerializer.
 */
class DescribedResultSerializerTest extends SerializerTestBase<WindowResult<String>> {

    private static final TypeInformation<WindowResult<String>> TYPE =
            new WindowResultTypeInfo<>(Types.STRING);

    @Override
    protected TypeSerializer<WindowResult<String>> createSerializer() {
        return TYPE.createSerializer(new SerializerConfigImpl());
    }

    @Override
    protected int getLength() {
        return -1;
    }

    @Override
    protected Class<WindowResult<String>> getTypeClass() {
        return TYPE.getTypeClass();
    }

    @Override
    protected boolean allowNullInstances(TypeSerializer<WindowResult<String>> serializer) {
        return true;
    }

    // An array of a generic class cannot be made otherwise.
    @SuppressWarnings("unchecked")
    @Override
    protected WindowResult<String>[] getTestData() {
        return (WindowResult<String>[])
                new WindowResult<?>[] {
                    new WindowResult<>("", 0, 1, values("t", -0.0, null)),
                    new WindowResult<>("key", 0, 1, values("t", null, 7L)),
                    new WindowResult<>(
                            "global", Long.MIN_VALUE, Long.MAX_VALUE, values("other", 1e300, 0L)),
                    new WindowResult<>("none", 5, 6, new AggregateValues(List.of(), new Object[0]))
                };
    }

    private static AggregateValues values(String name, Double min, Long count) {
        return new AggregateValues(
                List.of(
                        new ValueSpec(
                                name, ColumnType.DOUBLE, List.of(Aggregate.MIN, Aggregate.COUNT))),
                new Object[] {min, count});
    }

    @Test
    void namesAreThoseOfEachResult() throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(64);
        for (WindowResult<String> result : getTestData()) {
            createSerializer().serialize(result, target);
        }
        DataInputDeserializer source = new DataInputDeserializer(target.getCopyOfBuffer());
        TypeSerializer<WindowResult<String>> reader = createSerializer();
        AggregateValues first = reader.deserialize(source).values();
        assertThat(first.getDouble("t_min")).isEqualTo(-0.0);
        AggregateValues second = reader.deserialize(source).values();
        assertThat(second.getLong("t_count")).isEqualTo(7);
        assertThat(second.schema()).isSameAs(first.schema());
        assertThat(reader.deserialize(source).values().getDouble("other_min")).isEqualTo(1e300);
        assertThat(reader.deserialize(source).values().size()).isZero();
    }

    @Test
    void flinkFindsItByTheClassAndItsKey() {
        assertThat(TypeInformation.of(new TypeHint<WindowResult<String>>() {})).isEqualTo(TYPE);
        assertThat(
                        TypeExtractor.getMapReturnTypes(
                                new Later(),
                                new WindowResultTypeInfo<>(
                                        Types.STRING, values("t", 0.0, 0L).schema().specs())))
                .isEqualTo(TYPE);
        assertThat(TYPE)
                .isNotEqualTo(new WindowResultTypeInfo<>(Types.LONG))
                .isNotEqualTo(new WindowResultTypeInfo<>(Types.STRING, List.of()));
    }

    @Test
    void keysOfAnUnknownTypeAreOfAny() {
        TypeInformation<?> ofAnyKey =
                new WindowResultTypeInfo<>(new GenericTypeInfo<>(Object.class));
        assertThat(TypeInformation.of(WindowResult.class)).isEqualTo(ofAnyKey);
        assertThat(TypeExtractor.getForObject(getTestData()[0])).isEqualTo(ofAnyKey);
    }

    /** A function of the user's that says no type. */
    private static final class Later
            implements MapFunction<WindowResult<String>, WindowResult<String>> {

        private static final long serialVersionUID = 1L;

        @Override
        public WindowResult<String> map(WindowResult<String> result) {
            return new WindowResult<>(
                    result.key(), result.startMillis() + 1, result.endMillis(), result.values());
        }
    }
}
