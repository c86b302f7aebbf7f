package io.flinkgpu.oracle;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.AggregatePlan;
import io.flinkgpu.backend.GroupedBatch;
import io.flinkgpu.backend.KeyKind;
import io.flinkgpu.exact.BinaryGrid;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.exact.DoubleSum;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import static org.assertj.core.api.Assertions.assertThat;

/** What an aggregation gives, as objects: computed here with BigDecimal, or by a backend. */
public final class AggregationAnswer {

    /** Exactly the unit of the grid's bin 0. */
    private static final BigDecimal LEAST_DOUBLE = new BigDecimal(Double.MIN_VALUE);

    private final AggregatePlan plan;
    private final Map<Key, Group> groups = new LinkedHashMap<>();

    private AggregationAnswer(AggregatePlan plan) {
        this.plan = plan;
    }

    /** No groups, to which batches are added. */
    public static AggregationAnswer empty(AggregationInput input) {
        return new AggregationAnswer(input.plan);
    }

    /** The right answer. */
    public static AggregationAnswer expected(AggregationInput input) {
        AggregationAnswer answer = new AggregationAnswer(input.plan);
        for (int row = 0; row < input.rows(); row++) {
            Group group = answer.group(input.rows.get(row), row);
            for (int i = 0; i < input.plan.values().size(); i++) {
                Number number = input.rows.get(row).values()[i];
                if (number != null) {
                    group.values[i].add(input.plan.values().get(i), number);
                }
            }
        }
        return answer;
    }

    /** Merges a backend's answer to the rows from {@code firstRow} on. */
    public void add(AggregationInput input, int firstRow, GroupedBatch batch) {
        int lastFirst = -1;
        for (int g = 0; g < batch.groups(); g++) {
            assertThat(batch.firstRow(g)).as("first row of group %d", g).isGreaterThan(lastFirst);
            lastFirst = batch.firstRow(g);
            AggregationInput.Row row = input.rows.get(firstRow + lastFirst);
            assertThat(batch.slice(g)).as("slice of group %d", g).isEqualTo(row.slice());
            assertThat(batch.keyId(g))
                    .as("key of group %d", g)
                    .isEqualTo(plan.key() == KeyKind.ID ? row.key() : 0);
            Group group = group(row, firstRow + lastFirst);
            for (int i = 0; i < plan.values().size(); i++) {
                group.values[i].merge(read(batch, i, g));
            }
        }
    }

    public void assertEquals(AggregationAnswer expected, String description) {
        assertThat(groups.size()).as("groups, %s", description).isEqualTo(expected.groups.size());
        List<Key> keys = List.copyOf(expected.groups.keySet());
        int next = 0;
        for (Map.Entry<Key, Group> entry : groups.entrySet()) {
            Key key = keys.get(next++);
            assertThat(entry.getKey()).as("group %d, %s", next - 1, description).isEqualTo(key);
            Group wanted = expected.groups.get(key);
            assertThat(entry.getValue().firstRow).as(description).isEqualTo(wanted.firstRow);
            for (int i = 0; i < wanted.values.length; i++) {
                if (plan.values().get(i).type().isFloating()) {
                    assertThat(entry.getValue().values[i].merged.toDouble())
                            .as("sum %d of %s, %s", i, key, description)
                            .isEqualTo(wanted.values[i].rounded());
                }
                if (!entry.getValue().values[i].equalTo(wanted.values[i])) {
                    throw new AssertionError(
                            "value %d of %s, %s:%n  is     %s%n  wanted %s"
                                    .formatted(
                                            i,
                                            key,
                                            description,
                                            entry.getValue().values[i],
                                            wanted.values[i]));
                }
            }
        }
    }

    private Group group(AggregationInput.Row row, int rowNumber) {
        Object key =
                row.key() instanceof byte[] bytes
                        ? new String(bytes, StandardCharsets.ISO_8859_1)
                        : row.key();
        return groups.computeIfAbsent(
                new Key(key, row.slice()), k -> new Group(rowNumber, plan.values().size()));
    }

