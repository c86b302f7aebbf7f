package io.flinkgpu.applications;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;

/**
 * What a line asks for: a change of a document, or a query.
 *
 * @param line its number in its file; the first is 0
 * @param id of a change's document
 * @param name of a query, its bytes as characters; null if it has none
 * @param k how many documents a query wants; 0 of a change
 * @param minScore of a query
 * @param withZero of a query
 * @param elements of a query or document; null if the document is deleted
 */
public record SearchOperation(
        long line, long id, String name, int k, double minScore, boolean withZero, int[] elements)
        implements NumberedLine {

    static SearchOperation upsert(long line, long id, int[] elements) {
        return new SearchOperation(line, id, null, 0, 0, false, elements);
    }

    static SearchOperation delete(long line, long id) {
        return upsert(line, id, null);
    }

    boolean isQuery() {
        return k != 0;
    }

    /**
     * @throws IllegalArgumentException if the set is too large
     */
    SetChange change() {
        return elements == null ? SetChange.delete(id) : SetChange.upsert(id, elements);
    }

    /**
     * @throws IllegalArgumentException if the set is too large, {@code k} too small, or the score NaN
     */
    SetQuery query() {
        return SetQuery.of(k, elements).withMinScore(minScore).withZero(withZero);
    }

    /** Shows nothing that the line has. */
    @Override
    public String toString() {
        return "SearchOperation[line=" + line + "]";
    }
}
