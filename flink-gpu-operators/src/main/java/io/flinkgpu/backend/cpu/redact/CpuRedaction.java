package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.JoinedText;
import io.flinkgpu.text.Replacer;
import io.flinkgpu.text.RowJudge;
import io.flinkgpu.text.automaton.Cancellation;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.Prefilter;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** Redacts a batch row by row on the calling thread, until it is interrupted. */
@Internal
public final class CpuRedaction implements CompiledProgram<RedactedBatch> {

    private static final int NO_PREFILTER = -1;
    private static final int ROWS_PER_CHECK = 64;

    private final BufferAllocator allocator;
    private final int ruleCount;
    private final Scanner allRules;
    private final Scanner otherRules;
    private final int requiredByte;
    private final LinearMatcher linear;
    private final RowJudge judge;
    private final Replacer replacer;
    private final JoinedText joined;
    private final byte[][] fixed;

    private byte[] scratch = new byte[1024];

    public CpuRedaction(BufferAllocator allocator, CompiledRules rules, byte[] hashKey) {
        this.allocator = allocator;
        this.ruleCount = rules.ruleSet().size();
        this.allRules = new Scanner(rules.dfa(), rules.rivals());
        Prefilter prefilter = rules.prefilter();
        this.otherRules =
                prefilter == null
                        ? allRules
                        : new Scanner(prefilter.dfaWithoutIt(), rules.rivals());
        this.requiredByte = prefilter == null ? NO_PREFILTER : prefilter.requiredByte();
        this.linear = rules.newLinearMatcher();
        this.judge = new RowJudge(rules.ruleSet());
        this.replacer = new Replacer(rules.ruleSet(), hashKey);
        this.joined = new JoinedText(rules, hashKey);
        this.fixed = new byte[ruleCount][];
        for (int rule = 0; rule < ruleCount; rule++) {
            fixed[rule] = replacer.fixed(rule);
        }
    }

    /** The work is done in {@link Submission#await()}: there is no other thread to start it on. */
    @Override
    public Submission<RedactedBatch> submit(ColumnBatch batch) {
        return () -> redact(batch.text(0));
    }

    private RedactedBatch redact(TextView text) {
        long startNanos = System.nanoTime();
        Pass pass = new Pass(text);
        try (TextWriter out = new TextWriter(allocator, text);
                ArrowBuf changed = allocator.buffer(Math.max(1, text.rows()))) {
            for (int row = 0; row < text.rows(); row++) {
                if (row % ROWS_PER_CHECK == 0) {
                    Cancellation.check();
                }
                out.startRow(row);
                changed.setByte(row, pass.redactRow(row, out) ? 1 : 0);
            }
            ColumnBatch redacted = out.finish();
            changed.getReferenceManager().retain();
            long nanos = System.nanoTime() - startNanos;
            return new RedactedBatch(redacted, changed, pass.matchesPerRule, nanos)
                    .withHardRows(pass.hardRows);
        }
    }

    @Override
    public void close() {}

    /** One batch's redaction. */
    private final class Pass {

        private final TextView text;
        private final long[] matchesPerRule = new long[ruleCount];
        private final ByteFinder requiredBytes;
        private long nextCheck;
        private int hardRows;

        Pass(TextView text) {
            this.text = text;
            this.requiredBytes =
                    requiredByte == NO_PREFILTER
                            ? null
                            : new ByteFinder(requiredByte, text.dataAddress(), text.dataBytes());
        }

        /** Writes the replacements of a row's matches; returns whether there are any. */
        private boolean redactRow(int row, TextWriter out) {
            int from = text.start(row);
            int end = text.end(row);
            int copiedBefore = out.replacements();
            Scanner scanner =
                    requiredBytes == null || requiredBytes.occursIn(from, end)
                            ? allRules
                            : otherRules;
            scanner.startRow(text.dataAddress(), from, end);
            judge.startRow();
            joined.startRow();
            while (scanner.find(from)) {
                boolean replaced = isReplaced(scanner.start(), scanner.end(), scanner.rule());
                while (!replaced && scanner.findRival()) {
                    replaced = isReplaced(scanner.start(), scanner.end(), scanner.rule());
                }
                if (scanner.isOverBudget()) {
                    break;
                }
                // No match starts inside a code point, so the next byte will do for the next one.
                from = replaced ? scanner.end() : scanner.start() + 1;
                if (replaced) {
                    replace(scanner.start(), scanner.end(), scanner.rule(), out);
                }
            }
            if (scanner.isOverBudget()) {
                finishRow(text.start(row), end, scanner.start(), out);
            }
            if (joined.isAny()) {
                byte[] result = out.endRow(end);
                int length = joined.redact(result, result.length, matchesPerRule);
                out.replaceRow(joined.buffer(), length);
            }
            return out.replacements() != copiedBefore;
        }

        /** Goes on from an offset with the matcher that is linear on every row. */
        private void finishRow(int rowStart, int rowEnd, int at, TextWriter out) {
            hardRows++;
            int from = at - rowStart;
            linear.reset(text.copy(rowStart, rowEnd), rowEnd - rowStart);
            while (linear.find(from)) {
                int start = rowStart + linear.start();
                boolean replaced = isReplaced(start, rowStart + linear.end(), linear.rule());
                while (!replaced && linear.findLater()) {
                    replaced = isReplaced(start, rowStart + linear.end(), linear.rule());
                }
                from = replaced ? linear.end() : linear.start() + 1;
                if (replaced) {
                    replace(start, rowStart + linear.end(), linear.rule(), out);
                }
            }
            linear.release();
        }

        /** Whether a match is replaced: no validator refuses it, no allow list keeps it. */
        private boolean isReplaced(int start, int end, int rule) {
            if (!judge.judges(rule)) {
                return true;
            }
            if (start >= nextCheck) {
                Cancellation.check();
                nextCheck = start + Cancellation.INTERVAL;
            }
            load(start, start + Math.min(end - start, judge.neededBytes(rule)));
            return judge.replaces(rule, scratch, 0, end - start, end);
        }

        private void replace(int start, int end, int rule, TextWriter out) {
            matchesPerRule[rule]++;
            byte[] replacement = fixed[rule];
            if (replacement != null) {
                out.replace(start, end, replacement, replacement.length);
                if (replacement.length == 0) {
                    joined.add(out.rowBytes());
                }
            } else {
                load(start, end);
                int length = replacer.replace(rule, scratch, 0, end - start);
                out.replace(start, end, replacer.buffer(), length);
            }
        }

        private void load(int start, int end) {
            if (end - start > scratch.length) {
                scratch = new byte[Math.max(2 * scratch.length, end - start)];
            }
            MemoryUtil.copyFromMemory(text.dataAddress() + start, scratch, 0, end - start);
        }
    }
}
