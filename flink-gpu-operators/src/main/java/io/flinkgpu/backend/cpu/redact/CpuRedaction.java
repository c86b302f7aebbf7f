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
import io.flinkgpu.text.automaton.UnknownBytes;

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
    private final boolean[] hasGroup;

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
        this.hasGroup = new boolean[ruleCount];
        for (int rule = 0; rule < ruleCount; rule++) {
            fixed[rule] = replacer.fixed(rule);
            hasGroup[rule] = !rules.ruleSet().rule(rule).group().isEmpty();
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
        try (pass;
                TextWriter out = new TextWriter(allocator, text);
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
    private final class Pass implements AutoCloseable {

        private final TextView text;
        private final long[] matchesPerRule = new long[ruleCount];
        private final ByteFinder requiredBytes;

        /** The row at hand with marks if it needs some; null before the first such row. */
        private ArrowBuf marks;

        /** What scanners scan: offsets of the row at hand count from here. */
        private long scanned;

        private long nextCheck;
        private int hardRows;

        /** Where the row at hand starts, once the linear matcher has it; else -1. */
        private int linearFrom = -1;

        /** What is replaced of the last match that was judged. */
        private int replacedStart;

        private int replacedEnd;

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
            scanned = scanned(from, end);
            scanner.startRow(scanned, from, end);
            judge.startRow();
            joined.startRow();
            while (scanner.find(from)) {
                boolean replaced = isReplaced(scanner, row);
                while (!replaced && scanner.findRival()) {
                    replaced = isReplaced(scanner, row);
                }
                if (scanner.isOverBudget()) {
                    break;
                }
                // No match starts inside a code point, so the next byte will do for the next one.
                from = replaced ? scanner.end() : scanner.start() + 1;
                if (replaced) {
                    replace(scanner.rule(), out);
                }
            }
            if (linearFrom >= 0) {
                linear.release();
                linearFrom = -1;
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

        /** Where offsets of a row count from in memory that has marks where the row needs some. */
        private long scanned(int from, int end) {
            if (text.firstNonAscii(from, end) == end) {
                return text.dataAddress();
            }
            byte[] row = text.copy(from, end);
            byte[] marked = UnknownBytes.marked(row, row.length);
            if (marked == row) {
                return text.dataAddress();
            }
            if (marks == null || marks.capacity() < marked.length) {
                close();
                marks = allocator.buffer(marked.length);
            }
            marks.setBytes(0, marked);
            return marks.memoryAddress() - from;
        }

        private byte[] scannedBytes(int from, int end) {
            byte[] bytes = new byte[end - from];
            MemoryUtil.copyFromMemory(scanned + from, bytes, 0, bytes.length);
            return bytes;
        }

        @Override
        public void close() {
            if (marks != null) {
                marks.close();
                marks = null;
            }
        }

        /** Goes on from an offset with the matcher that is linear on every row. */
        private void finishRow(int rowStart, int rowEnd, int at, TextWriter out) {
            hardRows++;
            int from = at - rowStart;
            linear.reset(scannedBytes(rowStart, rowEnd), rowEnd - rowStart);
            while (linear.find(from)) {
                boolean replaced = isReplaced(rowStart);
                while (!replaced && linear.findLater()) {
                    replaced = isReplaced(rowStart);
                }
                from = replaced ? linear.end() : linear.start() + 1;
                if (replaced) {
                    replace(linear.rule(), out);
                }
            }
            linear.release();
        }

        /** Whether the match that a scan found is replaced. */
        private boolean isReplaced(Scanner scanner, int row) {
            int rule = scanner.rule();
            replacedStart = scanner.start();
            replacedEnd = scanner.end();
            if (hasGroup[rule]) {
                if (linearFrom < 0) {
                    linearFrom = text.start(row);
                    int rowEnd = text.end(row);
                    linear.reset(scannedBytes(linearFrom, rowEnd), rowEnd - linearFrom);
                }
                linear.locate(rule, scanner.start() - linearFrom);
                scanner.spend(linear.end() - linear.start());
                if (scanner.isOverBudget()) {
                    return false;
                }
                replacedStart = linearFrom + linear.replacedStart();
                replacedEnd = linearFrom + linear.replacedEnd();
            }
            return isReplaced(rule, scanner.end());
        }

        /** Whether the match that the linear matcher found is replaced. */
        private boolean isReplaced(int rowStart) {
            replacedStart = rowStart + linear.replacedStart();
            replacedEnd = rowStart + linear.replacedEnd();
            return isReplaced(linear.rule(), rowStart + linear.end());
        }

        /** Whether a match is replaced: no validator refuses it, no allow list keeps it. */
        private boolean isReplaced(int rule, int end) {
            if (!judge.judges(rule)) {
                return true;
            }
            int start = replacedStart;
            int length = replacedEnd - start;
            if (start >= nextCheck) {
                Cancellation.check();
                nextCheck = start + Cancellation.INTERVAL;
            }
            load(start, start + Math.min(length, judge.neededBytes(rule)));
            return judge.replaces(rule, scratch, 0, length, end);
        }

        private void replace(int rule, TextWriter out) {
            int start = replacedStart;
            int end = replacedEnd;
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
