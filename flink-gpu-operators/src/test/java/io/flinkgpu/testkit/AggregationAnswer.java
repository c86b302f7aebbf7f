package io.flinkgpu.testkit;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** What an aggregation gives, as objects: computed here with BigDecimal, or by a backend. */
public final class AggregationAnswer {

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
                    .isEqualTo(plan.key() == ColumnType.INT ? row.key() : 0);
            Group group = group(row, firstRow + lastFirst);
            for (int i = 0; i < plan.values().size(); i++) {
                group.values[i].merge(AggregationValue.read(plan.values().get(i), batch, i, g));
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

    private record Key(Object key, long slice) {}

    private static final class Group {

        final int firstRow;
        final AggregationValue[] values;

        Group(int firstRow, int valueCount) {
            this.firstRow = firstRow;
            this.values = new AggregationValue[valueCount];
            for (int i = 0; i < valueCount; i++) {
                values[i] = new AggregationValue();
            }
        }
    }
}
