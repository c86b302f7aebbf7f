package io.flinkgpu.backend;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.oracle.BackendRedactor;
import io.flinkgpu.oracle.OracleRedactor;
import io.flinkgpu.oracle.Redactor;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
 */
public abstract class BackendContract {

    private static final byte[] NO_KEY = new byte[0];
    private static final byte[] KEY = ascii("0123456789abcdef");
    private static final Rule WORD = Rule.of("word", "\\bsecret\\w*", Action.label("[S]"));
    private static final Rule EMAIL =
            Rule.of("email", "[a-z0-9.]+@(?:[a-z0-9]+\\.)+[a-z]{2,}", Action.label("[E]"));
    private static final Rule NUMBER = Rule.of("number", "\\b\\d{4,}\\b", Action.maskKeepLast(2));
    private static final RuleSet USUAL = RuleSet.of(WORD, EMAIL, NUMBER);

    private Backend backend;

    /** Opens the backend under test; it has memory for batches of 16 MiB. */
    protected abstract Backend open() throws Exception;

    @BeforeEach
    void openBackend() throws Exception {
        backend = open();
    }

    @AfterEach
    void closeBackend() {
        if (backend != null) {
            assertThat(backend.allocator().getAllocatedMemory()).as("leaked bytes").isZero();
            backend.close();
        }
    }

    @Test
    void aBatchMayHaveNoRows() throws Exception {
        for (int separatorBytes = 0; separatorBytes <= 1; separatorBytes++) {
            try (CompiledRedaction program = backend.compile(RuleCompiler.compile(USUAL), NO_KEY);
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
        check(USUAL, logRows(rows, new Random(rows)));
    }

    @Test
    void emptyRows() throws Exception {
        check(USUAL, new byte[1][0]);
        check(USUAL, new byte[1000][0]);
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
    void longRowsAmongShortOnes(int lengthBytes) throws Exception {
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
    void matchesAtTheVeryStartAndEndOfABatch() throws Exception {
        check(USUAL, ascii("secret"));
        check(USUAL, ascii("1234"), ascii("-"), ascii("5678"));
        check(RuleSet.of(Rule.of("r", "^a|a$", Action.drop())), ascii("aaa"), ascii("a"));
    }

    @Test
    void rowsDoNotSeeTheirNeighbours() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("edge", "\\bab\\b", Action.label("1")),
                        Rule.of("inner", "\\Bcd\\B", Action.label("2")),
                        Rule.of("lines", "(?s)x.y", Action.label("3")),
                        Rule.of("end", "e$", Action.label("4")),
                        Rule.of("split", "é", Action.label("5")));
        check(rules, ascii("x"), ascii("y"), ascii("ab"), ascii("ab"), ascii("cd"), ascii("cd"));
        check(rules, ascii("e"), ascii("\n"), ascii("e\r"), ascii("\n"), ascii("x\ny"));
        check(rules, new byte[] {(byte) 0xc3}, new byte[] {(byte) 0xa9}, utf8("é"));
    }

    @Test
    void lineTerminatorsInRows() throws Exception {
        RuleSet rules = RuleSet.of(Rule.of("r", "b.*?$", Action.label("-")));
        List<byte[]> rows = new ArrayList<>();
        for (String end : new String[] {"", "\n", "\r", "\r\n", "\n\r", "\u0085", "\u2028"}) {
            rows.add(utf8("ab" + end));
            rows.add(utf8("abc" + end + end));
            rows.add(utf8(end + "b"));
        }
        check(rules, rows.toArray(byte[][]::new));
    }

    @Test
    void invalidUtf8PassesThrough() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("any", "(?s)<.{1,3}>", Action.maskKeepLast(1)),
                        Rule.of("not", "[^<>x]y", Action.drop()),
                        Rule.of("edge", "\\bz", Action.label("é")));
        int[][] bad = {
            {0x80},
            {0xc2},
            {0xe2, 0x82},
            {0xf0, 0x9f, 0x98},
            {0xc0, 0x80},
            {0xe0, 0x80, 0x80},
            {0xed, 0xa0, 0x80},
            {0xf4, 0x90, 0x80, 0x80},
            {0xf5},
            {0xff},
            {0xe2, 0x82, 'y'}
        };
        List<byte[]> rows = new ArrayList<>();
        for (int[] bytes : bad) {
            ByteArrayOutputStream row = new ByteArrayOutputStream();
            row.writeBytes(utf8("<é😀>"));
            for (String around : new String[] {"<", ">y", "yz", "éy"}) {
                row.writeBytes(utf8(around));
                for (int b : bytes) {
                    row.write(b);
                }
            }
            rows.add(row.toByteArray());
        }
        check(rules, rows.toArray(byte[][]::new));
    }

