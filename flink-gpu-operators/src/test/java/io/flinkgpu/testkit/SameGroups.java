package io.flinkgpu.testkit;

import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.words.Term;

import java.util.function.IntToLongFunction;

/** Compares two backends' answers to one batch, word for word. */
public final class SameGroups {

    private SameGroups() {}

    /**
     * @throws AssertionError with the first word that differs
     */
    public static void check(AggregatePlan plan, GroupedBatch actual, GroupedBatch expected) {
        int groups = expected.groups();
        same("groups", 0, actual.groups(), groups);
        all("first row", groups, actual::firstRow, expected::firstRow);
        all("key id", groups, actual::keyId, expected::keyId);
        all("slice", groups, actual::slice, expected::slice);
        for (int i = 0; i < plan.values().size(); i++) {
            int value = i;
            String name = "value " + i + ": ";
            all(
                    name + "count",
                    groups,
                    g -> actual.word(value, Term.COUNT, 0, g),
                    g -> expected.word(value, Term.COUNT, 0, g));
            all(
                    name + "specials",
                    groups,
                    g -> actual.word(value, Term.SPECIALS, 0, g),
                    g -> expected.word(value, Term.SPECIALS, 0, g));
            if (plan.values().get(i).needsMinMax()) {
                all(
                        name + "min",
                        groups,
                        g -> actual.word(value, Term.MIN, 0, g),
                        g -> expected.word(value, Term.MIN, 0, g));
                all(
                        name + "max",
                        groups,
                        g -> actual.word(value, Term.MAX, 0, g),
                        g -> expected.word(value, Term.MAX, 0, g));
            }
            same(name + "bins", 0, actual.layout().bins(value), expected.layout().bins(value));
            same(name + "first bin", 0, actual.firstBin(value), expected.firstBin(value));
            for (int b = 0; b < expected.layout().bins(value); b++) {
                int bin = b;
                all(
                        name + "bin " + bin,
                        groups,
                        g -> actual.word(value, Term.SUM, bin, g),
                        g -> expected.word(value, Term.SUM, bin, g));
            }
            int squareBins = expected.layout().words(value, Term.SQUARES);
            same(name + "square bins", 0, actual.layout().words(value, Term.SQUARES), squareBins);
            for (int b = 0; b < squareBins; b++) {
                int bin = b;
                all(
                        name + "square bin " + bin,
                        groups,
                        g -> actual.word(value, Term.SQUARES, bin, g),
                        g -> expected.word(value, Term.SQUARES, bin, g));
            }
        }
    }

    private static void all(
            String what, int groups, IntToLongFunction actual, IntToLongFunction expected) {
        for (int group = 0; group < groups; group++) {
            same(what, group, actual.applyAsLong(group), expected.applyAsLong(group));
        }
    }

    private static void same(String what, int group, long actual, long expected) {
        if (actual != expected) {
            throw new AssertionError(
                    what + " of group " + group + ": " + actual + ", expected " + expected);
        }
    }
}
