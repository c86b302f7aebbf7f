package io.flinkgpu.backend;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.BatchBuilder.RowWriter;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.BackendRedactor;
import io.flinkgpu.testkit.LastCompiled;
import io.flinkgpu.testkit.OracleRedactor;
import io.flinkgpu.testkit.Redactor;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares a backend's answers with the oracle's. */
abstract class BackendTester extends OpenBackend {

    static final byte[] NO_KEY = new byte[0];
    static final byte[] KEY = TestRequests.KEY;
    static final Rule WORD = Rule.of("word", "\\bsecret\\w*", Action.label("[S]"));
    static final Rule EMAIL =
            Rule.of("email", "[a-z0-9.]+@(?:[a-z0-9]+\\.)+[a-z]{2,}", Action.label("[E]"));
    static final Rule NUMBER = Rule.of("number", "\\b\\d{4,}\\b", Action.maskKeepLast(2));
    static final RuleSet USUAL = RuleSet.of(WORD, EMAIL, NUMBER);

    /** The most rows of a batch, and KiB of a row: fewer for tools under which kernels take a hundred times as long. */
    static final int MOST_ROWS = Integer.getInteger("redaction.rows", 5_000);

    static int atMost(int rows) {
        return Math.min(rows, MOST_ROWS);
    }

    /**
     * Compares the answers for both kinds of separator, all rows in one batch, of the rules as one automaton, if they
     * fit one, and cut into several.
     */
    void check(RuleSet rules, byte[]... rows) throws Exception {
        byte[] key = rules.needsHashKey() ? KEY : NO_KEY;
        Redactor.Redacted expected = new OracleRedactor().redact(rules, key, rows);
        check(rules, new LastCompiled(), rows, expected);
        check(rules, LastCompiled.inParts(), rows, expected);
    }

    private void check(
            RuleSet rules, LastCompiled compiler, byte[][] rows, Redactor.Redacted expected)
            throws Exception {
        byte[] key = rules.needsHashKey() ? KEY : NO_KEY;
        for (int separatorBytes = 0; separatorBytes <= 1; separatorBytes++) {
            Redactor.Redacted actual =
                    new BackendRedactor(backend, compiler, separatorBytes, rows.length)
                            .redact(rules, key, rows);
            assertSame(
                    actual,
                    expected,
                    "separatorBytes="
                            + separatorBytes
                            + ", automata="
                            + compiler.compile(rules).parts().size());
        }
        if (findsLines() && Arrays.stream(rows).noneMatch(BackendTester::hasNewline)) {
            checkLines(
                    compiler.compile(rules),
                    joined(rows),
                    joined(expected.rows()),
                    expected.matchesPerRule());
        }
    }

    /** Whether the backend redacts batches that hold lines. */
    final boolean findsLines() throws BackendException {
        try (CompiledProgram<?> program =
                backend.compile(new RedactPlan(RuleCompiler.compile(USUAL)))) {
            return program.findsLines();
        }
    }

    private static boolean hasNewline(byte[] row) {
        return latin1(row).indexOf('\n') >= 0;
    }

    /** Rows that the backend has to find. */
    void checkLines(CompiledRules rules, byte[] lines, byte[] expected, long... matchesPerRule)
            throws Exception {
        try (BatchBuilder builder = new BatchBuilder(backend.allocator(), 1, lines.length, 1)) {
            builder.appendUnsplitLines(lines.length, true, RowWriter.of(lines));
            try (CompiledProgram<RedactedBatch> program = backend.compile(new RedactPlan(rules));
                    ColumnBatch batch = builder.build();
                    RedactedBatch actual = program.submit(batch).await()) {
                assertThat(latin1(actual.text().copyRow(0))).isEqualTo(latin1(expected));
                assertThat(actual.lines())
                        .isEqualTo((int) latin1(lines).chars().filter(c -> c == '\n').count());
                assertThat(actual.matchesPerRule()).isEqualTo(matchesPerRule);
            }
        }
    }

    /** Lines of the rows. */
    static byte[] joined(byte[]... rows) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (byte[] row : rows) {
            lines.writeBytes(row);
            lines.write('\n');
        }
        return lines.toByteArray();
    }

    static void assertSame(
            Redactor.Redacted actual, Redactor.Redacted expected, String description) {
        for (int i = 0; i < expected.rows().length; i++) {
            assertThat(latin1(actual.rows()[i]))
                    .as("row %d, %s", i, description)
                    .isEqualTo(latin1(expected.rows()[i]));
        }
        assertThat(actual.changed()).as(description).isEqualTo(expected.changed());
        assertThat(actual.matchesPerRule()).as(description).isEqualTo(expected.matchesPerRule());
    }

    static byte[][] logRows(int rows, Random random) {
        String[] words = {
            "GET",
            "/index.html",
            "secret",
            "secrets!",
            "joe@example.com",
            "1234",
            "12345678",
            "é",
            "😀",
            "x@y",
            "ab12",
            "error:",
            "user=joe.doe@mail.example.org",
            "\t",
            "3.14",
            "no",
            "\u2028"
        };
        byte[][] made = new byte[rows][];
        for (int i = 0; i < rows; i++) {
            StringBuilder row = new StringBuilder();
            for (int word = random.nextInt(12); word > 0; word--) {
                row.append(words[random.nextInt(words.length)]).append(word > 1 ? " " : "");
            }
            made[i] = utf8(row.toString());
        }
        return made;
    }

    static byte[][] bytes(String... rows) {
        return Arrays.stream(rows).map(BackendTester::ascii).toArray(byte[][]::new);
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
