package io.flinkgpu.bench;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Redaction over the size of batches, the number of rules and the length of rows. */
final class RedactionAxes {

    /** A batch of the other axes: the default. */
    private static final int BATCH_BYTES = 4 << 20;

    private static final int[] BATCH_KIB = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144};
    private static final int[] RULES = {1, 2, 4, 8, 16, 21, 64};
    private static final int[] ROW_BYTES = {16, 64, 256, 1024, 16384};

    private RedactionAxes() {}

    static void batchBytes(Lab lab) throws Exception {
        try (Programs<RedactedBatch> programs = RedactionWork.programs(lab.compiledRules())) {
            Trial<RedactedBatch> trial = new Trial<>(lab, "batch", programs);
            for (int kib : lab.settings().quick() ? new int[] {4, 64} : BATCH_KIB) {
                run(trial, lab.rules().size(), lab.input().batches(kib << 10));
            }
        }
    }

    static void rules(Lab lab) throws Exception {
        List<byte[]> lines = lab.input().batches(lab.settings().pick(BATCH_BYTES, 1 << 16));
        for (int count : lab.settings().quick() ? new int[] {1, 2} : RULES) {
            CompiledRules rules = RuleCompiler.compile(ruleSet(count));
            try (Programs<RedactedBatch> programs = RedactionWork.programs(rules)) {
                run(new Trial<>(lab, "rules", programs), count, lines);
            }
        }
    }

    static void rowBytes(Lab lab) throws Exception {
        int batchBytes = lab.settings().pick(BATCH_BYTES, 1 << 16);
        try (Programs<RedactedBatch> programs = RedactionWork.programs(lab.compiledRules())) {
            Trial<RedactedBatch> trial = new Trial<>(lab, "row", programs);
            for (int bytes : lab.settings().quick() ? new int[] {64, 1024} : ROW_BYTES) {
                run(trial, lab.rules().size(), lab.input().batchesOfRows(batchBytes, bytes));
            }
        }
    }

    /** The first default rules, and behind them made-up ones. */
    private static RuleSet ruleSet(int count) {
        List<Rule> rules = new ArrayList<>(DefaultRules.get().rules());
        for (int i = rules.size(); i < count; i++) {
            rules.add(
                    Rule.of(
                            "ticket-" + i,
                            "\\b" + ticket(i) + "-[0-9]{4,9}\\b",
                            Action.label("[TICKET]")));
        }
        return RuleSet.of(rules.subList(0, count));
    }

    private static String ticket(int i) {
        return "TK" + (char) ('A' + i / 26) + (char) ('A' + i % 26);
    }

    private static void run(Trial<RedactedBatch> trial, int rules, List<byte[]> lines)
            throws Exception {
        long rows = 0;
        long bytes = 0;
        for (byte[] batch : lines) {
            rows += BenchInput.count(batch);
            bytes += batch.length;
        }
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("batchBytes", bytes / lines.size());
        at.put("rows", rows / lines.size());
        at.put("bytesPerRow", bytes / rows);
        at.put("rules", (long) rules);
        trial.run(at, bytes / lines.size(), new RedactionWork(lines));
    }
}