    @Test
    void everyAction() throws Exception {
        List<Action> actions =
                List.of(
                        Action.label("[é😀]"),
                        Action.label(""),
                        Action.label("$0\\"),
                        Action.maskKeepLast(0),
                        Action.maskKeepLast(4),
                        Action.maskKeepFirst(2),
                        new Action.Mask(1, 2, '#'),
                        new Action.Mask(1000, 0, '#'),
                        Action.hash("[k1:", 16, "]"),
                        Action.hash("", 64, ""),
                        Action.hash("é", 33, "é"),
                        Action.drop());
        for (Action action : actions) {
            RuleSet rules = RuleSet.of(Rule.of("r", "<[^<>]*>", action), WORD);
            byte[] longMatch = utf8("<" + "x".repeat(3000) + ">");
            byte[][] rows = {
                utf8("<>a<b>"), utf8("<é😀中>"), utf8("a<bcd>e secret <f>"), longMatch, utf8("g")
            };
            check(rules, rows);
        }
    }

    @Test
    void hashesOfEveryMatchLength() throws Exception {
        byte[][] rows = new byte[200][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = ascii("<" + "m".repeat(i + 1) + ">");
        }
        check(RuleSet.of(Rule.of("r", "m+", Action.hash("", 64, ""))), rows);
    }

    @Test
    void everyValidator() throws Exception {
        Rule luhn = Rule.of("luhn", "\\d(?:[ -]?\\d){11,18}", Action.maskKeepLast(4));
        Rule iban = Rule.of("iban", "[A-Z]{2}\\d{2}(?: ?[A-Z0-9]){11,30}", Action.label("[I]"));
        Rule ipv6 = Rule.of("ipv6", "(?i)[0-9a-f:]*:[0-9a-f:.]*", Action.label("[6]"));
        Rule ssn = Rule.of("ssn", "\\d{3}-\\d{2}-\\d{4}", Action.label("[S]"));
        Rule entropy = Rule.of("entropy", "[a-z]{8,}", Action.label("[H]"));
        RuleSet rules =
                RuleSet.of(
                        luhn.withValidator(Validator.LUHN),
                        iban.withValidator(Validator.IBAN),
                        ipv6.withValidator(Validator.IPV6),
                        ssn.withValidator(Validator.US_SSN),
                        entropy.withValidator(Validator.entropy(3)));
        check(
                rules,
                ascii(
                        "4111 1111 1111 1111 and 4111-1111-1111-1112, 14111111111111111, 123456789012"),
                ascii(
                        "DE89 3704 0044 0532 0130 00 x DE88370400440532013000 GB82WEST12345698765432"),
                ascii("::1 1::2::3 2001:db8::8:800:200c:417a ::ffff:192.0.2.1 1:2:3 12345::"),
                ascii("123-45-6709 000-45-6789 666-45-6789 900-45-6789 123-00-6789 123-45-0000"),
                ascii("abcdefgh aaaaaaaaaa abababababab xabcdefghx aabbccddeeffgghh"),
                ascii("111123-45-6789"));
    }

    @Test
    void allowListsKeepAndGoOnBehind() throws Exception {
        AllowList list = new AllowList(List.of("ab", "é"), List.of("xx", "aaa"));
        Rule rule = Rule.of("r", "a+b?|x+|é+", Action.label("-")).withAllowList(list);
        RuleSet rules = RuleSet.of(rule, Rule.of("b", "b|xb", Action.label("+")));
        check(
                rules,
                utf8("ab abb aab aaaab é éé x xx xxxb xb"),
                utf8("ab"),
                utf8("aab"),
                utf8("xx"));
    }

    @Test
    void everyRowMatches() throws Exception {
        byte[][] rows = new byte[3000][];
        Arrays.setAll(rows, i -> ascii("secret" + i));
        check(USUAL, rows);
    }

