package io.flinkgpu.bench;

import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cpu.redact.CpuRedaction;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.rules.RulePack;
import io.flinkgpu.testkit.BackendRedactor;
import io.flinkgpu.testkit.LastCompiled;
import io.flinkgpu.testkit.OracleRedactor;
import io.flinkgpu.testkit.Redactor;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.util.InstantiationUtil;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What rule packs cost, by the number of their rules: the time to compile them, and bytes of log lines
 * redacted in a second of a core's CPU time, the best of some runs.
 *
 * <p>Arguments: a folder of {@code *.log} files, then packs; {@code default} is the built-in rules. {@code -Drules=N,N}
 * takes so many rules from each, spread over the pack; {@code -Dparts=true} cuts sets that one automaton has room for;
 * {@code -Dgpu=true} measures a GPU in place of a core; {@code -Dcheck=N} compares, on N lines with words of the rules and made-up values put in, with the oracle instead.
 */
public final class PacksBench {

    private static final int BATCH_BYTES = 1 << 20;
    private static final int GPU_BATCH_BYTES = 16 << 20;
    private static final long NANOS = 3_000_000_000L;

    /** Of a rule, in an error about it. */
    private static final Pattern NUMBER = Pattern.compile("^Redaction rule '.*?' \\(#(\\d+)\\): ");

    private PacksBench() {}

    public static void main(String[] args) throws Exception {
        boolean gpu = Boolean.getBoolean("gpu");
        List<byte[]> lines =
                BenchInput.of(Optional.of(Path.of(args[0])))
                        .batches(gpu ? GPU_BATCH_BYTES : BATCH_BYTES);
        if (!gpu) {
            printHead();
        }
        for (int i = 1; i < args.length; i++) {
            List<Rule> rules = rules(args[i]);
            int checked = Integer.getInteger("check", 0);
            if (checked > 0) {
                check(args[i], RuleSet.of(rules).allowUnmatchable(), lines, checked);
                continue;
            }
            for (int count : counts(rules.size())) {
                if (gpu) {
                    System.out.printf(
                            "%s, %d rules: %s%n",
                            args[i],
                            count,
                            PackOnGpu.measure(compiled(spread(rules, count)), lines));
                    continue;
                }
                measure(Path.of(args[i]).getFileName().toString(), spread(rules, count), lines);
            }
        }
    }

    private static void printHead() {
        System.out.println(
                "| pack | rules | automata | states | tables MiB | packed MiB | load ms | MB/s | matches | hard |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|");
    }

    static List<Rule> rules(String pack) throws IOException {
        if (pack.equals("default")) {
            return DefaultRules.get().rules();
        }
        List<Rule> rules = RulePack.read(Path.of(pack)).rules();
        while (true) {
            Set<Integer> refused = refused(rules);
            if (refused.isEmpty()) {
                return rules;
            }
            List<Rule> all = rules;
            rules =
                    IntStream.range(0, all.size())
                            .filter(rule -> !refused.contains(rule))
                            .mapToObj(all::get)
                            .toList();
        }
    }

    /** Rules of a set that are refused, found by one compilation: each alone takes minutes for a large pack. */
    private static Set<Integer> refused(List<Rule> rules) {
        List<String> problems = List.of();
        try {
            RuleCompiler.compile(RuleSet.of(rules).allowUnmatchable());
        } catch (RuleException e) {
            problems = e.errors();
        }
        Set<Integer> refused = new HashSet<>();
        for (String problem : problems) {
            Matcher number = NUMBER.matcher(problem);
            if (number.find()) {
                refused.add(Integer.parseInt(number.group(1)) - 1);
            }
        }
        return refused;
    }

    private static List<Integer> counts(int all) {
        String asked = System.getProperty("rules", "");
        List<Integer> counts = new ArrayList<>();
        for (String count : asked.isEmpty() ? new String[0] : asked.split(",")) {
            if (Integer.parseInt(count) < all) {
                counts.add(Integer.parseInt(count));
            }
        }
        counts.add(all);
        return counts;
    }

