package io.flinkgpu.testkit;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** Compares redactors with the oracle on random rule sets and rows. */
public final class Fuzz {

    static final byte[] HASH_KEY = TestRequests.KEY;

    private static final int ROWS_PER_SET = 100;
    private static final int LONG_ROWS_PER_SET = 8;

    private final long seed;
    private final List<Redactor> redactors;
    private final Redactor oracle;
    private final boolean longRows;
    private final TreeMap<String, Integer> refusals = new TreeMap<>();
    private int sets;
    private int refused;
    private long pairs;
    private long changedPairs;
    private long unanswered;

    /**
     * @param seed the seed of the first rule set; each next one's is one more
     */
    public Fuzz(long seed, Redactor... redactors) {
        this(seed, new OracleRedactor(), false, List.of(redactors));
    }

    private Fuzz(long seed, Redactor oracle, boolean longRows, List<Redactor> redactors) {
        this.seed = seed;
        this.oracle = oracle;
        this.longRows = longRows;
        this.redactors = redactors;
    }

    /**
     * Compares on rows of some KiB that repeat themselves, for which java.util.regex has neither time
     * nor stack: with the plain walk of the automaton.
     */
    static Fuzz ofLongRows(long seed, LastCompiled compiler, Redactor... redactors) {
        return new Fuzz(seed, TextRedactor.dfa(compiler), true, List.of(redactors));
    }

    /** Compares so many pairs of a rule set and a row; throws at the first difference. */
    public Fuzz run(long wantedPairs) throws Exception {
        while (pairs < wantedPairs) {
            runOne();
        }
        return this;
    }

    /** Compares with one more rule set. */
    void runOne() throws Exception {
        runSet(seed + sets++);
    }

    /** Rule sets that were refused, as a share of all. */
    public double refusedShare() {
        return (double) refused / sets;
    }

    /** Pairs in which something was redacted, as a share of all. */
    public double changedShare() {
        return (double) changedPairs / pairs;
    }

    /** Rows on which java.util.regex gave up, as a share of all. */
    public double unansweredShare() {
        return (double) unanswered / (pairs + unanswered);
    }

    @Override
    public String toString() {
        return String.format(
                "seed=%d sets=%d refused=%d pairs=%d changed=%.2f unanswered=%d refusals=%s",
                seed, sets, refused, pairs, changedShare(), unanswered, refusals);
    }

    private void runSet(long setSeed) throws Exception {
        Random random = new Random(setSeed);
        RuleGen gen = new RuleGen(random);
        List<RuleGen.Generated> rules = gen.rules();
        RuleSet ruleSet = RuleGen.ruleSet(rules);
        TextGen texts = new TextGen(rules, gen.alphabet(), random);
        try {
            byte[][] made = longRows ? texts.longRows(LONG_ROWS_PER_SET) : texts.rows(ROWS_PER_SET);
            AnsweredRows answered = AnsweredRows.of(oracle, ruleSet, HASH_KEY, made);
            byte[][] rows = answered.rows();
            Redactor.Redacted expected = answered.expected();
            unanswered += answered.unanswered();
            for (Redactor redactor : redactors) {
                compare(setSeed, rules, rows, expected, redactor);
            }
            pairs += rows.length;
            for (boolean changed : expected.changed()) {
                changedPairs += changed ? 1 : 0;
            }
        } catch (RuleException e) {
            refused++;
            e.errors().forEach(error -> refusals.merge(error, 1, Integer::sum));
        }
    }