    @Test
    void everyByteIsAMatch() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("a", "a", Action.label("<a>")),
                        Rule.of("b", "b", Action.drop()),
                        Rule.of("c", "c", Action.maskKeepLast(0)));
        byte[] abc = ascii("abc".repeat(5000));
        check(rules, ascii("a"), abc, ascii("bbb"), abc, ascii("ccc"), ascii("abcabc"));
    }

    @Test
    void outputMuchLargerAndMuchSmaller() throws Exception {
        RuleSet larger = RuleSet.of(Rule.of("a", "a", Action.label("0123456789".repeat(30))));
        byte[][] rows = new byte[200][];
        Arrays.setAll(rows, i -> ascii("a".repeat(i) + "b"));
        check(larger, rows);
        check(RuleSet.of(Rule.of("a", "a+", Action.drop())), rows);
        check(RuleSet.of(Rule.of("a", "[ab]+", Action.drop())), rows);
    }

    @Test
    void rowsOverTheStepBudget() throws Exception {
        // Backtracking takes quadratic time here, so the answer is written out.
        String as = "a".repeat(1 << 16);
        String[] rows = {
            "x@a.bc", as, "y " + as + " z@a.bc", as + "@a.b", as + "@a.bc", "1234", as
        };
        String[] redacted = {"[E]", as, "y " + as + " [E]", as + "@a.b", "[E]", "**34", as};
        for (int separatorBytes = 0; separatorBytes <= 1; separatorBytes++) {
            Redactor.Redacted actual =
                    new BackendRedactor(backend, separatorBytes, rows.length)
                            .redact(USUAL, NO_KEY, bytes(rows));
            assertThat(actual.rows()).isEqualTo(bytes(redacted));
            assertThat(actual.matchesPerRule()).containsExactly(0, 3, 1);
            assertThat(actual.changed())
                    .containsExactly(true, false, true, false, true, true, false);
        }
    }

    @Test
    void answersDoNotDependOnBatchCuts() throws Exception {
        byte[][] rows = logRows(500, new Random(5));
        Redactor.Redacted expected = new OracleRedactor().redact(USUAL, NO_KEY, rows);
        for (int rowsPerBatch : new int[] {1, 2, 7, 64, 499, 500}) {
            Redactor.Redacted actual =
                    new BackendRedactor(backend, 1, rowsPerBatch).redact(USUAL, NO_KEY, rows);
            assertSame(actual, expected, "rowsPerBatch=" + rowsPerBatch);
        }
    }

    @Test
    void severalProgramsAndBatchesAtOnce() throws Exception {
        RuleSet other = RuleSet.of(Rule.of("s", "\\S+", Action.hash("", 16, "")));
        byte[][] rows = logRows(200, new Random(6));
        List<CompiledRedaction.Submission> submissions = new ArrayList<>();
        List<ColumnBatch> batches = new ArrayList<>();
        try (CompiledRedaction one = backend.compile(RuleCompiler.compile(USUAL), NO_KEY);
                CompiledRedaction two = backend.compile(RuleCompiler.compile(other), KEY)) {
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
        try (CompiledRedaction program = backend.compile(RuleCompiler.compile(USUAL), NO_KEY);
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
        try (CompiledRedaction program = backend.compile(RuleCompiler.compile(USUAL), NO_KEY);
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
        try (CompiledRedaction program = backend.compile(RuleCompiler.compile(USUAL), NO_KEY);
                ColumnBatch batch =
                        BackendRedactor.batchOf(backend.allocator(), 0, ascii("a secret"))) {
            result = program.submit(batch).await();
        }
        try (result) {
            assertThat(result.text().copyRow(0)).isEqualTo(ascii("a [S]"));
        }
    }

    private void check(RuleSet rules, byte[]... rows) throws Exception {
        byte[] key = rules.needsHashKey() ? KEY : NO_KEY;
        Redactor.Redacted expected = new OracleRedactor().redact(rules, key, rows);
        for (int separatorBytes = 0; separatorBytes <= 1; separatorBytes++) {
            Redactor.Redacted actual =
                    new BackendRedactor(backend, separatorBytes, rows.length)
                            .redact(rules, key, rows);
            assertSame(actual, expected, "separatorBytes=" + separatorBytes);
        }
    }

    private static void assertSame(
            Redactor.Redacted actual, Redactor.Redacted expected, String description) {
        for (int i = 0; i < expected.rows().length; i++) {
            assertThat(latin1(actual.rows()[i]))
                    .as("row %d, %s", i, description)
                    .isEqualTo(latin1(expected.rows()[i]));
        }
        assertThat(actual.changed()).as(description).isEqualTo(expected.changed());
        assertThat(actual.matchesPerRule()).as(description).isEqualTo(expected.matchesPerRule());
    }

    private static byte[][] logRows(int rows, Random random) {
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

    private static byte[][] bytes(String... rows) {
        return Arrays.stream(rows).map(BackendContract::ascii).toArray(byte[][]::new);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
