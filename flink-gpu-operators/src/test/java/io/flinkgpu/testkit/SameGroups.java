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
            same("first bin of value " + i, 0, actual.firstBin(i), expected.firstBin(i));
            for (Term term : Term.values()) {
                String name = "value " + i + ": " + term;
                int words = expected.layout().words(i, term);
                same("words of " + name, 0, actual.layout().words(i, term), words);
                int first = expected.layout().first(i, term);
                for (int word = first; word < first + words; word++) {
                    int array = word;
                    all(name, groups, g -> actual.word(array, g), g -> expected.word(array, g));
                }
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
