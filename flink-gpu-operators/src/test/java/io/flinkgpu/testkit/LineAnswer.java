package io.flinkgpu.testkit;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.backend.plan.UngroupedLines;
import io.flinkgpu.parse.LineParser;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of lines, as objects: computed here line by line, or by a backend, whose refused lines
 * are then read here, as an operator does.
 */
public final class LineAnswer {

    private final LinePlan plan;
    private final LineParser parser;
    private final Map<Key, AggregationValue[]> groups = new HashMap<>();
    private long lines;
    private long malformed;

    /** Well-formed lines that a backend left to the host. */
    private long left;

    private long ungrouped;

    public LineAnswer(LinePlan plan) {
        this.plan = plan;
        this.parser = new LineParser(plan.format());
    }

    public LinePlan plan() {
        return plan;
    }

    public long left() {
        return left;
    }

    /** Lines that a backend read but did not group. */
    public long ungrouped() {
        return ungrouped;
    }

    public long malformed() {
        return malformed;
    }

    /** Adds a batch, read line by line. */
    public LineAnswer add(LineInput input) {
        for (LineInput.Line line : input.lines()) {
            read(line);
        }
        lines += input.lines().size();
        return this;
    }

    /** Adds what a backend gave for a batch. */
    public LineAnswer add(LineInput input, LineGroups answer, String description) {
        Map<Integer, LineInput.Line> lineAt = new HashMap<>();
        Set<Integer> grouped = new TreeSet<>();
        for (LineInput.Line line : input.lines()) {
            lineAt.put(line.start(), line);
            grouped.add(line.start());
        }
        addGroups(answer, description);
        addUngrouped(input, answer.ungrouped());
        if (!plan.holdsGroups()) {
            assertThat(answer.groups().groups() + answer.ungrouped().size() == 0)
                    .as("no groups, %s", description)
                    .isEqualTo(answer.lines() == answer.refused());
        }
        int last = -1;
        for (int i = 0; i < answer.refused(); i++) {
            int start = answer.refusedStart(i);
            assertThat(start).as("refused line %d, %s", i, description).isGreaterThan(last);
            assertThat(lineAt).as(description).containsKey(start);
            left += read(lineAt.get(start)) ? 1 : 0;
            grouped.remove(start);
            last = start;
        }
        lines += answer.lines();
        assertThat(answer.maxTimestamp())
                .as("greatest time, %s", description)
                .isEqualTo(greatestTime(grouped, lineAt));
        return this;
    }

    private void addGroups(LineGroups answer, String description) {
        Set<Key> seen = new HashSet<>();
        for (int g = 0; g < answer.groups().groups(); g++) {
            Key key = new Key(latin1(answer.keys().copyRow(g)), answer.groups().slice(g));
            assertThat(seen.add(key)).as("%s is one group, %s", key, description).isTrue();
            for (int i = 0; i < plan.values().size(); i++) {
                ValueSpec spec = plan.values().get(i);
                values(key)[i].merge(AggregationValue.read(spec, answer.groups(), i, g));
            }
        }
    }

    private void addUngrouped(LineInput input, UngroupedLines answer) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        input.rows.forEach(all::writeBytes);
        byte[] bytes = all.toByteArray();
        for (int line = 0; line < answer.size(); line++) {
            int start = answer.keyStart(line);
            byte[] key = Arrays.copyOfRange(bytes, start, start + answer.keyLength(line));
            AggregationValue[] values = values(new Key(latin1(key), answer.slice(line)));
            for (int i = 0; i < values.length; i++) {
                if (!answer.isNull(line, i)) {
                    add(values, i, answer.word(line, i));
                }
            }
        }
        ungrouped += answer.size();
    }

    private void add(AggregationValue[] values, int value, long word) {
        ValueSpec spec = plan.values().get(value);
        values[value].add(
                spec, spec.type().isFloating() ? Double.longBitsToDouble(word) : (Number) word);
    }

    private long greatestTime(Set<Integer> starts, Map<Integer, LineInput.Line> lineAt) {
        long greatest = Long.MIN_VALUE;
        for (int start : starts) {
            byte[] line = lineAt.get(start).bytes();
            assertThat(parser.parse(line, 0, line.length))
                    .as("line at %d, which a backend took", start)
                    .isNull();
            if (plan.time() != null) {
                greatest = Math.max(greatest, parser.word(plan.time().field()));
            }
        }
        return greatest;
    }

    /** Reads a line into its group; gives whether it is well-formed. */
    private boolean read(LineInput.Line line) {
        if (parser.parse(line.bytes(), 0, line.bytes().length) != null) {
            malformed++;
            return false;
        }
        long slice =
                plan.time() == null
                        ? TimeSlices.NONE
                        : plan.time().sliceOf(parser.word(plan.time().field()));
        AggregationValue[] values = values(new Key(latin1(parser.text(plan.key())), slice));
        for (int i = 0; i < values.length; i++) {
            int field = plan.valueFields().get(i);
            if (!parser.isNull(field)) {
                add(values, i, parser.word(field));
            }
        }
        return true;
    }

    private AggregationValue[] values(Key key) {
        return groups.computeIfAbsent(
                key,
                k -> {
                    AggregationValue[] values = new AggregationValue[plan.values().size()];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = new AggregationValue();
                    }
                    return values;
                });
    }

    public void assertEquals(LineAnswer expected, String description) {
        assertThat(lines).as("lines, %s", description).isEqualTo(expected.lines);
        assertThat(malformed).as("malformed lines, %s", description).isEqualTo(expected.malformed);
        assertThat(groups.keySet())
                .as("groups, %s", description)
                .isEqualTo(expected.groups.keySet());
        expected.groups.forEach((key, values) -> assertSame(key, values, description));
    }

    private void assertSame(Key key, AggregationValue[] expected, String description) {
        AggregationValue[] actual = groups.get(key);
        for (int i = 0; i < expected.length; i++) {
            if (!actual[i].equalTo(expected[i])) {
                throw new AssertionError(
                        "value %d of %s, %s:%n  is     %s%n  wanted %s"
                                .formatted(i, key, description, actual[i], expected[i]));
            }
        }
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private record Key(String key, long slice) {}
}
