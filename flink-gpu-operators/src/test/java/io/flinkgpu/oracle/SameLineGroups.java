package io.flinkgpu.oracle;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.words.Term;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Compares what two backends make of a batch that neither leaves a well-formed line of to the host. */
public final class SameLineGroups {

    private record Key(ByteBuffer bytes, long slice) {}

    private SameLineGroups() {}

    /**
     * @throws IllegalStateException if they differ, with the first difference
     */
    public static void check(LinePlan plan, LineGroups actual, LineGroups expected) {
        same("lines", actual.lines(), expected.lines());
        same("refused", actual.refused(), expected.refused());
        same("maxTimestamp", actual.maxTimestamp(), expected.maxTimestamp());
        for (int i = 0; i < expected.refused(); i++) {
            same("refusedStart(" + i + ")", actual.refusedStart(i), expected.refusedStart(i));
        }
        checkGroups(plan, actual, expected);
    }

    /** The same of the groups alone. */
    public static void checkGroups(LinePlan plan, LineGroups actual, LineGroups expected) {
        same("groups", actual.groups().groups(), expected.groups().groups());
        Map<Key, Integer> groups = new HashMap<>();
        for (int i = 0; i < expected.groups().groups(); i++) {
            groups.put(key(expected, i), i);
        }
        for (int i = 0; i < actual.groups().groups(); i++) {
            Integer other = groups.remove(key(actual, i));
            if (other == null) {
                throw new IllegalStateException("no such group: " + actual.keys().start(i));
            }
            compare(plan, actual.groups(), i, expected.groups(), other);
        }
    }

    private static void compare(LinePlan plan, GroupedBatch a, int i, GroupedBatch b, int k) {
        for (int value = 0; value < plan.values().size(); value++) {
            ValueSpec spec = plan.values().get(value);
            same("count", a.word(value, Term.COUNT, 0, i), b.word(value, Term.COUNT, 0, k));
            if (spec.needsMinMax() && a.word(value, Term.COUNT, 0, i) > 0) {
                same("min", a.word(value, Term.MIN, 0, i), b.word(value, Term.MIN, 0, k));
                same("max", a.word(value, Term.MAX, 0, i), b.word(value, Term.MAX, 0, k));
            }
            if (spec.needsSum()) {
                same("sum", sum(a, value, i), sum(b, value, k));
                same(
                        "specials",
                        a.word(value, Term.SPECIALS, 0, i),
                        b.word(value, Term.SPECIALS, 0, k));
            }
        }
    }

    private static BigInteger sum(GroupedBatch batch, int value, int group) {
        BigInteger sum = BigInteger.ZERO;
        for (int bin = 0; bin < batch.layout().bins(value); bin++) {
            BigInteger amount = BigInteger.valueOf(batch.word(value, Term.SUM, bin, group));
            sum = sum.add(amount.shiftLeft(Integer.SIZE * (batch.firstBin(value) + bin)));
        }
        return sum;
    }

    private static Key key(LineGroups groups, int group) {
        return new Key(ByteBuffer.wrap(groups.keys().copyRow(group)), groups.groups().slice(group));
    }

    private static void same(String what, Object actual, Object expected) {
        if (!actual.equals(expected)) {
            throw new IllegalStateException(
                    what + " differs: actual=" + actual + ", expected=" + expected);
        }
    }
}
