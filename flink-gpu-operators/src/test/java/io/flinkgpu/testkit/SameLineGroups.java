package io.flinkgpu.testkit;

import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.UngroupedLines;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.operator.window.local.BatchGroup;
import io.flinkgpu.state.Partial;

import org.apache.arrow.memory.util.MemoryUtil;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares what two backends make of the same lines, in whatever order, grouped or not. */
public final class SameLineGroups {

    private record Key(ByteBuffer bytes, long slice) {}

    private SameLineGroups() {}

    /**
     * @param lines the batch of which both are
     * @throws IllegalStateException if they differ, with the first difference
     */
    public static void check(
            LinePlan plan, ColumnBatch lines, LineGroups actual, LineGroups expected) {
        same("lines", actual.lines(), expected.lines());
        same("refused", actual.refused(), expected.refused());
        same("maxTimestamp", actual.maxTimestamp(), expected.maxTimestamp());
        for (int i = 0; i < expected.refused(); i++) {
            same("refusedStart(" + i + ")", actual.refusedStart(i), expected.refusedStart(i));
        }
        checkGroups(plan, lines, List.of(actual), expected);
    }

    /** The same of the groups alone, which may be in several results. */
    public static void checkGroups(
            LinePlan plan, ColumnBatch lines, List<LineGroups> actual, LineGroups expected) {
        Map<Key, Partial> wanted = partials(plan, lines, List.of(expected));
        Map<Key, Partial> given = partials(plan, lines, actual);
        same("groups", given.size(), wanted.size());
        given.forEach(
                (key, partial) -> {
                    if (!partial.equals(wanted.get(key))) {
                        throw new IllegalStateException(
                                "a group differs: actual="
                                        + partial
                                        + ", expected="
                                        + wanted.get(key));
                    }
                });
    }

    private static Map<Key, Partial> partials(
            LinePlan plan, ColumnBatch lines, List<LineGroups> results) {
        Map<Key, Partial> partials = new HashMap<>();
        results.forEach(result -> add(plan, lines, result, partials));
        return partials;
    }

    private static void add(
            LinePlan plan, ColumnBatch lines, LineGroups result, Map<Key, Partial> partials) {
        int values = plan.values().size();
        BatchGroup group = new BatchGroup().open(result.groups());
        for (int i = 0; i < result.groups().groups(); i++) {
            Key key = new Key(ByteBuffer.wrap(result.keys().copyRow(i)), result.groups().slice(i));
            PartialSource.add(group.move(i), values, partial(partials, plan, key));
        }
        UngroupedLines rest = result.ungrouped();
        long text = rest.size() == 0 ? 0 : lines.text(LinePlan.LINES_COLUMN).dataAddress();
        for (int i = 0; i < rest.size(); i++) {
            byte[] bytes = new byte[rest.keyLength(i)];
            MemoryUtil.copyFromMemory(text + rest.keyStart(i), bytes, 0, bytes.length);
            Partial partial =
                    partial(partials, plan, new Key(ByteBuffer.wrap(bytes), rest.slice(i)));
            for (int value = 0; value < values; value++) {
                if (!rest.isNull(i, value)) {
                    partial.add(value, rest.word(i, value));
                }
            }
        }
    }

    private static Partial partial(Map<Key, Partial> partials, LinePlan plan, Key key) {
        return partials.computeIfAbsent(key, of -> new Partial(plan.values()));
    }

    private static void same(String what, Object actual, Object expected) {
        if (!actual.equals(expected)) {
            throw new IllegalStateException(
                    what + " differs: actual=" + actual + ", expected=" + expected);
        }
    }
}