    private void compare(
            long setSeed,
            List<RuleGen.Generated> rules,
            byte[][] rows,
            Redactor.Redacted expected,
            Redactor redactor)
            throws Exception {
        Redactor.Redacted actual;
        try {
            actual = redactor.redact(RuleGen.ruleSet(rules), HASH_KEY, rows);
        } catch (RuleException e) {
            throw e;
        } catch (BudgetedText.OverBudgetException e) {
            // The alternation of the rules can backtrack where each rule alone does not.
            if (rows.length == 1) {
                unanswered++;
                return;
            }
            for (byte[] row : rows) {
                byte[][] alone = {row};
                Redactor.Redacted ofRow = oracle.redact(RuleGen.ruleSet(rules), HASH_KEY, alone);
                compare(setSeed, rules, alone, ofRow, redactor);
            }
            return;
        } catch (Exception | LinkageError | AssertionError e) {
            throw new AssertionError(report(setSeed, redactor, rules, rows[0], "threw " + e), e);
        }
        for (int i = 0; i < rows.length; i++) {
            if (!Arrays.equals(expected.rows()[i], actual.rows()[i])
                    || expected.changed()[i] != actual.changed()[i]) {
                Shrinker small =
                        new Shrinker(rules, rows[i], (r, row) -> differs(redactor, r, row))
                                .shrink();
                String where = "row " + i + " of " + rows.length;
                throw new AssertionError(
                        report(setSeed, redactor, small.rules(), small.row(), where));
            }
        }
        if (!Arrays.equals(expected.matchesPerRule(), actual.matchesPerRule())) {
            String counts =
                    Arrays.toString(expected.matchesPerRule())
                            + " matches are right, got "
                            + Arrays.toString(actual.matchesPerRule());
            throw new AssertionError(report(setSeed, redactor, rules, rows[0], counts));
        }
    }

    private boolean differs(Redactor redactor, List<RuleGen.Generated> rules, byte[] row) {
        try {
            RuleSet ruleSet = RuleGen.ruleSet(rules);
            byte[][] rows = {row};
            Redactor.Redacted expected = oracle.redact(ruleSet, HASH_KEY, rows);
            Redactor.Redacted actual = redactor.redact(ruleSet, HASH_KEY, rows);
            return !Arrays.equals(expected.rows()[0], actual.rows()[0])
                    || expected.changed()[0] != actual.changed()[0];
        } catch (IllegalArgumentException | BudgetedText.OverBudgetException e) {
            // A smaller case that is no case: refused, or matches the empty string.
            return false;
        } catch (Exception e) {
            return true;
        }
    }

    private String report(
            long setSeed,
            Redactor redactor,
            List<RuleGen.Generated> rules,
            byte[] row,
            String what) {
        StringBuilder out =
                new StringBuilder(redactor + " differs: set seed " + setSeed + ", " + what);
        RuleSet ruleSet = RuleGen.ruleSet(rules);
        for (Rule rule : ruleSet.rules()) {
            out.append("\n  ").append(rule).append("\n  regex ").append(javaLiteral(rule.regex()));
        }
        out.append("\n  row      ").append(javaBytes(row));
        out.append("\n  oracle   ").append(answer(oracle, ruleSet, row));
        out.append("\n  redactor ").append(answer(redactor, ruleSet, row));
        return out.append("\n  ").append(this).toString();
    }

    private static String answer(Redactor redactor, RuleSet rules, byte[] row) {
        try {
            Redactor.Redacted answer = redactor.redact(rules, HASH_KEY, new byte[][] {row});
            return javaBytes(answer.rows()[0]) + " changed=" + answer.changed()[0];
        } catch (Exception | LinkageError | AssertionError e) {
            return "throws " + e;
        }
    }

    /** The bytes as Latin-1 in a Java string literal. */
    static String javaBytes(byte[] bytes) {
        return javaLiteral(new String(bytes, StandardCharsets.ISO_8859_1))
                + ".getBytes(ISO_8859_1)";
    }

    static String javaLiteral(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                out.append(c);
            } else if ("\n\r\t".indexOf(c) >= 0) {
                out.append('\\').append("nrt".charAt("\n\r\t".indexOf(c)));
            } else {
                out.append(String.format("\\u%04x", (int) c));
            }
        }
        return out.append('"').toString();
    }
}
