package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.JoinedText;
import io.flinkgpu.text.Matches;
import io.flinkgpu.text.MergedMatches;
import io.flinkgpu.text.Replacer;
import io.flinkgpu.text.RowJudge;
import io.flinkgpu.text.RulePart;
import io.flinkgpu.text.automaton.Cancellation;
import io.flinkgpu.text.automaton.UnknownBytes;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.List;

/** Redacts a batch row by row on the calling thread, until it is interrupted. */
@Internal
public final class CpuRedaction implements CompiledProgram<RedactedBatch> {

    private static final int ROWS_PER_CHECK = 64;

    private final BufferAllocator allocator;
    private final int ruleCount;
    private final List<PartMatches> everywhere = new ArrayList<>();

    /** Of the rules that are looked for where their texts are; null if there are none. */
    private final LiteralMatches atTexts;

    private final MergedMatches merged;

    /** The only part's matches, or all of them. */
    private final Matches matches;

    private final RowJudge judge;
    private final Replacer replacer;
    private final JoinedText joined;
    private final byte[][] fixed;

    private byte[] scratch = new byte[1024];

    public CpuRedaction(BufferAllocator allocator, CompiledRules rules, byte[] hashKey) {
        this.allocator = allocator;
        this.ruleCount = rules.ruleSet().size();
        int ofLiterals = rules.isOneAutomaton() ? 0 : rules.literals().rules();
        int firstOfLiterals = rules.parts().size() - ofLiterals;
        for (RulePart part : rules.parts().subList(0, firstOfLiterals)) {
            everywhere.add(new PartMatches(part, firstOfLiterals, rules.ruleSet()));
        }
        List<Matches> all = new ArrayList<>(everywhere);
        this.atTexts =
                ofLiterals == 0
                        ? null
                        : new LiteralMatches(
                                rules.literals(),
                                rules.parts().subList(firstOfLiterals, rules.parts().size()),
                                rules.ruleSet());
        if (atTexts != null) {
            all.add(atTexts);
        }
        this.merged = new MergedMatches(all);
        this.matches = all.size() == 1 ? all.get(0) : merged;
        this.judge = new RowJudge(rules.ruleSet());
        this.replacer = new Replacer(rules.ruleSet(), hashKey);
        this.joined = new JoinedText(rules, replacer);
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

        /** The row at hand with marks if it needs some; null before the first such row. */
        private ArrowBuf marks;

        private long nextCheck;
        private int hardRows;

        /** The row at hand, once a rule needs it to be judged; else null. */
        private byte[] rowBytes;

        Pass(TextView text) {
            this.text = text;
            for (PartMatches part : everywhere) {
                part.startBatch(text);
            }
        }

        /** Writes the replacements of a row's matches; returns whether there are any. */
        private boolean redactRow(int row, TextWriter out) {
            int from = text.start(row);
            int end = text.end(row);
            if (from == end) {
                // No rule matches it; columns with many nulls have many such rows.
                return false;
            }
            int copiedBefore = out.replacements();
            startRow(from, end);
            judge.startRow();
            replacer.startRecord();
            joined.startRow();
            try {
                replaceMatches(row, from, out);
            } finally {
                endRow();
            }
            if (joined.isAny()) {
                byte[] result = out.endRow(end);
                int length = joined.redact(result, result.length, matchesPerRule);
                out.replaceRow(joined.buffer(), length);
            }
            return out.replacements() != copiedBefore;
        }

        private void replaceMatches(int row, int from, TextWriter out) {
            int next = from;
            while (matches.find(next)) {
                boolean replaced = isReplaced(row);
                while (!replaced && matches.findLater()) {
                    replaced = isReplaced(row);
                }
                // No match starts inside a code point, so the next byte will do for the next one.
                next = replaced ? matches.end() : matches.start() + 1;
                if (replaced) {
                    replace(matches.rule(), out);
                }
            }
        }

        private void startRow(int from, int end) {
            long scanned = scanned(from, end);
            for (int part = 0; part < everywhere.size(); part++) {
                everywhere.get(part).startRow(scanned, from, end);
            }
            if (atTexts != null) {
                atTexts.startRow(
                        scanned, from, end, scanned == text.dataAddress() ? text.dataBytes() : end);
            }
            merged.startRow();
        }

        private void endRow() {
            rowBytes = null;
            boolean hard = false;
            for (int part = 0; part < everywhere.size(); part++) {
                hard |= everywhere.get(part).isHard();
                everywhere.get(part).endRow();
            }
            if (atTexts != null) {
                hard |= atTexts.isHard();
                atTexts.endRow();
            }
            hardRows += hard ? 1 : 0;
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

        @Override
        public void close() {
            if (marks != null) {
                marks.close();
                marks = null;
            }
        }

        /** Whether the last match is replaced: no validator refuses it, no allow list keeps it. */
        private boolean isReplaced(int row) {
            int rule = matches.rule();
            if (!judge.judges(rule)) {
                return true;
            }
            int start = matches.replacedStart();
            int length = matches.replacedEnd() - start;
            if (start >= nextCheck) {
                Cancellation.check();
                nextCheck = start + Cancellation.INTERVAL;
            }
            if (judge.needsRow(rule)) {
                int from = text.start(row);
                if (rowBytes == null) {
                    rowBytes = text.copy(from, text.end(row));
                }
                return judge.replacesInRow(matches, rowBytes, rowBytes.length, from);
            }
            load(start, start + Math.min(length, judge.neededBytes(rule)));
            return judge.replaces(rule, scratch, 0, length, matches.end());
        }

        private void replace(int rule, TextWriter out) {
            int start = matches.replacedStart();
            int end = matches.replacedEnd();
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
