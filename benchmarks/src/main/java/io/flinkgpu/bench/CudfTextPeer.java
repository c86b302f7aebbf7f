package io.flinkgpu.bench;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.util.FileUtils;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * libcudf's regular expressions and string calls beside our kernels on the same rows, both on columns
 * that are on the device.
 *
 * <p>Both sides replace matches of the same rules, those that libcudf takes, by the same label without
 * validators; how many rows differ from ours is a figure, since {@code \b} and classes of characters
 * mean Unicode's there, and since rules one after the other see what those before left. Names must be
 * the same byte for byte.
 */
final class CudfTextPeer {

    private static final int LINES_BYTES = 16 << 20;
    private static final String SEQUENCE = "sequence";
    private static final String LIBCUDF = "libcudf-" + SEQUENCE;
    private static final String LABEL = "[REDACTED]";

    private final Lab lab;
    private final CudfProcess cudf;

    CudfTextPeer(Lab lab, CudfProcess cudf) {
        this.lab = lab;
        this.cudf = cudf;
    }

    void redaction() throws Exception {
        byte[] lines = lab.input().lines(lab.settings().pick(LINES_BYTES, 1 << 16));
        Path folder = Files.createTempDirectory("cudf-redaction");
        try (ColumnBatch batch = BenchInput.batch(lab.cpu().allocator(), lines)) {
            write(folder, "lines", batch.text(0));
            List<Rule> rules = lab.rules().rules();
            Files.write(folder.resolve("rules.txt"), rules.stream().map(Rule::regex).toList());
            CudfProcess.Said said = cudf.run(folder, "redact");
            List<Rule> taken =
                    said.accepted().stream().map(rules::get).map(CudfTextPeer::plain).toList();
            Map<String, Long> at = at(lines, taken.size());
            RuleSet ours = RuleSet.of(taken);
            double[] theirs = said.rates(SEQUENCE, lines.length);
            lab.add(Figure.of("redaction", LIBCUDF, at, "GB/s", theirs));
            kernels(ours, at, lines);
            kernels(lab.rules(), at(lines, rules.size()), lines);
            byte[][] expected = redacted(ours, batch);
            long differ = differing(expected, rows(folder, SEQUENCE));
            String unit = "rows of " + batch.rows();
            lab.add(Figure.of("redaction", LIBCUDF + "-differs", at, unit, differ));
        } finally {
            FileUtils.deleteDirectory(folder.toFile());
        }
    }

    private static Rule plain(Rule rule) {
        return Rule.of(rule.name(), rule.regex(), Action.label(LABEL));
    }

    private static Map<String, Long> at(byte[] lines, int rules) {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("bytes", (long) lines.length);
        at.put("rules", (long) rules);
        return at;
    }

    private void kernels(RuleSet rules, Map<String, Long> at, byte[] lines) throws Exception {
        try (Programs<RedactedBatch> programs =
                RedactionWork.programs(RuleCompiler.compile(rules))) {
            new Trial<>(lab, "redaction", programs).kernels(at, new RedactionWork(List.of(lines)));
        }
    }

    private byte[][] redacted(RuleSet rules, ColumnBatch batch) throws Exception {
        try (Programs<RedactedBatch> programs =
                        RedactionWork.programs(RuleCompiler.compile(rules));
                RedactedBatch result =
                        programs.on(List.of(lab.cpu())).get(0).submit(batch).await()) {
            return rows(result.text());
        }
    }

    private static long differing(byte[][] expected, byte[][] actual) {
        if (expected.length != actual.length) {
            throw new IllegalStateException(
                    "libcudf has other rows: ours="
                            + expected.length
                            + ", libcudf's="
                            + actual.length);
        }
        long differ = 0;
        for (int row = 0; row < expected.length; row++) {
            differ += Arrays.equals(expected[row], actual[row]) ? 0 : 1;
        }
        return differ;
    }

    void names() throws Exception {
        try (Programs<TransformedBatch> programs = TransformAxis.programs()) {
            for (int rows : lab.settings().quick() ? new int[] {1_000} : TransformAxis.ROWS) {
                names(rows, programs);
            }
        }
    }

    private void names(int rows, Programs<TransformedBatch> programs) throws Exception {
        TransformAxis.Work work = new TransformAxis.Work(rows);
        Path folder = Files.createTempDirectory("cudf-names");
        ColumnBatch batch = work.batches(lab.cpu().allocator()).get(0);
        try (TransformedBatch expected =
                programs.on(List.of(lab.cpu())).get(0).submit(batch).await()) {
            write(folder, "name", batch.text(0));
            write(folder, "visibility", batch.text(1));
            CudfProcess.Said said = cudf.run(folder, "names");
            long differ = differing(rows(expected.columns().text(0)), rows(folder, "names"));
            if (differ > 0) {
                throw new IllegalStateException("libcudf's names are not ours: rows=" + differ);
            }
            Map<String, Long> at = Map.of("rows", (long) rows);
            lab.add(Figure.of("names", "libcudf", at, "M rows/s", said.rates("names", 1e3 * rows)));
            new Trial<>(lab, "names", programs).kernels(at, work);
        } finally {
            batch.close();
            FileUtils.deleteDirectory(folder.toFile());
        }
    }

    private static byte[][] rows(TextView text) {
        byte[][] rows = new byte[text.rows()][];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = text.copyRow(row);
        }
        return rows;
    }

    /** Writes rows, without what separates them. */
    private static void write(Path folder, String name, TextView text) throws IOException {
        ByteBuffer offsets = buffer(4 * (text.rows() + 1));
        ByteBuffer data = buffer(text.dataBytes());
        offsets.putInt(0);
        for (int row = 0; row < text.rows(); row++) {
            data.put(text.copyRow(row));
            offsets.putInt(data.position());
        }
        Files.write(folder.resolve(name + ".offsets"), offsets.array());
        Files.write(folder.resolve(name + ".data"), Arrays.copyOf(data.array(), data.position()));
    }

    private static byte[][] rows(Path folder, String name) throws IOException {
        byte[] data = Files.readAllBytes(folder.resolve(name + ".data"));
        ByteBuffer offsets =
                ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name + ".offsets")))
                        .order(ByteOrder.nativeOrder());
        byte[][] rows = new byte[offsets.capacity() / 4 - 1][];
        int from = offsets.getInt();
        for (int row = 0; row < rows.length; row++) {
            int to = offsets.getInt();
            rows[row] = Arrays.copyOfRange(data, from, to);
            from = to;
        }
        return rows;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }
}
