package io.flinkgpu.applications;

import io.flinkgpu.api.search.SetElements;

/** What the lines of a file of sets mean. Travels in the job graph. */
interface SetFormat extends LineFormat<SearchOperation> {

    /**
     * What a line asks for.
     *
     * @param line its number; the first is 0
     * @throws IllegalArgumentException if it is malformed, with the reason and nothing that it holds
     */
    SearchOperation read(long line, byte[] bytes, int from, int to, ElementReader sets);

    @Override
    default Reader<SearchOperation> open() {
        ElementReader sets = new ElementReader();
        return (line, bytes, from, to) -> read(line, bytes, from, to, sets);
    }

    /** Documents: a set a line, whose number is the id. */
    static SetFormat documents() {
        return (line, bytes, from, to, sets) -> change(line, line, sets.read(bytes, from, to));
    }

    /** Queries: a set a line. */
    static SetFormat queries(int k) {
        return (line, bytes, from, to, sets) ->
                query(new SearchOperation(line, 0, null, k, 0, false, sets.read(bytes, from, to)));
    }

    /** A document, refused if the search would do so, which does not know file and line. */
    static SearchOperation change(long line, long id, int[] elements) {
        SearchOperation change = SearchOperation.upsert(line, id, elements);
        if (elements.length > SetElements.MAX) {
            // Some of them may be there twice.
            change.change();
        }
        return change;
    }

    /** A query, refused if the search would do so. */
    static SearchOperation query(SearchOperation query) {
        query.query();
        return query;
    }
}
