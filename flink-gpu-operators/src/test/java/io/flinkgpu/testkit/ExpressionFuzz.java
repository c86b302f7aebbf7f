package io.flinkgpu.testkit;

import io.flinkgpu.api.expression.Expression;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** Compares a transformer with the oracle on random expressions and rows. */
public final class ExpressionFuzz {

    /** The oracle evaluates a shared subtree as often as it is found. */
    private static final int MAX_NODES = 400;

    private static final int MAX_SHRINKS = 2000;

    private final long seed;
    private final Transformer transformer;
    private final boolean large;
    private final TreeMap<String, Integer> refusals = new TreeMap<>();
    private int cases;
    private int refused;
    private long pairs;

    /**
     * @param seed of the first case; each next one's is one more
     */
    public ExpressionFuzz(long seed, Transformer transformer) {
        this(seed, transformer, false);
    }

    private ExpressionFuzz(long seed, Transformer transformer, boolean large) {
        this.seed = seed;
        this.transformer = transformer;
        this.large = large;
    }

    /** Compares programs that do not fit one pass, on few rows. */
    public static ExpressionFuzz ofLargePrograms(long seed, Transformer transformer) {
        return new ExpressionFuzz(seed, transformer, true);
    }

    /** Compares so many pairs of an expression and a row; throws at the first difference. */
    public ExpressionFuzz run(long wantedPairs) {
        while (pairs < wantedPairs) {
            runCase(seed + cases++);
        }
        return this;
    }

    /** Programs that were refused, as a share of all. */
    public double refusedShare() {
        return (double) refused / cases;
    }

    @Override
    public String toString() {
        return String.format(
                "seed=%d cases=%d refused=%d pairs=%d refusals=%s",
                seed, cases, refused, pairs, refusals);
    }

    private void runCase(long caseSeed) {
        try {
            ExpressionCase made = make(new Random(caseSeed));
            if (made.difference(transformer) != null) {
                fail("seed=" + caseSeed, made, transformer);
            }
            pairs += made.pairs();
        } catch (IllegalArgumentException e) {
            refused++;
            refusals.merge(e.getMessage().replaceAll("\\d+|'.*'", "_"), 1, Integer::sum);
        }
    }

    /** Fails with the smallest case that is found to differ. */
    public static void fail(String where, ExpressionCase made, Transformer transformer) {
        ExpressionCase small = made;
        String difference = made.difference(transformer);
        for (int tries = 0; tries < MAX_SHRINKS; ) {
            ExpressionCase smaller = null;
            for (ExpressionCase candidate : small.simpler()) {
                String found = tries++ < MAX_SHRINKS ? differs(candidate, transformer) : null;
                if (found != null) {
                    smaller = candidate;
                    difference = found;
                    break;
                }
            }
            if (smaller == null) {
                break;
            }
            small = smaller;
        }
        throw new AssertionError(where + ", smallest case found:" + difference);
    }

    private static String differs(ExpressionCase candidate, Transformer transformer) {
        try {
            return candidate.difference(transformer);
        } catch (IllegalArgumentException e) {
            // A smaller case that is no case: refused.
            return null;
        }
    }

    private ExpressionCase make(Random random) {
        List<Expression> expressions;
        do {
            int count = random.nextInt(3) == 0 ? 2 + random.nextInt(4) : 1;
            if (large) {
                count = 17 + random.nextInt(20);
            }
            expressions = new RandomExpressions(random).several(count, 1 + random.nextInt(4));
        } while (expressions.stream().mapToInt(e -> nodes(e, MAX_NODES)).sum() > MAX_NODES);
        int rows = random.nextInt(12) == 0 && !large ? 300 : 3 + random.nextInt(large ? 5 : 60);
        int cutFrom = random.nextInt(4) == 0 ? random.nextInt(rows - 1) : 0;
        Transformer.Shape shape = new Transformer.Shape(random.nextInt(2), cutFrom);
        return new ExpressionCase(expressions, new RandomRows(random).rows(rows), shape);
    }

    /** How many there are in a tree, counted up to a limit. */
    private static int nodes(Expression expression, int limit) {
        int nodes = 1;
        for (Expression operand : expression.operands()) {
            if (nodes > limit) {
                return nodes;
            }
            nodes += nodes(operand, limit - nodes);
        }
        return nodes;
    }
}
