package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.sets.Corpus;

import java.util.Arrays;

/**
 * Queries that are searched for at once, in groups of one size each as nearly as can be, with those groups
 * first that count by inverted indexes. A slot of a group that is not full has no query.
 */
final class SearchRound {

    static final int NO_ROW = -1;

    private static final int FIRST_CODES = 1 << 12;

    /** By slot: the row of the batch, or {@link #NO_ROW}. */
    final int[] rows;

    final int groupQueries;

    /** Groups, the first ones, that count by inverted indexes. */
    int invertedGroups;

    /** By slot: where the codes of a query's elements start. */
    final int[] codeStarts;

    /** By slot: how many codes that are; other elements have none. */
    final int[] codeCounts;

    /** How many codes all queries have. */
    int codeCount;

    short[] codes;

    /**
     * @param sorted rows of the batch, by size
     */
    SearchRound(int[] sorted, int groupQueries) {
        this.groupQueries = groupQueries;
        int groups = (sorted.length + groupQueries - 1) / groupQueries;
        rows = Arrays.copyOf(sorted, groups * groupQueries);
        Arrays.fill(rows, sorted.length, rows.length, NO_ROW);
        codeStarts = new int[rows.length];
        codeCounts = new int[rows.length];
    }

    int slots() {
        return rows.length;
    }

    int groups() {
        return rows.length / groupQueries;
    }

    /** How many queries are in the groups that count by inverted indexes. */
    int invertedQueries() {
        int queries = 0;
        for (int slot = 0; slot < invertedGroups * groupQueries; slot++) {
            queries += rows[slot] == NO_ROW ? 0 : 1;
        }
        return queries;
    }

    /** Finds the codes of all queries' elements. */
    void number(SearchInput input, Corpus books) {
        codes = new short[FIRST_CODES];
        for (int slot = 0; slot < rows.length; slot++) {
            int size = rows[slot] == NO_ROW ? 0 : input.size(rows[slot]);
            if (codeCount + size > codes.length) {
                codes = Arrays.copyOf(codes, 2 * (codeCount + size));
            }
            codeStarts[slot] = codeCount;
            for (int i = 0; i < size; i++) {
                int number = books.numbers().find(input.element(rows[slot], i));
                if (number >= 0) {
                    codes[codeCount++] = (short) (number + 1);
                }
            }
            codeCounts[slot] = codeCount - codeStarts[slot];
        }
    }

    /** Decides for each group how it counts; the codes are known. */
    void choose(DeviceCorpus corpus, SearchCosts costs) {
        int tiles = corpus.narrowTiles() - corpus.openTiles();
        double scan = costs.scanNanos(corpus.narrowElements());
        for (int group = 0; group < groups(); group++) {
            long postings = postings(corpus.books(), group * groupQueries);
            if (costs.invertedNanos(groupQueries, tiles, postings) < scan) {
                exchange(group * groupQueries, invertedGroups * groupQueries);
                invertedGroups++;
            }
        }
    }

    /** Of a group, from its first slot on. */
    private long postings(Corpus books, int from) {
        long postings = 0;
        for (int slot = from; slot < from + groupQueries; slot++) {
            int end = codeStarts[slot] + codeCounts[slot];
            for (int i = codeStarts[slot]; i < end; i++) {
                postings += books.frequency((codes[i] & 0xffff) - 1);
            }
        }
        return postings;
    }

    /** Has two groups take each other's place. */
    private void exchange(int a, int b) {
        for (int i = 0; i < groupQueries; i++) {
            exchange(rows, a + i, b + i);
            exchange(codeStarts, a + i, b + i);
            exchange(codeCounts, a + i, b + i);
        }
    }

    private static void exchange(int[] values, int a, int b) {
        int before = values[a];
        values[a] = values[b];
        values[b] = before;
    }
}
