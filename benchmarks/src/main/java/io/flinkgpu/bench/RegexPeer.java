package io.flinkgpu.bench;

import io.flinkgpu.api.Rule;
import io.flinkgpu.backend.plan.RedactedBatch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code java.util.regex} with the default rules as one alternation, on strings, without validators,
 * beside ours on the same lines; on one core and on all.
 */
final class RegexPeer {

    private static final int BATCH_BYTES = 4 << 20;

    private RegexPeer() {}

    static void run(Lab lab) throws Exception {
        int bytes = lab.settings().pick(BATCH_BYTES, 1 << 16);
        byte[] lines = lab.input().lines(bytes);
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("batchBytes", (long) lines.length);
        at.put("rules", (long) lab.rules().size());
        try (Programs<RedactedBatch> programs = RedactionWork.programs(lab.compiledRules())) {
            new Trial<>(lab, "regex", programs).run(at, bytes, new RedactionWork(List.of(lines)));
        }
        Pattern pattern =
                Pattern.compile(
                        lab.rules().rules().stream()
                                .map(Rule::regex)
                                .map(regex -> "(?:" + regex + ")")
                                .collect(Collectors.joining("|")));
        // So much slower that a quarter of the lines is enough.
        byte[] some = lab.input().lines(bytes / 4);
        List<String> rows = BenchInput.rows(some);
        redact(pattern, rows.subList(0, rows.size() / 4), false);
        double[] one = new double[lab.settings().runs()];
        double[] all = new double[one.length];
        for (int i = 0; i < one.length; i++) {
            one[i] = rate(some.length, pattern, rows, false);
            all[i] = rate(some.length, pattern, rows, true);
        }
        lab.add(Figure.of("regex", "java.util.regex", at, "GB/s", one));
        lab.add(Figure.of("regex", "java.util.regex-all-cores", at, "GB/s", all));
    }

    private static double rate(long bytes, Pattern pattern, List<String> rows, boolean parallel) {
        long start = System.nanoTime();
        if (redact(pattern, rows, parallel) == 0) {
            throw new IllegalStateException("nothing is left of the lines");
        }
        return (double) bytes / (System.nanoTime() - start);
    }

    private static long redact(Pattern pattern, List<String> rows, boolean parallel) {
        return (parallel ? rows.parallelStream() : rows.stream())
                .mapToLong(row -> pattern.matcher(row).replaceAll("[REDACTED]").length())
                .sum();
    }
}
