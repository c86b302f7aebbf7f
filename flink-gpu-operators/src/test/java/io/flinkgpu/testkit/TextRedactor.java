package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.JoinedText;
import io.flinkgpu.text.LinearMatches;
import io.flinkgpu.text.Matches;
import io.flinkgpu.text.Replacer;
import io.flinkgpu.text.RowJudge;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.UnknownBytes;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.Function;

/** Redacts with the public parts of package {@code text}, as plainly as can be. */
final class TextRedactor implements Redactor {

    /** Finds the leftmost match in a row. */
    interface Finder extends Matches {
        void reset(byte[] row);
    }

    private final String name;
    private final LastCompiled compiler;
    private final Function<CompiledRules, Finder> finders;

    private TextRedactor(
            String name, LastCompiled compiler, Function<CompiledRules, Finder> finders) {
        this.name = name;
        this.compiler = compiler;
        this.finders = finders;
    }

    /** By the linear-time matcher. */
    static Redactor linear(LastCompiled compiler) {
        return new TextRedactor(
                "linear matcher", compiler, rules -> new LinearFinder(rules.newLinearMatches()));
    }

    /** By walks first, as the host finishes rows. */
    static Redactor walking(LastCompiled compiler) {
        return new TextRedactor("walks", compiler, rules -> new LinearFinder(rules.newMatches()));
    }

    /** By a walk of the automaton from every byte, as its class comment tells. */
    static Redactor dfa(LastCompiled compiler) {
        return new TextRedactor("automaton", compiler, rules -> new DfaFinder(rules));
    }

    @Override
    public Redacted redact(RuleSet rules, byte[] hashKey, byte[][] rows) {
        Finder finder = finders.apply(compiler.compile(rules));
        RowJudge judge = new RowJudge(rules);
        Replacer replacer = new Replacer(rules, hashKey);
        JoinedText joined = new JoinedText(compiler.compile(rules), replacer);
        Redacted redacted =
                new Redacted(
                        new byte[rows.length][], new boolean[rows.length], new long[rules.size()]);
        for (int i = 0; i < rows.length; i++) {
            finder.reset(UnknownBytes.marked(rows[i], rows[i].length));
            joined.startRow();
            judge.startRow();
            replacer.startRecord();
            redactRow(finder, judge, replacer, joined, rows[i], i, redacted);
        }
        return redacted;
    }

    @Override
    public String toString() {
        return name;
    }

    private static void redactRow(
            Finder finder,
            RowJudge judge,
            Replacer replacer,
            JoinedText joined,
            byte[] row,
            int index,
            Redacted to) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int copied = 0;
        int from = 0;
        while (finder.find(from)) {
            int start = finder.start();
            boolean replaced = judge.replacesInRow(finder, row, row.length, 0);
            while (!replaced && finder.findLater()) {
                replaced = judge.replacesInRow(finder, row, row.length, 0);
            }
            if (!replaced) {
                from = start + 1;
                continue;
            }
            int rule = finder.rule();
            from = finder.end();
            start = finder.replacedStart();
            out.write(row, copied, start - copied);
            byte[] fixed = replacer.fixed(rule);
            if (fixed != null) {
                out.writeBytes(fixed);
                if (fixed.length == 0) {
                    joined.add(out.size());
                }
            } else {
                int length = replacer.replace(rule, row, start, finder.replacedEnd());
                out.write(replacer.buffer(), 0, length);
            }
            copied = finder.replacedEnd();
            to.matchesPerRule()[rule]++;
            to.changed()[index] = true;
        }
        out.write(row, copied, row.length - copied);
        to.rows()[index] = out.toByteArray();
        if (joined.isAny()) {
            int length = joined.redact(to.rows()[index], out.size(), to.matchesPerRule());
            to.rows()[index] = Arrays.copyOf(joined.buffer(), length);
        }
    }

    private static final class LinearFinder implements Finder {
        private final LinearMatches matcher;

        LinearFinder(LinearMatches matcher) {
            this.matcher = matcher;
        }

        @Override
        public void reset(byte[] row) {
            matcher.reset(row, row.length);
        }

        @Override
        public boolean find(int from) {
            return matcher.find(from);
        }

        @Override
        public boolean findLater() {
            return matcher.findLater();
        }

        @Override
        public int start() {
            return matcher.start();
        }

        @Override
        public int end() {
            return matcher.end();
        }

        @Override
        public int rule() {
            return matcher.rule();
        }

        @Override
        public int replacedStart() {
            return matcher.replacedStart();
        }

        @Override
        public int replacedEnd() {
            return matcher.replacedEnd();
        }
    }

    private static final class DfaFinder implements Finder {
        private final RuleSet rules;
        private final Dfa all;
        private final Dfa[] alone;
        private final LinearMatcher groups;
        private byte[] row;
        private int start;
        private int end;
        private int rule;

        DfaFinder(CompiledRules rules) {
            this.rules = rules.ruleSet();
            this.all = rules.dfa();
            this.alone = new Dfa[this.rules.size()];
            this.groups = rules.newLinearMatcher();
        }

        @Override
        public void reset(byte[] newRow) {
            row = newRow;
            groups.reset(row, row.length);
        }

        @Override
        public boolean find(int from) {
            for (start = from; start < row.length; start++) {
                if (matches(all)) {
                    return true;
                }
            }
            return false;
        }

        /** By the automaton of each later rule alone. */
        @Override
        public boolean findLater() {
            for (int later = rule + 1; later < alone.length; later++) {
                if (alone[later] == null) {
                    RuleSet only = RuleSet.of(rules.rule(later));
                    alone[later] = RuleCompiler.compile(only).dfa();
                }
                if (matches(alone[later])) {
                    rule = later;
                    return true;
                }
            }
            return false;
        }

        private boolean matches(Dfa dfa) {
            int before = start == 0 ? Dfa.NOTHING : row[start - 1] & 0xff;
            int state = dfa.startStateAfter(before);
            boolean found = false;
            for (int at = start; at <= row.length; at++) {
                int symbol = at < row.length ? dfa.classOf(row[at] & 0xff) : dfa.endClass();
                state = dfa.next(state, symbol);
                if (state == Dfa.DEAD) {
                    return found;
                }
                if (state < dfa.matchLimit()) {
                    found = true;
                    end = at - dfa.backOff(state);
                    rule = dfa.rule(state);
                    if (state < dfa.finalLimit()) {
                        return true;
                    }
                }
            }
            throw new AssertionError("the end symbol led to state " + state + ", which goes on");
        }

        @Override
        public int start() {
            return start;
        }

        @Override
        public int end() {
            return end;
        }

        @Override
        public int rule() {
            return rule;
        }

        @Override
        public int replacedStart() {
            groups.locate(rule, start);
            return groups.replacedStart();
        }

        @Override
        public int replacedEnd() {
            groups.locate(rule, start);
            return groups.replacedEnd();
        }
    }
}
