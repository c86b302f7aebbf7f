package io.flinkgpu.oracle;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** Compares a redactor with the oracle on random rule sets and rows. */
final class Fuzz {

    static final byte[] HASH_KEY = "a key of sixteen".getBytes(StandardCharsets.US_ASCII);

    private static final int ROWS_PER_SET = 40;

    private final long seed;
    private final Redactor redactor;
    private final OracleRedactor oracle = new OracleRedactor();
    private final TreeMap<String, Integer> refusals = new TreeMap<>();
    private int sets;
    private int refused;
    private long pairs;
    private long changedPairs;
    private long unanswered;

    Fuzz(long seed, Redactor redactor) {
        this.seed = seed;
        this.redactor = redactor;
    }

    /** Compares so many pairs of a rule set and a row; throws at the first difference. */
    Fuzz run(long wantedPairs) throws Exception {
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
    double refusedShare() {
        return (double) refused / sets;
    }

    /** Pairs in which something was redacted, as a share of all. */
    double changedShare() {
        return (double) changedPairs / pairs;
    }

    /** Rows on which java.util.regex gave up, as a share of all. */
    double unansweredShare() {
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
        byte[][] rows =
                answered(ruleSet, new TextGen(rules, gen.alphabet(), random).rows(ROWS_PER_SET));
        Redactor.Redacted expected = oracle.redact(ruleSet, HASH_KEY, rows);
        Redactor.Redacted actual;
        try {
            actual = redactor.redact(ruleSet, HASH_KEY, rows);
        } catch (RuleException e) {
            refused++;
            e.errors().forEach(error -> refusals.merge(error, 1, Integer::sum));
            return;
        } catch (Exception | LinkageError | AssertionError e) {
            throw new AssertionError(report(setSeed, rules, rows[0], "threw " + e), e);
        }
        compare(setSeed, rules, rows, expected, actual);
        pairs += rows.length;
        for (boolean changed : expected.changed()) {
            changedPairs += changed ? 1 : 0;
        }
    }

    /** The rows for which backtracking comes to an end. */
    private byte[][] answered(RuleSet ruleSet, byte[][] rows) {
        List<byte[]> answered = new ArrayList<>();
        for (byte[] row : rows) {
            try {
                oracle.redact(ruleSet, HASH_KEY, new byte[][] {row});
                answered.add(row);
            } catch (BudgetedText.OverBudgetException | StackOverflowError e) {
                unanswered++;
            }
        }
        return answered.toArray(byte[][]::new);
    }

    private void compare(
            long setSeed,
            List<RuleGen.Generated> rules,
            byte[][] rows,
            Redactor.Redacted expected,
            Redactor.Redacted actual) {
        for (int i = 0; i < rows.length; i++) {
            if (!Arrays.equals(expected.rows()[i], actual.rows()[i])
                    || expected.changed()[i] != actual.changed()[i]) {
                Shrinker small = new Shrinker(rules, rows[i], this::differs).shrink();
                String where = "row " + i + " of " + rows.length;
                throw new AssertionError(report(setSeed, small.rules(), small.row(), where));
            }
        }
        if (!Arrays.equals(expected.matchesPerRule(), actual.matchesPerRule())) {
            String counts =
                    Arrays.toString(expected.matchesPerRule())
                            + " matches are right, got "
                            + Arrays.toString(actual.matchesPerRule());
            throw new AssertionError(report(setSeed, rules, rows[0], counts));
        }
    }

    private boolean differs(List<RuleGen.Generated> rules, byte[] row) {
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

    private String report(long setSeed, List<RuleGen.Generated> rules, byte[] row, String what) {
        StringBuilder out =
                new StringBuilder("redactors differ: set seed " + setSeed + ", " + what);
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