    private Value read(GroupedBatch batch, int value, int group) {
        ValueSpec spec = plan.values().get(value);
        boolean floating = spec.type().isFloating();
        Value read = new Value();
        read.count = batch.count(value, group);
        if (spec.needsMinMax() && read.count > 0) {
            read.min = number(batch.min(value, group), floating);
            read.max = number(batch.max(value, group), floating);
        }
        read.specials = batch.specials(value, group);
        BigInteger units = BigInteger.ZERO;
        for (int bin = 0; bin < batch.bins(value); bin++) {
            int shift = BinaryGrid.BIN_BITS * (batch.firstBin(value) + bin);
            units = units.add(BigInteger.valueOf(batch.bin(value, bin, group)).shiftLeft(shift));
            if (floating) {
                read.merged.addToBin(batch.firstBin(value) + bin, batch.bin(value, bin, group));
            }
        }
        read.merged.addSpecials(read.specials);
        if (!spec.needsSum()) {
            assertThat(batch.bins(value)).as("bins of value %d", value).isZero();
        }
        BigDecimal sum = new BigDecimal(units);
        read.sum = floating && units.signum() != 0 ? sum.multiply(LEAST_DOUBLE) : sum;
        return read;
    }

    private static Number number(long word, boolean floating) {
        return floating ? Double.longBitsToDouble(DoubleOrder.toBits(word)) : (Number) word;
    }

    private record Key(Object key, long slice) {}

    private static final class Group {

        final int firstRow;
        final Value[] values;

        Group(int firstRow, int valueCount) {
            this.firstRow = firstRow;
            this.values = new Value[valueCount];
            for (int i = 0; i < valueCount; i++) {
                values[i] = new Value();
            }
        }
    }

    /** What is kept of a value; what is not needed keeps its initial state. */
    private static final class Value {

        long count;
        Number min;
        Number max;
        BigDecimal sum = BigDecimal.ZERO;
        int specials;

        /** The sum as the operators merge it. Not filled in the right answer. */
        final DoubleSum merged = new DoubleSum();

        void add(ValueSpec spec, Number number) {
            Value one = new Value();
            one.count = 1;
            if (spec.needsMinMax()) {
                one.min = number;
                one.max = number;
            }
            if (spec.needsSum() && number instanceof Double d && !Double.isFinite(d)) {
                one.specials =
                        d.isNaN()
                                ? BinaryGrid.NAN
                                : d > 0
                                        ? BinaryGrid.POSITIVE_INFINITY
                                        : BinaryGrid.NEGATIVE_INFINITY;
            } else if (spec.needsSum()) {
                one.sum = exact(number);
            }
            merge(one);
        }

        void merge(Value other) {
            count += other.count;
            specials |= other.specials;
            sum = sum.add(other.sum);
            merged.add(other.merged);
            if (other.min != null) {
                min = min == null || compare(other.min, min) < 0 ? other.min : min;
                max = max == null || compare(other.max, max) > 0 ? other.max : max;
            }
        }

        Double rounded() {
            return switch (specials) {
                case 0 -> sum.doubleValue();
                case BinaryGrid.POSITIVE_INFINITY -> Double.POSITIVE_INFINITY;
                case BinaryGrid.NEGATIVE_INFINITY -> Double.NEGATIVE_INFINITY;
                default -> Double.NaN;
            };
        }

        boolean equalTo(Value other) {
            return count == other.count
                    && specials == other.specials
                    && sum.compareTo(other.sum) == 0
                    && Objects.equals(min, other.min)
                    && Objects.equals(max, other.max);
        }

        @Override
        public String toString() {
            return "count %d, min %s, max %s, sum %s, specials %d"
                    .formatted(count, min, max, sum, specials);
        }

        private static BigDecimal exact(Number number) {
            return number instanceof Double d
                    ? new BigDecimal(d)
                    : BigDecimal.valueOf(number.longValue());
        }

        private static int compare(Number a, Number b) {
            return a instanceof Double
                    ? Double.compare((Double) a, (Double) b)
                    : Long.compare((Long) a, (Long) b);
        }
    }
}
