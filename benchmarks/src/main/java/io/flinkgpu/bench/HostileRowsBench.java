package io.flinkgpu.bench;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cpu.redact.CpuRedaction;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a byte of a hostile row costs a core, by rule set and text: the least CPU time of a few runs, and how
 * many times as much that is as a byte of log text costs under the built-in rules.
 */
public final class HostileRowsBench {

    private static final int ROW_BYTES = 128 << 10;
    private static final int RUNS = 3;
    private static final long LONGEST_NANOS = 600_000_000;
    private static final String LOG =
            "2026-01-07 12:31:01,123 INFO [http-nio-8080-exec-7] c.e.orders.OrderService - order 4711"
                    + " accepted for customer 2231 took=35ms ";

    private HostileRowsBench() {}

    public static void main(String[] args) throws Exception {
        double plain = 0;
        System.out.println("| rules | text | ns a byte | times log text | hard |");
        System.out.println("|---|---|---|---|---|");
        for (Map.Entry<String, RuleSet> rules : ruleSets().entrySet()) {
            try (BufferAllocator allocator = new RootAllocator(1 << 30);
                    CpuRedaction redaction =
                            new CpuRedaction(
                                    allocator,
                                    RuleCompiler.compile(rules.getValue()),
                                    new byte[0])) {
                // Compiled code is what is measured.
                for (int i = 0; i < 300; i++) {
                    measure(allocator, redaction, LOG);
                }
                Cost log = measure(allocator, redaction, LOG);
                plain = plain == 0 ? log.nanosPerByte() : plain;
                print(rules.getKey(), "log text", log, plain);
                for (String text : texts()) {
                    print(
                            rules.getKey(),
                            "`" + text + "`",
                            measure(allocator, redaction, text),
                            plain);
                }
            }
        }
    }

    private record Cost(double nanosPerByte, boolean isHard) {}

    private static void print(String rules, String text, Cost cost, double plain) {
        System.out.printf(
                "| %s | %s | %.1f | %.0f | %s |%n",
                rules,
                text,
                cost.nanosPerByte(),
                cost.nanosPerByte() / plain,
                cost.isHard() ? "yes" : "no");
    }

    private static Cost measure(
            BufferAllocator allocator, CompiledProgram<RedactedBatch> redaction, String text)
            throws Exception {
        // What is before a bar stands once, at the start of the row.
        String unit = text.substring(text.indexOf('|') + 1);
        String row =
                text.substring(0, text.length() - unit.length())
                        + unit.repeat(ROW_BYTES / unit.length());
        try (BatchBuilder builder = new BatchBuilder(allocator, 1, row.length(), 0)) {
            builder.append(row);
            try (ColumnBatch batch = builder.build()) {
                long began = cpuNanos();
                long least = Long.MAX_VALUE;
                boolean hard = false;
                for (int i = 0; i < RUNS && cpuNanos() - began < LONGEST_NANOS; i++) {
                    long start = cpuNanos();
                    try (RedactedBatch redacted = redaction.submit(batch).await()) {
                        hard = redacted.hardRows() > 0;
                    }
                    least = Math.min(least, cpuNanos() - start);
                }
                return new Cost((double) least / row.length(), hard);
            }
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static String[] texts() {
        return new String[] {
            "x@|a.",
            "x@a.a.a",
            "@|11.",
            "a",
            "1",
            "foo ",
            "4111 1111 1111 1112 ",
            "::1",
            "foo     ",
            "ab"
        };
    }

    private static Map<String, RuleSet> ruleSets() {
        Map<String, RuleSet> sets = new LinkedHashMap<>();
        sets.put("built-in", DefaultRules.get());
        sets.put("`\\bfoo.{0,500}bar`", of("\\bfoo.{0,500}bar", Validator.NONE));
        sets.put("`[0-9 ]{13,19}`, Luhn", of("[0-9 ]{13,19}", Validator.LUHN));
        sets.put("`\\S{20,}`, entropy 8", of("\\S{20,}", Validator.entropy(8)));
        sets.put("`[0-9]{13,500}`, Luhn", of("[0-9]{13,500}", Validator.LUHN));
        sets.put("`a\\S{255}|b\\S{19}`, entropy 8", of("a\\S{255}|b\\S{19}", Validator.entropy(8)));
        return sets;
    }

    private static RuleSet of(String regex, Validator validator) {
        return RuleSet.of(Rule.of("rule", regex, Action.label("X")).withValidator(validator));
    }
}
