package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Context;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.EmulatedKernels;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.testkit.ManyRules;
import io.flinkgpu.testkit.RandomRules;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.automaton.UnknownBytes;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The kernels' own source, compiled for the CPU with sanitizers, fed with this side's tables and
 * finished by this side's host share, against the CPU backend. Needs no GPU; the program is built by
 * the kernels module where g++ is there.
 *
 * <p>Covers: CudaRedaction, RedactSlot, RuleTables, TextTables, DeviceRules.
 */
class KernelEmulationTest {

    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.UTF_8);
    private static final long SEED = 20260101;
    private static final int ROWS = 5000;
    private static final int SETS = 12;
    private static final String[] WORDS = {
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----END RSA PRIVATE KEY-----",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc",
        "AKIAABCDEFGHIJKLMNOP",
        "\u00e9",
        "\u65e5",
        "ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2",
        "https://bob:hunter2@host/x",
        "password=hunter22",
        "Authorization: Bearer abcdef123456",
        "api_key: \"f00ba4r!!\"",
        "bob.smith@corp.example.org",
        "4111111111111111",
        "4111-1111-1111-1111",
        "4111111111111112",
        "DE89370400440532013000",
        "GB82 WEST 1234 5698 7654 32",
        "DE89370400440532013001",
        "123-45-6709",
        "+1 (415) 555-0132",
        "550e8400-e29b-41d4-a716-446655440000",
        "00:1A:2b:3c:4D:5e",
        "2001:db8::8:800:200c:417a",
        "::1",
        "1:2:3:4:5:6:7:8",
        "12:34:56",
        "10.1.2.3",
        "255.255.255.255",
        "6.1.7601.17514",
        "S-1-5-21-1004336348-1177238915-682003330-512",
        "S-1-5-32-544",
        "S-1-5-32-",
        "41111111-1111-1111-1111-2e2c5d1e8a3f",
        "00:00:00:00:00:00",
        "127.0.0.1",
        "@example.com",
        "C:\\Users\\bob\\x",
        "/home/alice/x",
        "dob: 1980-01-02",
        "\ud83d\ude00",
        "\u00a0",
        "\r",
        "\n",
        " ",
        ", ",
        "\"",
        "x",
        "0",
        "abc",
        "INFO",
        "\t",
        "hello world",
        "=",
        ":",
        "/",
        "-",
        "_",
        "@",
        "."
    };

    @TempDir Path directory;

    @Test
    void theDefaultRules() throws Exception {
        compare(DefaultRules.all(), false);
    }

    @Test
    void everyActionValidatorAndAllowList() throws Exception {
        Action[] actions = {
            Action.hash("<k1:", 16, ">"),
            Action.maskKeepFirst(2),
            Action.drop(),
            new Action.Mask(2, 3, '#'),
            Action.label(""),
            Action.label("a label that is longer than most of what it replaces")
        };
        List<Rule> rules = new ArrayList<>();
        for (Rule rule : DefaultRules.all().rules()) {
            Action action = actions[rules.size() % actions.length];
            Rule changed =
                    new Rule(rule.name(), rule.regex(), action, rule.validator(), rule.allowList())
                            .withGroup(rule.group());
            rules.add(
                    switch (rule.name()) {
                        case "ipv4" ->
                                changed.withAllowList(
                                        new AllowList(
                                                List.of("10.1.2.3", "1"),
                                                List.of("255.", "255.2", "6.1")));
                        case "secret_kv" -> changed.withValidator(Validator.entropy(3.0));
                        default -> changed;
                    });
        }
        compare(RuleSet.of(rules), false);
    }

    /** Later rules at the start of a match that is refused or kept, and all rules within it. */
    @Test
    void whatRefusedAndKeptMatchesHide() throws Exception {
        compare(
                RuleSet.of(
                        Rule.of("long", "\\b[0-9A-Za-z]{12,}\\b", Action.drop())
                                .withValidator(Validator.LUHN),
                        Rule.of("sid", "S-[-0-9]+\\b", Action.label("<sid>"))
                                .withAllowList(AllowList.ofPrefixes("S-1-5-32-", "S-1-5-21")),
                        Rule.of("dotted", "\\b[0-9.:-]{4,}\\b", Action.maskKeepFirst(1))
                                .withValidator(Validator.US_SSN),
                        Rule.of("upper", "\\b[A-Z0-9]{4,}\\b", Action.label("<upper>"))
                                .withValidator(Validator.entropy(3.2)),
                        Rule.of("number", "\\b[0-9]{2,9}\\b", Action.hash("<", 16, ">"))
                                .withAllowList(AllowList.ofPrefixes("1", "5", "41")),
                        Rule.of("sixteen", "\\b[0-9]{16}|AKIA[A-Z]+", Action.label("<16>")),
                        Rule.of("mail", "\\b[A-Za-z0-9]+@\\w+", Action.label("<mail>"))),
                false);
    }

    @Test
    void whatIsAroundAMatchIsLeftToTheHost() throws Exception {
        compare(
                RuleSet.of(
                        Rule.of("number", "\\b[0-9]{2,}", Action.label("<n>"))
                                .withContext(Context.near(6, 3, "INFO", "hello")),
                        Rule.of("letters", "[a-z]{3,}", Action.maskKeepFirst(1))
                                .withContext(Context.inRecord("@"))
                                .withAllowList(AllowList.ofStopWords("WORLD")),
                        Rule.of("upper", "\\b[A-Z0-9]{4,}\\b", Action.label("<upper>"))
                                .withAllowList(
                                        AllowList.EMPTY.withPattern(
                                                "^[A-Z]", AllowList.Target.SECRET)),
                        Rule.of("all digits", "[0-9]+", Action.label("<digits>"))),
                true);
    }

    /** In few rows do the kernels have no steps left to look for them. */
    @Test
    void rowsWithoutAWordOfAContextAreNotLeftToTheHost() throws Exception {
        Context nowhere = Context.inRecord("Nowhere", "inf\u00f6", "10.1.2.4");
        RuleSet none =
                RuleSet.of(
                        Rule.of("host", "@([a-z]+)", Action.label("<h>"))
                                .withGroup("1")
                                .withContext(nowhere),
                        Rule.of("four", "\\b[0-9]{4}\\b", Action.counter("<n", ">"))
                                .withContext(nowhere),
                        Rule.of("four again", "\\b[0-9]{2,4}\\b", Action.label("<4>"))
                                .withContext(Context.inRecord("nowhere")),
                        Rule.of("mail", "\\w+@|@[a-z.]+", Action.label("<mail>")));
        RuleSet some =
                RuleSet.of(
                        Rule.of("four", "\\b[0-9]{4}\\b", Action.hash("<", 16, ">"))
                                .withContext(Context.inRecord("Hello W", "info", "\u65e5"))
                                .withAllowList(AllowList.ofValues("4111")),
                        Rule.of("to four", "\\b[0-9]{2,4}\\b", Action.maskKeepFirst(1))
                                .withContext(Context.inRecord("akia", "UTF", "info")),
                        Rule.of("at", "@", Action.label("<at>"))
                                .withContext(Context.inRecord("BOB.", ", \"")));
        for (RuleSet rules : List.of(none, some)) {
            Left few = new Left(0, ROWS / 50);
            compare(RuleCompiler.compile(rules), rowsWithWords(), false, few);
            compare(RuleCompiler.compileInParts(rules), rowsWithWords(), false, few);
        }
    }

    /** Words across each border of 16 bytes, and after many bytes, among random ones. */
    private static Function<Random, byte[]> rowsWithWords() {
        int[] row = {0};
        return random -> {
            int at = row[0]++;
            if (at % 10 != 3) {
                return randomRow(random);
            }
            String before = ".".repeat(at % 1000 == 503 ? (32 << 10) + at % 16 : at / 10 % 32);
            return (before + "Hello World 1980 @ 41").getBytes(StandardCharsets.US_ASCII);
        };
    }

    @Test
    void countedReplacementsAreLeftToTheHost() throws Exception {
        compare(
                RuleSet.of(
                        Rule.of("number", "\\b[0-9]{2,}", Action.counter("<n", ">")),
                        Rule.of("upper", "\\b[A-Z0-9]{4,}\\b", Action.counter("", "")),
                        Rule.of("letters", "[a-z]{5,}", Action.label("<l>"))),
                true);
    }

    /** Such rows are left to the host: a rule has to leave alone what it finds in a text it kept. */
    @Test
    void aRuleThatFindsMoreWithinWhatItKept() throws Exception {
        compare(
                RuleSet.of(
                        Rule.of("digits", "[0-9.]{2,}", Action.label("#"))
                                .withAllowList(AllowList.ofPrefixes("127.", "10.")),
                        Rule.of("one", "1[0-9]", Action.label("<1>"))),
                true);
    }

    @Test
    void rowsOverTheStepLimitAreFinishedOnTheHost() throws Exception {
        compare(
                RuleSet.of(
                        Rule.of("open", "x[^z]*z|[a-f]+$", Action.hash("", 64, "")),
                        Rule.of("end", ".(?:\u00e9|\u65e5)+$", Action.maskKeepLast(1)),
                        Rule.of("entropy", "[a-z0-9]{4,}", Action.maskKeepFirst(1))
                                .withValidator(Validator.entropy(2.5))),
                true);
    }

    /** Most of them are tried where a text is. */
    @Test
    void manyRules() throws Exception {
        ManyRules many = new ManyRules(new Random(SEED));
        List<Rule> rules = new ArrayList<>();
        for (Rule rule : many.rules(600).rules()) {
            // Of a rule with a group, and of one with a drop, each match is left to the host.
            Action action = rule.action().equals(Action.drop()) ? Action.label("-") : rule.action();
            rules.add(
                    rules.size() % 20 == 0
                            ? rule
                            : new Rule(
                                    rule.name(),
                                    rule.regex(),
                                    rules.size() % 3 == 0 ? Action.maskKeepLast(2) : action,
                                    rule.validator(),
                                    rule.allowList()));
        }
        CompiledRules compiled = RuleCompiler.compile(RuleSet.of(rules).allowUnmatchable());
        assertThat(compiled.parts()).hasSizeGreaterThan(200);
        compare(compiled, random -> many.row(), true, new Left(1, ROWS / 5));
        // Of those that are too large for an automaton, too.
        RuleSet few = RuleSet.of(rules.subList(0, 20)).allowUnmatchable();
        compare(RuleCompiler.compileInParts(few, 0), random -> many.row(), true, Left.SOME);
    }

    @Test
    void rulesThatAllHaveATextAndRulesOfWhichNoneHas() throws Exception {
        compare(
                RuleCompiler.compileInParts(
                        RuleSet.of(
                                Rule.of("key", "AKIA[A-Z0-9]{16}", Action.hash("<", 16, ">"))
                                        .withAllowList(AllowList.ofPrefixes("AKIAIOSF")),
                                Rule.of("far", "\\w*@[a-z.]+com", Action.label("<mail>")),
                                Rule.of("card", "4111[-0-9]+", Action.maskKeepLast(4))
                                        .withValidator(Validator.LUHN))),
                KernelEmulationTest::randomRow,
                false,
                new Left(0, ROWS / 20));
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            rules.add(
                    Rule.of("r" + i, "\\b[0-9]{" + (i + 2) + "}\\b", Action.label("<" + i + ">")));
        }
        compare(
                RuleCompiler.compileInParts(RuleSet.of(rules)),
                KernelEmulationTest::randomRow,
                false,
                new Left(0, 0));
    }

    @Test
    void randomRulesInSeveralAutomata() throws Exception {
        for (int set = 0; set < SETS; set++) {
            RandomRules random = RandomRules.of(SEED + set, 200);
            CompiledRules rules;
            try {
                rules = RuleCompiler.compileInParts(random.rules());
            } catch (RuleException e) {
                continue;
            }
            Iterator<byte[]> rows =
                    Stream.generate(() -> Arrays.stream(random.rows()))
                            .flatMap(row -> row)
                            .iterator();
            compare(rules, any -> rows.next(), false, Left.ANY);
        }
    }

    private void compare(RuleSet ruleSet, boolean hostile) throws Exception {
        Left left = hostile || leavesNothing(ruleSet) ? Left.SOME : new Left(0, 0);
        Function<Random, byte[]> rows = KernelEmulationTest::randomRow;
        compare(RuleCompiler.compile(ruleSet), rows, hostile, left);
        // An automaton does not know of a rule in another one that is in the way of what one finds
        // in what it kept.
        Left ofParts = left == Left.SOME ? left : new Left(0, ROWS / 20);
        compare(RuleCompiler.compileInParts(ruleSet), rows, hostile, ofParts);
    }

    /** How many rows the kernels leave to the host, other than for their bytes. */
    private record Left(int least, int most) {

        static final Left SOME = new Left(1, ROWS);
        static final Left ANY = new Left(0, ROWS);
    }

    /**
     * @param hostile whether there are rows that take too many steps
     */
    private void compare(
            CompiledRules rules, Function<Random, byte[]> rows, boolean hostile, Left left)
            throws Exception {
        try (CpuBackend cpu = CpuBackend.open(TestRequests.of(1L << 30));
                CompiledProgram<RedactedBatch> oracle = cpu.compile(new RedactPlan(rules))) {
            for (int separatorBytes = 0; separatorBytes < 2; separatorBytes++) {
                Random random = new Random(SEED + separatorBytes);
                try (ColumnBatch batch =
                                randomBatch(
                                        cpu.allocator(), random, rows, separatorBytes, hostile);
                        RedactedBatch expected = oracle.submit(batch).await()) {
                    emulate(cpu.allocator(), rules, batch.text(0), expected, left);
                }
            }
        }
    }

    private static ColumnBatch randomBatch(
            BufferAllocator allocator,
            Random random,
            Function<Random, byte[]> rows,
            int separatorBytes,
            boolean hostile) {
        try (BatchBuilder builder = new BatchBuilder(allocator, ROWS, 4 << 20, separatorBytes)) {
            for (int i = 0; i < ROWS; i++) {
                byte[] row =
                        hostile && i % 1000 == 17
                                ? "xa"
                                        .repeat(2000 + random.nextInt(2000))
                                        .getBytes(StandardCharsets.UTF_8)
                                : rows.apply(random);
                assertThat(builder.append(row, 0, row.length)).isTrue();
            }
            return builder.build();
        }
    }

    private static byte[] randomRow(Random random) {
        StringBuilder text = new StringBuilder();
        int words = random.nextInt(50) == 0 ? 150 : random.nextInt(12);
        for (int i = 0; i < words; i++) {
            text.append(WORDS[random.nextInt(WORDS.length)])
                    .append(random.nextBoolean() ? " " : "");
        }
        byte[] row = text.toString().getBytes(StandardCharsets.UTF_8);
        if (row.length > 0 && random.nextInt(5) == 0) {
            row[random.nextInt(row.length)] = (byte) random.nextInt(256);
        }
        return row;
    }

    private void emulate(
            BufferAllocator allocator,
            CompiledRules rules,
            TextView text,
            RedactedBatch expected,
            Left left)
            throws Exception {
        RuleTables tables = new RuleTables(rules);
        writeInput(allocator, tables, text);
        Process process =
                new ProcessBuilder(
                                EmulatedKernels.program("redact").toString(),
                                directory.toString(),
                                Integer.toString(text.separatorBytes()))
                        .inheritIO()
                        .start();
        assertThat(process.waitFor()).isZero();
        byte[] header = read("header");
        byte[] patches = read("patches");
        try (ArrowBuf headerCopy = allocator.buffer(header.length);
                ArrowBuf patchCopy = allocator.buffer(patches.length);
                ArrowBuf overCopy =
                        allocator.buffer((long) RedactAbi.OVER_ROW_BYTES * text.rows());
                OutputColumns output =
                        new OutputColumns(
                                allocator,
                                text.rows(),
                                tables.ruleCount(),
                                text.separatorBytes(),
                                read("output").length)) {
            copy(header, headerCopy.memoryAddress());
            copy(patches, patchCopy.memoryAddress());
            copy(read("output"), output.dataAddress());
            copy(read("output_offsets"), output.offsetsAddress());
            copy(read("changed"), output.changedAddress());
            RedactHeader found = RedactHeader.read(headerCopy.memoryAddress(), tables.ruleCount());
            HostFinish finish = new HostFinish(rules, KEY);
            finish.writeHashes(text, patchCopy.memoryAddress(), found.hashMatches(), output);
            byte[] overList = read("over_rows");
            copy(overList, overCopy.memoryAddress());
            int[] overRows = rowsOf(text, ints(overList));
            assertThat(overRows).hasSize(found.overRows());
            assertHidden(text, overRows, output);
            int[] unknown =
                    IntStream.range(0, text.rows())
                            .filter(row -> isUnknown(text.copyRow(row)))
                            .toArray();
            assertThat(unknown.length > 0 || left == Left.ANY).isTrue();
            assertThat(overRows).contains(unknown);
            assertThat(overRows.length - unknown.length).isBetween(left.least(), left.most());
            long[] matches = found.matchesPerRule();
            OutputColumns filled =
                    finish.fillRows(
                            text,
                            false,
                            overCopy.memoryAddress(),
                            overRows.length,
                            output,
                            matches);
            try (RedactedBatch actual = filled.toBatch(matches, 0)) {
                assertSame(text, actual, expected);
            } finally {
                if (filled != output) {
                    filled.close();
                }
            }
        }
    }

    private static int[] rowsOf(TextView text, int[] overList) {
        int[] starts = IntStream.range(0, text.rows()).map(text::start).toArray();
        return IntStream.range(0, overList.length / 2)
                .map(i -> lastRowFrom(starts, overList[2 * i]))
                .toArray();
    }

    /** Rows without bytes start where the next one does. */
    private static int lastRowFrom(int[] starts, int start) {
        int row = Arrays.binarySearch(starts, start);
        while (row + 1 < starts.length && starts[row + 1] == start) {
            row++;
        }
        return row;
    }

    private static void assertHidden(TextView text, int[] rows, OutputColumns output) {
        for (int row : rows) {
            byte[] shown = new byte[text.end(row) - text.start(row)];
            MemoryUtil.copyFromMemory(
                    output.dataAddress() + output.offset(row), shown, 0, shown.length);
            assertThat(new String(shown, StandardCharsets.ISO_8859_1))
                    .isEqualTo("*".repeat(shown.length));
        }
    }

    private static boolean isUnknown(byte[] row) {
        return UnknownBytes.firstIn(row, row.length) < row.length;
    }

    private static boolean leavesNothing(RuleSet rules) {
        return rules.rules().stream().anyMatch(rule -> rule.action().equals(Action.drop()));
    }

    private static void assertSame(TextView text, RedactedBatch actual, RedactedBatch expected) {
        for (int row = 0; row < text.rows(); row++) {
            String what = "seed " + SEED + ", row " + row + ": " + latin1(text, row);
            assertThat(latin1(actual.text(), row)).as(what).isEqualTo(latin1(expected.text(), row));
            assertThat(actual.changed(row)).as(what).isEqualTo(expected.changed(row));
        }
        assertThat(actual.text().copy(0, actual.text().dataBytes()))
                .isEqualTo(expected.text().copy(0, expected.text().dataBytes()));
        assertThat(actual.matchesPerRule()).isEqualTo(expected.matchesPerRule());
    }

    private static String latin1(TextView text, int row) {
        return new String(text.copyRow(row), StandardCharsets.ISO_8859_1);
    }

    private void writeInput(BufferAllocator allocator, RuleTables tables, TextView text)
            throws IOException {
        Files.write(directory.resolve("tables"), tables.takeBytes());
        int bytes =
                RedactAbi.TEXT_TABLES_BYTES
                        + RedactAbi.TABLES_BYTES * Math.max(1, tables.automata());
        try (ArrowBuf structs = allocator.buffer(bytes)) {
            long at = structs.memoryAddress();
            tables.writeTexts(at, 0);
            at += RedactAbi.TEXT_TABLES_BYTES;
            for (int i = 0; i < Math.max(1, tables.automata()); i++) {
                tables.writeStruct(i, at, 0);
                at += RedactAbi.TABLES_BYTES;
            }
            write("structs", structs.memoryAddress(), bytes);
        }
        write("data", text.dataAddress(), text.dataBytes());
        write("offsets", text.offsetsAddress(), 4 * (text.rows() + 1));
    }

    private void write(String name, long address, int lengthBytes) throws IOException {
        byte[] bytes = new byte[lengthBytes];
        MemoryUtil.copyFromMemory(address, bytes, 0, lengthBytes);
        Files.write(directory.resolve(name), bytes);
    }

    private byte[] read(String name) throws IOException {
        return Files.readAllBytes(directory.resolve(name));
    }

    private static void copy(byte[] bytes, long address) {
        MemoryUtil.copyToMemory(bytes, 0, address, bytes.length);
    }

    private static int[] ints(byte[] bytes) {
        int[] values = new int[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(values);
        return values;
    }
}
