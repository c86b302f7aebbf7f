package io.flinkgpu.sets;

import org.apache.flink.annotation.Internal;

/** A number that is watched of a search; of those that count, since the program was compiled. */
@Internal
public enum SearchGauge {

    /** Documents after all changes. */
    DOCUMENTS("documents"),

    /** Tiles that are sealed. */
    TILES("tiles"),

    /** Documents that died and are still in a tile, sealed or open. */
    TOMBSTONES("tombstones"),

    /** Bytes that count against the limit of the corpus: of the device, or of the heap, then with indexes. */
    CORPUS_BYTES("corpusBytes"),

    /** Bytes of the documents on the heap, indexes aside, which a device's copy is made of. */
    HOST_BYTES("hostBytes"),

    /** Queries that counted what they have in common with narrow documents by bit planes alone. */
    SCANNED_QUERIES("scannedQueries"),

    /** Queries that counted it by postings in at least one tile. */
    INDEXED_QUERIES("indexedQueries"),

    /** Queries that were compared with wide documents, besides. */
    WIDE_QUERIES("wideQueries"),

    /** Documents that were there for a query and among its best, as these were known when it was compared. */
    CANDIDATES("candidates"),

    /** Queries that were searched for again, as a device had no room for all their candidates. */
    OVERFLOWED_QUERIES("overflowedQueries"),

    /** Queries for more documents than a device sorts. */
    HOST_SELECTED_QUERIES("hostSelectedQueries");

    private final String metric;

    SearchGauge(String metric) {
        this.metric = metric;
    }

    String metric() {
        return metric;
    }
}
