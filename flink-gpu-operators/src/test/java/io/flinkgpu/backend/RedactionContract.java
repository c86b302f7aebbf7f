package io.flinkgpu.backend;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Context;
import io.flinkgpu.api.Form;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.BackendRedactor;
import io.flinkgpu.testkit.FormsOracle;
import io.flinkgpu.testkit.LastCompiled;
import io.flinkgpu.testkit.ManyRules;
import io.flinkgpu.testkit.OracleRedactor;
import io.flinkgpu.testkit.Redactor;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every backend does. Answers are compared with the oracle's, or written out where backtracking
 * would take too long. After each test the backend closes, which fails if it still holds memory.
 *
 * <p>Covers: RedactPlan.
 */
public abstract class RedactionContract extends RedactedTextContract {

    @Test
    void aBatchMayHaveNoRows() throws Exception {
        for (int separatorBytes = 0; separatorBytes <= 1; separatorBytes++) {
            try (CompiledProgram<RedactedBatch> program =
                            backend.compile(new RedactPlan(RuleCompiler.compile(USUAL)));
                    ColumnBatch none =
                            BackendRedactor.batchOf(backend.allocator(), separatorBytes);
                    RedactedBatch result = program.submit(none).await()) {
                assertThat(result.rows()).isZero();
                assertThat(result.text().dataBytes()).isZero();
                assertThat(result.matchesPerRule()).containsExactly(0, 0, 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 32, 33, 255, 256, 257, 1000, 5000})
    void anyNumberOfRows(int rows) throws Exception {
        check(USUAL, logRows(atMost(rows), new Random(rows)));
    }

    @Test
    void emptyRows() throws Exception {
        check(USUAL, new byte[1][0]);
        check(USUAL, new byte[atMost(1000)][0]);
        check(USUAL, ascii(""), ascii("secret"), ascii(""), ascii(""), ascii("1234"), ascii(""));
    }

    @Test
    void rowsOfEveryShortLength() throws Exception {
        byte[][] rows = new byte[300][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = ascii("-".repeat(i) + "secret" + i);
        }
        check(USUAL, rows);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 12, 1 << 16, (1 << 16) + 1, 1 << 20})
    void longRowsAmongShortOnes(int wantedBytes) throws Exception {
        int lengthBytes = Math.min(wantedBytes, MOST_ROWS << 10);
        Random random = new Random(lengthBytes);
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        while (row.size() < lengthBytes) {
            row.writeBytes(logRows(1, random)[0]);
            row.write(' ');
        }
        byte[] longRow = Arrays.copyOf(row.toByteArray(), lengthBytes);
        check(USUAL, ascii("a secret"), longRow, ascii("1234"), ascii(""), longRow);
    }

    @Test
    void rowsOverTheStepBudget() throws Exception {
        // Backtracking takes quadratic time here, so the answer is written out.
        String as = "a".repeat(Math.min(1 << 16, MOST_ROWS << 6));
        String[] rows = {
            "x@a.bc", as, "y " + as + " z@a.bc", as + "@a.b", as + "@a.bc", "1234", as
        };
        String[] redacted = {"[E]", as, "y " + as + " [E]", as + "@a.b", "[E]", "**34", as};
        for (int separatorBytes = 0; separatorBytes <= 1; separatorBytes++) {
            Redactor.Redacted actual =
                    new BackendRedactor(backend, new LastCompiled(), separatorBytes, rows.length)
                            .redact(USUAL, NO_KEY, bytes(rows));
            assertThat(actual.rows()).isEqualTo(bytes(redacted));
            assertThat(actual.matchesPerRule()).containsExactly(0, 3, 1);
            assertThat(actual.changed())
                    .containsExactly(true, false, true, false, true, true, false);
        }
        if (findsLines()) {
            checkLines(
                    RuleCompiler.compile(USUAL),
                    joined(bytes(rows)),
                    joined(bytes(redacted)),
                    0,
                    3,
                    1);
        }
    }

    /**
     * Which rows of a batch are left to the host depends on the order of a device's threads: when it runs
     * again, for its output, they are others.
     */
    @Test
    void rowsNearTheStepBudgetWhereTheOutputHasNoRoom() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("as", "a+b", Action.label("[AS]")),
                        Rule.of("sharp", "#", Action.label("0123456789".repeat(40))));
        Random random = new Random(1);
        for (int mostBytes = 500; mostBytes <= 900; mostBytes += 100) {
            byte[][] rows = new byte[atMost(200)][];
            for (int i = 0; i < rows.length; i++) {
                int bytes = random.nextInt(mostBytes);
                rows[i] = ascii("a".repeat(bytes) + "cb" + "#".repeat(i % 20));
            }
            check(rules, rows);
        }
    }

    @Test
    void whatIsAroundAMatchAndInIt() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("code", "\\b[a-z]{2}\\d{2,}", Action.label("<code>"))
                                .withContext(Context.near(8, 4, "order", "\u00e9"))
                                .withAllowList(AllowList.ofStopWords("00")),
                        Rule.of("key", "(?i)key=(\\w+)", Action.maskKeepLast(1))
                                .withGroup("1")
                                .withContext(Context.inRecord("Acme"))
                                .withAllowList(
                                        AllowList.EMPTY
                                                .withPattern("^test", AllowList.Target.SECRET)
                                                .withPattern("KEY", AllowList.Target.MATCH)
                                                .withPattern("dry run$", AllowList.Target.RECORD)),
                        Rule.of("digits", "\\d{3,}", Action.hash("", 16, "")));
        check(
                rules,
                ascii("order ab12 ab123 cd4567"),
                ascii("ORDER: ab1200 xx order"),
                ascii("ab12 order ab12 or"),
                ascii("acme key=abc1 key=test KEY=abc2 key=1234"),
                ascii("key=abc1 key=1234"),
                ascii("ACME key=abc1, dry run"),
                bytes("\u00e9\u00e9 ab12", "\u20ac\u20ac\u20ac\u20ac\u20ac\u00e9 a ab12")[1],
                "\u00ff\u00ff\u00ff\u00ff\u00e9 ab12".getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Most of them look for a text, and so few that there are several automata without one too. */
    @Test
    void manyRules() throws Exception {
        ManyRules many = new ManyRules(new Random(7));
        RuleSet rules = many.rules(300);
        byte[][] rows = new byte[atMost(300)][];
        Arrays.setAll(rows, i -> many.row());
        check(rules, rows);
        check(
                RuleSet.of(
                        Rule.of(
                                "large",
                                "key\\w{5,90}(?:to|pi)\\w{5,90}=",
                                Action.label("<large>")),
                        Rule.of("number", "\\d{2,}", Action.maskKeepLast(1))),
                rows);
        List<Rule> numbers = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            numbers.add(
                    Rule.of("n" + i, "\\b\\d{" + (i + 1) + "}\\b", Action.label("<" + i + ">")));
        }
        assertThat(RuleCompiler.compile(RuleSet.of(numbers)).parts()).hasSizeGreaterThan(1);
        Arrays.setAll(rows, i -> ascii("1".repeat(i) + " 22 " + "3".repeat(300 - i)));
        check(RuleSet.of(numbers), rows);
    }

    @Test
    void rowsThatTakeManyRulesTooManySteps() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("far", "\\w*key[a-z]*=", Action.label("<far>")),
                        Rule.of("open", "key.*!", Action.maskKeepFirst(1)),
                        Rule.of("last", "abc+", Action.label("-")));
        check(
                rules,
                ascii("key".repeat(60)),
                ascii("a key= abcc"),
                ascii("key".repeat(40) + "="),
                ascii("abc".repeat(100) + "key!"));
    }

    @Test
    void replacementsAreCountedByRuleInEachRecord() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("mail", "\\w+@\\w+", Action.counter("[MAIL_", "]")),
                        Rule.of("user", "u=(\\w+)", Action.counter("[USER_", "]")).withGroup("1"),
                        Rule.of("hash", "#", Action.drop()),
                        Rule.of("word", "secret", Action.label("[S]")));
        check(
                rules,
                ascii("a@b u=me c@d secret a@b u=me"),
                ascii("a@b"),
                ascii("nothing"),
                ascii("a@b a#@#b u=#you e@f"),
                ascii("x@y ".repeat(120)),
                "x@y \u00ff@ z@y".getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void answersDoNotDependOnBatchCuts() throws Exception {
        byte[][] rows = logRows(atMost(500), new Random(5));
        Redactor.Redacted expected = new OracleRedactor().redact(USUAL, NO_KEY, rows);
        for (int rowsPerBatch : new int[] {1, 2, 7, 64, 499, 500}) {
            Redactor.Redacted actual =
                    new BackendRedactor(backend, new LastCompiled(), 1, rowsPerBatch)
                            .redact(USUAL, NO_KEY, rows);
            assertSame(actual, expected, "rowsPerBatch=" + rowsPerBatch);
        }
    }

    @Test
    void recordsAreSearchedUnderAllForms() throws Exception {
        RuleSet rules =
                RuleSet.of(
                                Rule.of("mail", "\\w+@\\w+", Action.hash("<", 16, ">")),
                                Rule.of("card", "\\b\\d{4}-\\d{4}\\b", Action.maskKeepLast(2)),
                                Rule.of("word", "secret\\w*", Action.counter("[S_", "]")),
                                Rule.of("form", "k=\\S+", Action.maskFormat()))
                        .withForms(Form.values());
        String[] texts = {
            "a%40b and c@d",
            "a&#64;b a\\u0040b a@b",
            "1234%2D5678 1234-5678 1234\u20135678",
            "sec\u200bret1 \u001b[1msec\u001b[0mret",
            "blob c2VjcmV0IGFuZCBtb3JlIHRleHQ= end",
            "k=a%20b%3Bc k%3DAb1-\u00e9",
            "nothing",
            "",
            "a+secret x%4"
        };
        byte[][] rows = new byte[atMost(300)][];
        Arrays.setAll(
                rows,
                i ->
                        (texts[i % texts.length] + (i % 5 == 0 ? "" : i))
                                .getBytes(StandardCharsets.UTF_8));
        Redactor.Redacted expected = new FormsOracle().redact(rules, KEY, rows);
        for (int rowsPerBatch : new int[] {1, 64, 300}) {
            Redactor.Redacted actual =
                    new BackendRedactor(backend, new LastCompiled(), 1, rowsPerBatch)
                            .redact(rules, KEY, rows);
            assertSame(actual, expected, "rowsPerBatch=" + rowsPerBatch);
        }
    }

    @Test
    void recordsAreRedactedByFields() throws Exception {
        RuleSet rules =
                RuleSet.of(
                                Rule.of("mail", "\\w+@\\w+", Action.label("[\"]")),
                                Rule.of("user", ".+", Action.label("[U]")))
                        .withStructure(Structure.json().bind("user", "u.*").drop("x"));
        byte[][] rows = {
            ascii("{\"a\":\"b@c\",\"u\":{\"n\":\"me\"},\"x\":\"q@r\"}"),
            ascii("{\"a\":\"\\u0062@c\",\"n\":1}"),
            ascii("{\"a\":"),
            ascii("{}")
        };
        Redactor.Redacted actual =
                new BackendRedactor(backend, new LastCompiled(), 0, 3).redact(rules, KEY, rows);
        assertThat(actual.rows()[0]).isEqualTo(ascii("{\"a\":\"[\\\"]\",\"u\":{\"n\":\"[U]\"}}"));
        assertThat(actual.rows()[1]).isEqualTo(ascii("{\"a\":\"[\\\"]\",\"n\":1}"));
        assertThat(actual.rows()[2]).isEqualTo(ascii("[MALFORMED]"));
        assertThat(actual.rows()[3]).isEqualTo(ascii("{}"));
        assertThat(actual.changed()).containsExactly(true, true, true, false);
    }

    @Test
    void wordsOfAContextMayBeInTheRestOfARecordWithFields() throws Exception {
        RuleSet rules =
                RuleSet.of(
                                Rule.of("key", "K\\d\\tx", Action.label("[K]"))
                                        .withContext(Context.inRecord("aws")),
                                Rule.of("bound", "^Q\\d$", Action.label("[Q]"))
                                        .withContext(Context.inRecord("aws")))
                        .withStructure(Structure.json().bind("bound", "q"));
        byte[][] rows = {
            ascii("{\"aws\":1,\"a\":\"K7\\tx\"}"),
            ascii("{\"aws\":1,\"q\":\"Q7\"}"),
            ascii("{\"a\":\"b\"}")
        };
        Redactor.Redacted actual =
                new BackendRedactor(backend, new LastCompiled(), 0, 3).redact(rules, KEY, rows);
        assertThat(actual.rows()[0]).isEqualTo(ascii("{\"aws\":1,\"a\":\"[K]\"}"));
        assertThat(actual.rows()[1]).isEqualTo(ascii("{\"aws\":1,\"q\":\"[Q]\"}"));
        assertThat(actual.changed()).containsExactly(true, true, false);
    }

    @Test
    void severalProgramsAndBatchesAtOnce() throws Exception {
        RuleSet other = RuleSet.of(Rule.of("s", "\\S+", Action.hash("", 16, "")));
        byte[][] rows = logRows(200, new Random(6));
        List<Submission<RedactedBatch>> submissions = new ArrayList<>();
        List<ColumnBatch> batches = new ArrayList<>();
        try (CompiledProgram<RedactedBatch> one =
                        backend.compile(new RedactPlan(RuleCompiler.compile(USUAL)));
                CompiledProgram<RedactedBatch> two =
                        backend.compile(new RedactPlan(RuleCompiler.compile(other)))) {
            for (int i = 0; i < 6; i++) {
                byte[][] part = Arrays.copyOfRange(rows, 30 * i, 30 * i + 30);
                batches.add(BackendRedactor.batchOf(backend.allocator(), i & 1, part));
                submissions.add((i % 3 == 0 ? two : one).submit(batches.get(i)));
            }
            for (int i = 0; i < 6; i++) {
                byte[][] part = Arrays.copyOfRange(rows, 30 * i, 30 * i + 30);
                Redactor.Redacted expected =
                        new OracleRedactor().redact(i % 3 == 0 ? other : USUAL, KEY, part);
                try (ColumnBatch batch = batches.get(i);
                        RedactedBatch result = submissions.get(i).await()) {
                    assertThat(result.rows()).isEqualTo(batch.rows());
                    assertThat(result.matchesPerRule()).isEqualTo(expected.matchesPerRule());
                    for (int row = 0; row < result.rows(); row++) {
                        assertThat(result.text().copyRow(row)).isEqualTo(expected.rows()[row]);
                    }
                }
            }
        }
    }

    @Test
    void theResultKeepsTheSeparators() throws Exception {
        try (CompiledProgram<RedactedBatch> program =
                        backend.compile(new RedactPlan(RuleCompiler.compile(USUAL)));
                ColumnBatch batch =
                        BackendRedactor.batchOf(
                                backend.allocator(), 1, ascii("a secret"), ascii(""), ascii("b"));
                RedactedBatch result = program.submit(batch).await()) {
            assertThat(result.text().separatorBytes()).isEqualTo(1);
            assertThat(result.text().copy(0, result.text().dataBytes()))
                    .isEqualTo(ascii("a [S]\n\nb\n"));
        }
    }

    @Test
    void theInputIsNotWrittenTo() throws Exception {
        byte[][] rows = logRows(100, new Random(7));
        try (CompiledProgram<RedactedBatch> program =
                        backend.compile(new RedactPlan(RuleCompiler.compile(USUAL)));
                ColumnBatch batch = BackendRedactor.batchOf(backend.allocator(), 0, rows);
                RedactedBatch result = program.submit(batch).await()) {
            assertThat(result.rows()).isEqualTo(100);
            for (int i = 0; i < rows.length; i++) {
                assertThat(batch.text(0).copyRow(i)).isEqualTo(rows[i]);
            }
        }
    }

    @Test
    void aResultOutlivesItsBatchAndItsProgram() throws Exception {
        RedactedBatch result;
        try (CompiledProgram<RedactedBatch> program =
                        backend.compile(new RedactPlan(RuleCompiler.compile(USUAL)));
                ColumnBatch batch =
                        BackendRedactor.batchOf(backend.allocator(), 0, ascii("a secret"))) {
            result = program.submit(batch).await();
        }
        try (result) {
            assertThat(result.text().copyRow(0)).isEqualTo(ascii("a [S]"));
        }
    }
}
