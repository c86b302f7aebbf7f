package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.backend.plan.UngroupedLines;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.parse.LineParser;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.arrow.memory.ArrowBuf;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plainest backend of lines: integers and decimals only. It leaves lines whose key starts with {@code
 * "hard"} to the host, and does not group those whose key starts with {@code "lone"}.
 */
final class PlainLines extends ForwardingBackend {

    private PlainLines(OpenRequest request) {
        super(CpuBackend.open(request));
        replace(LinePlan.class, this::lines);
    }

    /** Such a backend, which at each call does what its script says before. */
    static Backend open(OpenRequest request, Script script) throws BackendException {
        return ScriptedBackend.open("scripted", PlainLines::new, request, script);
    }

    private CompiledProgram<LineGroups> lines(LinePlan plan) {
        return new CompiledProgram<>() {
            @Override
            public Submission<LineGroups> submit(ColumnBatch batch) {
                return () -> new Run(plan).over(batch.text(0));
            }

            @Override
            public void close() {}
        };
    }

    private record Group(String key, long slice) {}

    /** One batch. */
    private final class Run {

        private final LinePlan plan;
        private final LineParser parser;

        /** For each group and value: count, least, greatest, sum. */
        private final Map<Group, long[][]> groups = new LinkedHashMap<>();

        private final List<Integer> refused = new ArrayList<>();

        /** Of each line that is not grouped: its words. */
        private final List<long[]> ungrouped = new ArrayList<>();

        private long lines;
        private long maxTimestamp = Long.MIN_VALUE;

        Run(LinePlan plan) {
            this.plan = plan;
            this.parser = new LineParser(plan.format());
        }

        LineGroups over(TextView text) {
            for (int row = 0; row < text.rows(); row++) {
                byte[] bytes = text.copyRow(row);
                for (int from = 0; from < bytes.length; ) {
                    int to = from;
                    while (to < bytes.length && bytes[to] != '\n') {
                        to++;
                    }
                    line(bytes, from, to, text.start(row) + from);
                    from = to + 1;
                }
            }
            return result();
        }

        private void line(byte[] bytes, int from, int to, int start) {
            lines++;
            if (parser.parse(bytes, from, to) != null || key().startsWith("hard")) {
                refused.add(start);
                return;
            }
            long slice = TimeSlices.NONE;
            if (plan.time() != null) {
                long time = parser.word(plan.time().field());
                slice = plan.time().sliceOf(time);
                maxTimestamp = Math.max(maxTimestamp, time);
            }
            if (key().startsWith("lone")) {
                ungrouped.add(ungrouped(start + indexOf(bytes, from, key()) - from, slice));
                return;
            }
            long[][] group =
                    groups.computeIfAbsent(new Group(key(), slice), g -> empty(plan.values()));
            for (int i = 0; i < group.length; i++) {
                int field = plan.valueFields().get(i);
                if (!parser.isNull(field)) {
                    add(group[i], parser.word(field));
                }
            }
        }

        private static int indexOf(byte[] bytes, int from, String key) {
            return new String(bytes, StandardCharsets.ISO_8859_1)
                    .indexOf(
                            new String(
                                    key.getBytes(StandardCharsets.UTF_8),
                                    StandardCharsets.ISO_8859_1),
                            from);
        }

        private long[] ungrouped(int keyStart, long slice) {
            UngroupedLines.Layout layout = layout();
            long[] words = new long[layout.strideBytes() / Long.BYTES];
            words[0] = (long) parser.text(plan.key()).length << Integer.SIZE | keyStart;
            if (layout.hasSlices()) {
                words[UngroupedLines.Layout.SLICE / Long.BYTES] = slice;
            }
            for (int i = 0; i < layout.values(); i++) {
                int field = plan.valueFields().get(i);
                words[layout.nullsAt() / Long.BYTES] |= (parser.isNull(field) ? 1L : 0) << i;
                words[layout.valuesAt() / Long.BYTES + i] = parser.word(field);
            }
            return words;
        }

        private UngroupedLines.Layout layout() {
            return new UngroupedLines.Layout(plan.values().size(), plan.time() != null, true);
        }

        private UngroupedLines ungrouped() {
            ArrowBuf words = allocator().buffer((long) layout().strideBytes() * ungrouped.size());
            int at = 0;
            for (long[] line : ungrouped) {
                for (long word : line) {
                    words.setLong(at, word);
                    at += Long.BYTES;
                }
            }
            return new UngroupedLines(layout(), words, ungrouped.size());
        }

        private String key() {
            return new String(parser.text(plan.key()), StandardCharsets.UTF_8);
        }

        private LineGroups result() {
            AggregatePlan aggregates = plan.aggregates();
            int[] bins =
                    plan.values().stream()
                            .mapToInt(v -> v.needsSum() ? WordLayout.INTEGER_BINS : 0)
                            .toArray();
            WordLayout layout = GroupedBatch.layout(aggregates, bins);
            int size = groups.size();
            ArrowBuf words = allocator().buffer(8L * Math.max(1, size * layout.words()));
            BatchBuilder keys = new BatchBuilder(allocator(), Math.max(1, size), 1 << 16, 0);
            int index = 0;
            for (Map.Entry<Group, long[][]> group : groups.entrySet()) {
                keys.append(group.getKey().key());
                put(words, GroupedBatch.SLICE, size, index, group.getKey().slice());
                for (int i = 0; i < bins.length; i++) {
                    long[] kept = group.getValue()[i];
                    put(words, layout.first(i, Term.COUNT), size, index, kept[0]);
                    if (plan.values().get(i).needsMinMax()) {
                        put(words, layout.first(i, Term.MIN), size, index, kept[1]);
                        put(words, layout.first(i, Term.MAX), size, index, kept[2]);
                    }
                    if (bins[i] > 0) {
                        put(words, layout.first(i, Term.SUM), size, index, kept[3]);
                        put(words, layout.first(i, Term.SUM) + 1, size, index, 0);
                    }
                }
                index++;
            }
            if (size == 0) {
                keys.append("");
            }
            ArrowBuf starts = allocator().buffer(4L * Math.max(1, refused.size()));
            for (int i = 0; i < refused.size(); i++) {
                starts.setInt(4L * i, refused.get(i));
            }
            return new LineGroups(
                    new GroupedBatch(aggregates, size, words, new int[bins.length], bins, 1_000),
                    keys.build(),
                    ungrouped(),
                    starts,
                    refused.size(),
                    lines,
                    maxTimestamp,
                    0);
        }

        private static long[][] empty(List<ValueSpec> values) {
            long[][] group = new long[values.size()][];
            for (int i = 0; i < group.length; i++) {
                group[i] = new long[] {0, Long.MAX_VALUE, Long.MIN_VALUE, 0};
            }
            return group;
        }

        private static void add(long[] kept, long word) {
            kept[0]++;
            kept[1] = Math.min(kept[1], word);
            kept[2] = Math.max(kept[2], word);
            kept[3] = Math.addExact(kept[3], word);
        }

        private static void put(ArrowBuf words, int array, int groups, int group, long word) {
            words.setLong(8L * ((long) array * groups + group), word);
        }
    }
}
