package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.sets.Documents;
import io.flinkgpu.sets.ElementNumbers;
import io.flinkgpu.sets.SetScores;

import java.util.Arrays;

/** A query while it is searched for: what it asks, the best documents so far, and what others need. */
final class RunningQuery {

    private final Similarity similarity;
    private final int[] elements;
    private final double minScore;
    private final boolean includesZero;
    private final int mask;
    private final int value;
    private final long version;
    private final TopMatches top;

    /** Of its elements, those that narrow documents may have. */
    private final int[] numbers;

    /** By the size of a document: how many elements it has to have in common. */
    private final int[] need;

    private int minKey;
    private long candidates;

    /**
     * @param largest the most elements that a document of the corpus has
     */
    RunningQuery(QueryColumns columns, int row, ElementNumbers allNumbers, int largest) {
        similarity = columns.similarity();
        elements = columns.elements(row);
        minScore = columns.minScore(row);
        includesZero = columns.includesZero(row);
        mask = columns.mask(row);
        value = columns.value(row);
        version = columns.version(row);
        top = new TopMatches(columns.k(row));
        numbers = numbers(elements, allNumbers);
        need = new int[largest + 1];
        for (int size = 0; size <= largest; size++) {
            need[size] =
                    SetScores.leastCommon(similarity, elements.length, size, 1, minKey, minScore);
        }
    }

    private static int[] numbers(int[] elements, ElementNumbers allNumbers) {
        int[] numbers = new int[elements.length];
        int count = 0;
        for (int element : elements) {
            int number = allNumbers.find(element);
            if (number >= 0) {
                numbers[count++] = number;
            }
        }
        return Arrays.copyOf(numbers, count);
    }

    int[] elements() {
        return elements;
    }

    int[] numbers() {
        return numbers;
    }

    /**
     * By the size of a document: the fewest elements in common with which it may be among the best, or {@link
     * SetScores#NEVER}.
     */
    int[] need() {
        return need;
    }

    TopMatches top() {
        return top;
    }

    /** Takes from what was found since what others need now: whether that is more. */
    boolean raise() {
        int newKey = top.minKey();
        if (newKey <= minKey) {
            return false;
        }
        minKey = newKey;
        for (int size = 0; size < need.length; size++) {
            int most = Math.min(elements.length, size);
            int common = need[size];
            while (common <= most
                    && SetScores.key(similarity, common, elements.length, size) < newKey) {
                common++;
            }
            need[size] = common > most ? SetScores.NEVER : common;
        }
        return true;
    }

    /** A document has so much in common, at least what it {@link #need}s. */
    void offer(Documents tile, int slot, int size, int common) {
        int key = SetScores.key(similarity, common, elements.length, size);
        long id = tile.ids()[slot];
        if (top.accepts(key, id) && matches(tile, slot)) {
            top.add(key, id, common, size);
            candidates++;
        }
    }

    /** How many documents were among the best, when they were offered. */
    long candidates() {
        return candidates;
    }

    /** Whether documents that have nothing in common are missing to make k. */
    boolean wantsZero() {
        return includesZero && minScore <= 0 && !top.isFull();
    }

    /**
     * Offers the documents of a tile that have nothing in common.
     *
     * @param others the ids, ascending, of all that have something in common
     */
    void offerZero(Documents tile, long[] others) {
        for (int slot = 0; slot < tile.documents(); slot++) {
            long id = tile.ids()[slot];
            if (top.accepts(0, id) && matches(tile, slot) && Arrays.binarySearch(others, id) < 0) {
                top.add(0, id, 0, tile.size(slot));
            }
        }
    }

    private boolean matches(Documents tile, int slot) {
        return (mask == 0 && value == 0 || (tile.attributes()[slot] & mask) == value)
                && (tile.areAllVisible(version) || tile.isVisible(slot, version));
    }
}
