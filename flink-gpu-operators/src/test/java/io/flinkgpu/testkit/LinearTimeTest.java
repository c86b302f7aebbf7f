package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.LinearMatches;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.automaton.LinearMatcher;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No row costs more than time linear in its length, under the built-in rules.
 *
 * <p>Covers: LinearMatcher, text.TextPart.
 */
class LinearTimeTest {

    private static final int SHORT_BYTES = 1 << 16;
    private static final int LONG_BYTES = 1 << 20;
    private static final double MAX_RATIO = 3.0 * LONG_BYTES / SHORT_BYTES;
    private static final double MAX_LONG_SECONDS = 20;
    private static final int TRIES = 4;
    private static final long SEED = 20_260_101;

    private final CompiledRules rules = RuleCompiler.compile(DefaultRules.all());

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final LongSupplier THREAD_NANOS =
            ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime;

    /** Something that reads a row to its end. */
    private interface Reader {
        void read(byte[] row) throws Exception;
    }

    @Test
    void cpuBackend() throws Exception {
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20));
                CompiledProgram<RedactedBatch> program = backend.compile(new RedactPlan(rules))) {
            check(LinearTimeTest::cpuNanos, row -> redact(backend, program, row));
        }
    }

    @Test
    @Tag("gpu")
    void cudaBackend() throws Exception {
        try (Backend backend = CudaBackend.open(TestRequests.of(256L << 20));
                CompiledProgram<RedactedBatch> program = backend.compile(new RedactPlan(rules))) {
            check(System::nanoTime, row -> redact(backend, program, row));
        }
    }

    @Test
    void linearMatcher() throws Exception {
        LinearMatcher matcher = rules.newLinearMatcher();
        check(
                LinearTimeTest::cpuNanos,
                row -> {
                    matcher.reset(row, row.length);
                    int from = 0;
                    while (matcher.find(from)) {
                        from = matcher.end();
                    }
                });
    }

    /** A match that reaches far and is rejected is searched again from its next code point. */
    @ParameterizedTest
    @CsvSource({
        "1, '\\d{12,}', LUHN, 0",
        "A1, '[A-Z0-9 ]+', IBAN, 0",
        "1:, '[0-9a-f:]+', IPV6, 0",
        "1, '\\d{3}.*\\d', US_SSN, 0",
        "a, '[a-z]{8,}', ENTROPY, 4000",
    })
    void rejectedMatches(String unit, String regex, Validator.Kind kind, int milliBits)
            throws Exception {
        Rule rule =
                Rule.of("r", regex, Action.drop()).withValidator(new Validator(kind, milliBits));
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20));
                CompiledProgram<RedactedBatch> program =
                        backend.compile(new RedactPlan(RuleCompiler.compile(RuleSet.of(rule))))) {
            byte[] shortRow = filled("", unit, SHORT_BYTES);
            Reader reader = row -> redact(backend, program, row);
            reader.read(shortRow);
            check(LinearTimeTest::cpuNanos, reader, regex, shortRow, filled("", unit, LONG_BYTES));
        }
    }

    /** Several rules match far from every start, and all of them are refused or kept. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "12", "1a", "1.1:"})
    void rejectedAndKeptMatchesOfSeveralRules(String unit) throws Exception {
        RuleSet several =
                RuleSet.of(
                        Rule.of("luhn", "\\d{12,}", Action.drop()).withValidator(Validator.LUHN),
                        Rule.of("ssn", "\\d.*\\w", Action.drop()).withValidator(Validator.US_SSN),
                        Rule.of("kept", "[^x]+[^y]", Action.drop())
                                .withAllowList(new AllowList(List.of(), List.of("1", "2", ":"))),
                        Rule.of("ipv6", "[0-9a-f:.]+", Action.drop()).withValidator(Validator.IPV6),
                        Rule.of("end", "[1-9a-f.:]*x", Action.drop()));
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20));
                CompiledProgram<RedactedBatch> program =
                        backend.compile(new RedactPlan(RuleCompiler.compile(several)))) {
            byte[] shortRow = filled("", unit, SHORT_BYTES);
            Reader reader = row -> redact(backend, program, row);
            reader.read(shortRow);
            check(LinearTimeTest::cpuNanos, reader, unit, shortRow, filled("", unit, LONG_BYTES));
        }
    }

    /** What a match's group costs does not grow with the rules that the set has besides. */
    @Test
    void groupsOfManyShortMatchesAmongManyRules() throws Exception {
        Rule group = Rule.of("group", "=([a-z])", Action.drop()).withGroup("1");
        List<Rule> many = new ArrayList<>(List.of(group));
        for (int i = 100; i < 250; i++) {
            many.add(Rule.of("r" + i, "z" + i + "[0-9]{90}", Action.drop()));
        }
        Reader alone = groupReader(RuleSet.of(group));
        Reader amongMany = groupReader(RuleSet.of(many));
        byte[] row = filled("", "=a", SHORT_BYTES);
        double aloneSeconds = Double.MAX_VALUE;
        double amongManySeconds = Double.MAX_VALUE;
        for (int i = 0; i < 3 * TRIES; i++) {
            aloneSeconds = Math.min(aloneSeconds, seconds(THREAD_NANOS, alone, row));
            amongManySeconds = Math.min(amongManySeconds, seconds(THREAD_NANOS, amongMany, row));
        }
        assertThat(amongManySeconds)
                .as("%.5f s for 64 KiB, %.5f s among many", aloneSeconds, amongManySeconds)
                .isLessThan(4 * aloneSeconds);
    }

    private static Reader groupReader(RuleSet ruleSet) {
        LinearMatches matches = RuleCompiler.compile(ruleSet).newMatches();
        return row -> {
            matches.reset(row, row.length);
            int found = 0;
            for (int from = 0; matches.find(from); from = matches.end()) {
                found += matches.replacedStart() - matches.start();
            }
            matches.release();
            assertThat(found).isEqualTo(row.length / 2);
        };
    }

    private void check(LongSupplier clock, Reader reader) throws Exception {
        Map<String, byte[]> shortRows = rows(SHORT_BYTES);
        Map<String, byte[]> longRows = rows(LONG_BYTES);
        for (byte[] row : shortRows.values()) {
            reader.read(row);
        }
        for (Map.Entry<String, byte[]> entry : longRows.entrySet()) {
            check(clock, reader, entry.getKey(), shortRows.get(entry.getKey()), entry.getValue());
        }
    }

    /** Takes the least time of each, and more tries only while they look too slow. */
    private static void check(
            LongSupplier clock, Reader reader, String name, byte[] shortRow, byte[] longRow)
            throws Exception {
        double shortSeconds = Double.MAX_VALUE;
        double longSeconds = Double.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            shortSeconds = Math.min(shortSeconds, seconds(clock, reader, shortRow));
            longSeconds = Math.min(longSeconds, seconds(clock, reader, longRow));
            if (longSeconds < MAX_RATIO * Math.max(shortSeconds, 0.001)
                    && longSeconds < MAX_LONG_SECONDS) {
                break;
            }
        }
        // A short time is mostly noise: 1 MiB in 50 ms is as good.
        assertThat(longSeconds / Math.max(shortSeconds, 0.001))
                .as("%s: %.4f s for 64 KiB, %.4f s for 1 MiB", name, shortSeconds, longSeconds)
                .isLessThan(MAX_RATIO);
        assertThat(longSeconds).as(name).isLessThan(MAX_LONG_SECONDS);
    }

    private static double seconds(LongSupplier clock, Reader reader, byte[] row) throws Exception {
        long start = clock.getAsLong();
        reader.read(row);
        return (clock.getAsLong() - start) / 1e9;
    }

    /** Of all threads of this process, as the backends have their own; what other processes do does not matter. */
    private static long cpuNanos() {
        return LongStream.of(THREADS.getAllThreadIds())
                .map(id -> Math.max(0, THREADS.getThreadCpuTime(id)))
                .sum();
    }

    private static void redact(Backend backend, CompiledProgram<RedactedBatch> program, byte[] row)
            throws Exception {
        try (ColumnBatch batch = BackendRedactor.batchOf(backend.allocator(), 1, row);
                RedactedBatch result = program.submit(batch).await()) {
            assertThat(result.rows()).isEqualTo(1);
        }
    }

    private static Map<String, byte[]> rows(int lengthBytes) {
        Map<String, byte[]> rows = new LinkedHashMap<>();
        for (String unit : List.of("a", "1", "a.", "1 ", "é", "naïve", "-", ":", "A1", "\\", "=")) {
            rows.put(unit, filled("", unit, lengthBytes));
        }
        rows.put("x@a.a.a", filled("x@", "a.", lengthBytes));
        rows.put("invalid", filled("", "\u0080", lengthBytes, StandardCharsets.ISO_8859_1));
        for (Rule rule : DefaultRules.all().rules()) {
            List<byte[]> near = NearMatches.rows(rule.regex(), new Random(SEED), lengthBytes);
            for (int i = 0; i < near.size(); i++) {
                rows.put(rule.name() + " " + i, near.get(i));
            }
        }
        return rows;
    }

    private static byte[] filled(String head, String unit, int lengthBytes) {
        return filled(head, unit, lengthBytes, StandardCharsets.UTF_8);
    }

    private static byte[] filled(String head, String unit, int lengthBytes, Charset charset) {
        byte[] row = new byte[lengthBytes];
        byte[] headBytes = head.getBytes(charset);
        byte[] unitBytes = unit.getBytes(charset);
        for (int i = 0; i < lengthBytes; i++) {
            row[i] =
                    i < headBytes.length
                            ? headBytes[i]
                            : unitBytes[(i - headBytes.length) % unitBytes.length];
        }
        return row;
    }
}
