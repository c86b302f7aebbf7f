package io.flinkgpu.bench;

import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.SearchedBatch;

import java.util.List;
import java.util.stream.IntStream;

/** Sums of what was found, which are the same in every language. */
final class SearchAnswers {

    /** Where scores of sets of up to 128 elements are integers in order. */
    private static final int SCALE = 1 << 14;

    private static final List<Known> KNOWN =
            List.of(
                    new Known(7_853_052, 0, 128, 0x8e181fbea219c0f4L),
                    new Known(7_853_052, 1, 64, 0x43cb9a6f3ba844dbL),
                    new Known(1_963_263, 0, 128, 0x0e1a6537a3dc42e6L),
                    new Known(1_963_263, 1, 128, 0xfbd29b7fd1c4af6fL));

    private SearchAnswers() {}

    /**
     * What other programs found, 100 for a query, in documents by length: uniform queries without skew, else
     * those like documents.
     */
    private record Known(long documents, double skew, int queries, long sum) {}

    /** A sum for each query of a batch. */
    static long[] sums(List<SetQuery> queries, SearchedBatch found) {
        return IntStream.range(0, queries.size())
                .mapToLong(
                        i ->
                                sum(
                                        found.matches(
                                                i,
                                                Similarity.MAX,
                                                queries.get(i).elements().length)))
                .toArray();
    }

    private static long sum(SetMatches matches) {
        long sum = 0;
        for (int i = 0; i < matches.count(); i++) {
            sum += part(matches.common(i), matches.querySize(), matches.size(i), matches.id(i));
        }
        return sum;
    }

    /** What one document adds to a sum. */
    static long part(int common, int querySize, int size, long id) {
        return SplitMix.mix64(key(common, querySize, size) << 32 | id);
    }

    /** A score as an integer. */
    static long key(int common, int querySize, int size) {
        return (long) common * SCALE / Math.max(querySize, size);
    }

    /**
     * Compares sums with those that other programs found, if it is known what these are.
     *
     * @return what to tell; null if they are not known
     * @throws IllegalStateException if they are different
     */
    static String known(SetData data, double skew, int k, long[] sums) {
        for (Known known : KNOWN) {
            if (known.documents == data.documents()
                    && known.skew == skew
                    && data.sorted()
                    && k == 100
                    && sums.length >= known.queries) {
                long sum = IntStream.range(0, known.queries).mapToLong(i -> sums[i]).sum();
                if (sum != known.sum) {
                    throw new IllegalStateException(
                            "answers are not those of the public check value: documents="
                                    + known.documents
                                    + ", skew="
                                    + skew
                                    + ", expected="
                                    + Long.toHexString(known.sum)
                                    + ", found="
                                    + Long.toHexString(sum));
                }
                return "answers have the public check value " + Long.toHexString(sum);
            }
        }
        return null;
    }
}
