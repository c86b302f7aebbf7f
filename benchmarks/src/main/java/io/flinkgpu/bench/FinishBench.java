package io.flinkgpu.bench;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.DeviceRules;
import io.flinkgpu.text.LinearMatches;
import io.flinkgpu.text.RowJudge;
import io.flinkgpu.text.RowRedactor;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.automaton.UnknownBytes;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a row costs a core that a GPU leaves to the host, as a rule matches in it of which the device does not know all:
 * CPU time a row, the best and the median of some passes, and of the first one. Needs no GPU.
 *
 * <p>Arguments: a folder of {@code *.log} files, then rule packs.
 */
public final class FinishBench {

    private static final int PASSES = 60;

    private FinishBench() {}

    public static void main(String[] args) throws Exception {
        List<byte[]> rows = new ArrayList<>();
        for (byte[] block : BenchInput.of(Optional.of(Path.of(args[0]))).batches(1 << 20)) {
            split(block, rows);
        }
        for (int pack = 1; pack < args.length; pack++) {
            List<Rule> accepted = PacksBench.rules(args[pack]);
            CompiledRules rules = RuleCompiler.compile(RuleSet.of(accepted));
            System.out.println(args[pack] + ": " + measure(rules, left(rules, rows)));
        }
    }

    private static void split(byte[] block, List<byte[]> rows) {
        int from = 0;
        for (int i = 0; i < block.length; i++) {
            if (block[i] == '\n') {
                rows.add(Arrays.copyOfRange(block, from, i));
                from = i + 1;
            }
        }
    }

    /** The rows in which a rule of the device drops what it matches. */
    private static List<byte[]> left(CompiledRules rules, List<byte[]> rows) {
        CompiledRules onDevice = DeviceRules.of(rules);
        LinearMatches matches = onDevice.newMatches();
        RowJudge judge = new RowJudge(onDevice.ruleSet());
        List<byte[]> left = new ArrayList<>();
        for (byte[] row : rows) {
            matches.reset(UnknownBytes.marked(row, row.length), row.length);
            judge.startRow();
            boolean isLeft = false;
            for (int from = 0; !isLeft && from < row.length && matches.find(from); ) {
                boolean replaced = judge.replacesInRow(matches, row, row.length, 0);
                while (!replaced && matches.findLater()) {
                    replaced = judge.replacesInRow(matches, row, row.length, 0);
                }
                isLeft =
                        replaced
                                && onDevice.ruleSet()
                                        .rule(matches.rule())
                                        .action()
                                        .equals(Action.drop());
                from = matches.start() + 1;
            }
            matches.release();
            if (isLeft) {
                left.add(row);
            }
        }
        return left;
    }

    private static String measure(CompiledRules rules, List<byte[]> rows) {
        RowRedactor redactor = new RowRedactor(rules, new byte[0]);
        long[] matches = new long[rules.ruleSet().size()];
        double[] micros = new double[PASSES];
        for (int pass = 0; pass < PASSES; pass++) {
            long start = cpuNanos();
            for (byte[] row : rows) {
                redactor.redact(row, row.length, matches);
            }
            micros[pass] = (cpuNanos() - start) / 1e3 / rows.size();
        }
        double first = micros[0];
        Arrays.sort(micros);
        long bytes = rows.stream().mapToLong(row -> row.length).sum();
        return String.format(
                Locale.ROOT,
                "%d rows of %d bytes, us a row: best %.1f, median %.1f, first pass %.1f; %d matches",
                rows.size(),
                bytes / rows.size(),
                micros[0],
                micros[PASSES / 2],
                first,
                Arrays.stream(matches).sum() / PASSES);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
