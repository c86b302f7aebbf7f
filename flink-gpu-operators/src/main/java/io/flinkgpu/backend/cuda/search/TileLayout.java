package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.cuda.device.DeviceLayout;

/**
 * Where the arrays of a tile lie in its piece of device memory.
 *
 * <pre>
 *   | elements, in chunks | starts of chunks | ids | born | died | attributes | sizes | index: starts | slots |
 * </pre>
 */
final class TileLayout {

    final int documents;
    final int chunks;

    /** Of the inverted index; 0 if there is none. */
    final int codes;

    final long bytes;
    final long chunkStarts;
    final long ids;
    final long born;
    final long died;
    final long attributes;
    final long sizes;
    final long postingStarts;
    final long postings;

    /**
     * @param documents there is room for
     * @param chunks there is room for
     * @param postings slots in the index
     */
    TileLayout(int documents, int chunks, int codes, long postings) {
        this.documents = documents;
        this.chunks = chunks;
        this.codes = codes;
        DeviceLayout block = new DeviceLayout();
        block.array((long) SearchAbi.SEARCH_CHUNK_BYTES * chunks);
        chunkStarts = block.array((long) Integer.BYTES * (groups(documents) + 1));
        ids = block.array((long) Long.BYTES * documents);
        born = block.array((long) Long.BYTES * documents);
        died = block.array((long) Long.BYTES * documents);
        attributes = block.array((long) Integer.BYTES * documents);
        sizes = block.array((long) Short.BYTES * documents);
        postingStarts = block.array(codes == 0 ? 0 : Integer.BYTES * (codes + 2L));
        this.postings = block.array(Short.BYTES * postings);
        bytes = block.end();
    }

    /** How many groups documents make. */
    static int groups(int documents) {
        return (documents + SearchAbi.SEARCH_GROUP_DOCUMENTS - 1)
                / SearchAbi.SEARCH_GROUP_DOCUMENTS;
    }
}