    private static RuleSet spread(List<Rule> rules, int count) {
        List<Rule> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.add(rules.get((int) ((long) i * rules.size() / count)));
        }
        return RuleSet.of(some);
    }

    private static void measure(String pack, RuleSet rules, List<byte[]> lines) throws Exception {
        long start = System.nanoTime();
        CompiledRules compiled = compiled(rules);
        long loadMillis = (System.nanoTime() - start) / 1_000_000;
        try (BufferAllocator allocator = new RootAllocator(2L << 30);
                CpuRedaction redaction = new CpuRedaction(allocator, compiled, new byte[0])) {
            double best = 0;
            long matches = 0;
            long hard = 0;
            long end = System.nanoTime() + NANOS;
            for (int run = 0; run < 3 || System.nanoTime() < end; run++) {
                long bytes = 0;
                long nanos = 0;
                matches = 0;
                hard = 0;
                for (byte[] block : lines) {
                    try (ColumnBatch batch = BenchInput.batch(allocator, block);
                            ColumnBatch rows = batch.splitLines(allocator)) {
                        long began = cpuNanos();
                        try (RedactedBatch redacted = redaction.submit(rows).await()) {
                            for (long count : redacted.matchesPerRule()) {
                                matches += count;
                            }
                            hard += redacted.hardRows();
                        }
                        nanos += cpuNanos() - began;
                        bytes += block.length;
                    }
                }
                best = Math.max(best, 1e3 * bytes / nanos);
            }
            System.out.printf(
                    "| %s | %d | %d | %d | %.1f | %.1f | %d | %.0f | %d | %d |%n",
                    pack,
                    rules.size(),
                    compiled.parts().size(),
                    compiled.states(),
                    tableBytes(compiled) / 0x1p20,
                    InstantiationUtil.serializeObject(compiled).length / 0x1p20,
                    loadMillis,
                    best,
                    matches,
                    hard);
        }
    }

    private static CompiledRules compiled(RuleSet rules) {
        return Boolean.getBoolean("parts")
                ? RuleCompiler.compileInParts(rules)
                : RuleCompiler.compile(rules);
    }

    private static long tableBytes(CompiledRules compiled) {
        return compiled.parts().stream()
                .mapToLong(part -> (long) Character.BYTES * part.dfa().transitionTable().length)
                .sum();
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void check(String pack, RuleSet rules, List<byte[]> lines, int count)
            throws Exception {
        Random random = new Random(20_261_126);
        String[] words =
                rules.rules().stream()
                        .flatMap(rule -> Arrays.stream(rule.regex().split("[^A-Za-z_-]+")))
                        .filter(word -> word.length() > 2)
                        .toArray(String[]::new);
        byte[][] rows = new byte[count][];
        for (int i = 0; i < count; i++) {
            byte[] block = lines.get(random.nextInt(lines.size()));
            int from = random.nextInt(block.length);
            StringBuilder row =
                    new StringBuilder(
                            new String(
                                    block,
                                    from,
                                    Math.min(60, block.length - from),
                                    StandardCharsets.ISO_8859_1));
            for (int word = 0; word < 4; word++) {
                row.append(words[random.nextInt(words.length)]);
                row.append(new String[] {"", "=", ": \"", " = '", "_", "-"}[random.nextInt(6)]);
                String letters = random.nextBoolean() ? "0123456789abcdef" : "0aB1cD2eF3gH4iJ5kLmN";
                for (int length = random.nextInt(70); length > 0; length--) {
                    row.append(letters.charAt(random.nextInt(letters.length())));
                }
                row.append(new String[] {" ", "\"", "", ";", "'"}[random.nextInt(5)]);
            }
            rows[i] = row.toString().getBytes(StandardCharsets.ISO_8859_1);
        }
        byte[] key = new byte[HashKey.MIN_BYTES];
        Redactor.Redacted expected = new OracleRedactor().redact(rules, key, rows);
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20))) {
            Redactor.Redacted actual =
                    new BackendRedactor(backend, new LastCompiled(), 1, 64)
                            .redact(rules, key, rows);
            int differ = 0;
            int changed = 0;
            for (int i = 0; i < count; i++) {
                differ += Arrays.equals(expected.rows()[i], actual.rows()[i]) ? 0 : 1;
                changed += expected.changed()[i] ? 1 : 0;
            }
            System.out.printf(
                    "%s: %d rules, %d rows, %d redacted, %d differ%n",
                    pack, rules.size(), count, changed, differ);
        }
    }
}
