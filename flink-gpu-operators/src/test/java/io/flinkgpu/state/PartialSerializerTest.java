package io.flinkgpu.state;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;

import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

import static io.flinkgpu.state.PartialTest.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Flink's contract suite for serializers, and how small partials are.
 *
 * <p>Covers: PartialSerializer.
 */
class PartialSerializerTest extends SerializerTestBase<Partial> {

    private static final List<ValueSpec> SPECS =
            List.of(
                    spec("i", ColumnType.INT, Aggregate.COUNT),
                    spec("l", ColumnType.LONG, Aggregate.values()),
                    spec("f", ColumnType.FLOAT, Aggregate.MIN),
                    spec("d", ColumnType.DOUBLE, Aggregate.values()),
                    spec("m", ColumnType.decimal(18, 3), Aggregate.SUM));

    @Override
    protected TypeSerializer<Partial> createSerializer() {
        return new PartialTypeInfo(SPECS).createSerializer(null);
    }

    @Override
    protected int getLength() {
        return -1;
    }

    @Override
    protected Class<Partial> getTypeClass() {
        return Partial.class;
    }

    @Override
    protected Partial[] getTestData() {
        Partial wide = new Partial(SPECS);
        wide.column(3).addCount(Long.MAX_VALUE);
        wide.column(1).addCount(1);
        wide.column(1).addInteger(Integer.MIN_VALUE - 1L, Long.MIN_VALUE);
        wide.column(1).addExtremes(Long.MIN_VALUE, Long.MAX_VALUE);
        for (int bin = 0; bin < 66; bin += 13) {
            wide.column(3).addFloatingBin(bin, Long.MIN_VALUE);
        }
        return new Partial[] {
            new Partial(SPECS),
            partial(0),
            partial(1),
            partial(-1, 1),
            partial(Double.MAX_VALUE, -Double.MIN_VALUE, Long.MIN_VALUE),
            partial(Double.NaN),
            partial(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300),
            wide
        };
    }

    /** A count of doubles, their sum, their extremes and the sum of their squares. */
    @Test
    void readingsOfASensorTakeFewBytes() throws IOException {
        List<ValueSpec> specs = List.of(spec("", ColumnType.DOUBLE, Aggregate.values()));
        Partial partial = new Partial(specs);
        for (int i = 0; i < 1000; i++) {
            partial.add(0, Double.doubleToLongBits(20 + i * 0.001));
        }
        DataOutputSerializer target = new DataOutputSerializer(64);
        new PartialSerializer(specs).serialize(partial, target);
        assertThat(target.length()).isLessThanOrEqualTo(2 + 15 + 16 + 23);
    }

    @Test
    void aPartialOfOtherColumnsIsRefused() {
        Partial other = new Partial(List.of(spec("", ColumnType.DOUBLE, Aggregate.SUM)));
        assertThatThrownBy(() -> createSerializer().serialize(other, new DataOutputSerializer(64)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("columns=1");
    }

    private static Partial partial(double... values) {
        Partial partial = new Partial(SPECS);
        for (double value : values) {
            partial.add(0, (int) value);
            partial.add(1, (long) value);
            partial.add(2, Double.doubleToLongBits((float) value));
            partial.add(3, Double.doubleToLongBits(value));
            partial.add(4, (long) value / 10);
        }
        return partial;
    }
}
