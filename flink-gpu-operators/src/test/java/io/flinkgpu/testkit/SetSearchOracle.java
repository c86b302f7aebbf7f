package io.flinkgpu.testkit;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The definition of a set search: every document that ever was is compared with the query, as fractions of
 * whole numbers; shares nothing with what it judges.
 */
public final class SetSearchOracle {

    private final Similarity similarity;
    private final Map<Long, List<Document>> documents = new HashMap<>();
    private long version;

    public SetSearchOracle(Similarity similarity) {
        this.similarity = similarity;
    }

    /** Inserts, replaces or deletes a document. */
    public void apply(SetChange change) {
        version++;
        List<Document> sameId = documents.computeIfAbsent(change.id(), id -> new ArrayList<>());
        sameId.forEach(document -> document.died = Math.min(document.died, version));
        if (!change.isDelete()) {
            sameId.add(new Document(change, version));
        }
    }

    /** How many changes there were. */
    public long version() {
        return version;
    }

    /** The documents that there are, in no order. */
    public List<SetChange> documents() {
        return documents.values().stream()
                .flatMap(List::stream)
                .filter(document -> document.isVisible(version))
                .map(document -> document.change)
                .toList();
    }

    /** Drops what no query sees whose version is at least this one. */
    public void forget(long version) {
        documents.values().forEach(sameId -> sameId.removeIf(document -> document.died <= version));
        documents.values().removeIf(List::isEmpty);
    }

    /** What a query finds that sees all changes. */
    public SetMatches find(SetQuery query) {
        return find(query, version);
    }

    /** What a query finds that sees the first changes only. */
    public SetMatches find(SetQuery query, long version) {
        List<Found> found = new ArrayList<>();
        for (List<Document> sameId : documents.values()) {
            for (Document document : sameId) {
                if (document.isVisible(version) && document.hasAttributesOf(query)) {
                    Found candidate = found(query, document.change);
                    if (candidate.isAnswerOf(query)) {
                        found.add(candidate);
                    }
                }
            }
        }
        found.sort(Comparator.comparing((Found f) -> f).thenComparing(f -> f.id));
        List<Found> best = found.subList(0, Math.min(query.k(), found.size()));
        return new SetMatches(
                similarity,
                query.elements().length,
                best.stream().mapToLong(f -> f.id).toArray(),
                best.stream().mapToInt(f -> f.common).toArray(),
                best.stream().mapToInt(f -> f.size).toArray());
    }

    private Found found(SetQuery query, SetChange document) {
        int common = common(query.elements(), document.elements());
        int q = query.elements().length;
        int d = document.elements().length;
        return switch (similarity) {
            case MAX -> new Found(document.id(), common, d, common, Math.max(q, d));
            case JACCARD -> new Found(document.id(), common, d, common, q + d - common);
            case DICE -> new Found(document.id(), common, d, 2L * common, q + d);
            case CONTAINMENT -> new Found(document.id(), common, d, common, q);
            case OVERLAP -> new Found(document.id(), common, d, common, Math.min(q, d));
        };
    }

    /** How many elements are in both of two sorted sets. */
    private static int common(int[] left, int[] right) {
        int common = 0;
        int i = 0;
        int j = 0;
        while (i < left.length && j < right.length) {
            int order = Integer.compareUnsigned(left[i], right[j]);
            common += order == 0 ? 1 : 0;
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return common;
    }

    /** A document from the change that made it to the one that replaced or deleted it. */
    private static final class Document {

        final SetChange change;
        final long born;
        long died = Long.MAX_VALUE;

        Document(SetChange change, long born) {
            this.change = change;
            this.born = born;
        }

        boolean isVisible(long version) {
            return born <= version && version < died;
        }

        boolean hasAttributesOf(SetQuery query) {
            return (change.attributes() & query.attributeMask()) == query.attributeValue();
        }
    }

    /** The larger fraction comes first; one of nothing in common is 0, whatever is below its line. */
    private record Found(long id, int common, int size, long numerator, long denominator)
            implements Comparable<Found> {

        boolean isAnswerOf(SetQuery query) {
            return common == 0
                    ? query.includesZero() && 0 >= query.minScore()
                    : (double) numerator / denominator >= query.minScore();
        }

        @Override
        public int compareTo(Found that) {
            if (common == 0 || that.common == 0) {
                return Integer.compare(Math.min(1, that.common), Math.min(1, common));
            }
            return Long.compare(that.numerator * denominator, numerator * that.denominator);
        }
    }
}
