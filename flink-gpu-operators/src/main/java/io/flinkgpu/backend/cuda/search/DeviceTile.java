package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.sets.Documents;
import io.flinkgpu.sets.Ranges;
import io.flinkgpu.sets.Tile;

import org.apache.arrow.memory.util.MemoryUtil;

/** A tile's copy on the device: documents in groups of 32, whose elements lie side by side. */
final class DeviceTile {

    private static final int GROUP = SearchAbi.SEARCH_GROUP_DOCUMENTS;
    private static final int PACK_BYTES = 16;
    private static final int MOST_CHUNKS = Staging.MOST_BYTES / SearchAbi.SEARCH_CHUNK_BYTES;

    /** That one thread writes. */
    private static final int GROUPS_AT_ONCE = 4;

    private final Documents source;
    private final TileLayout layout;
    private final long address;

    /** The first chunk of each group, and where the last one ends. */
    private final int[] chunkStarts;

    /** How many documents have been written. */
    private int documents;

    DeviceTile(Documents source, TileLayout layout, long address) {
        this.source = source;
        this.layout = layout;
        this.address = address;
        chunkStarts = new int[TileLayout.groups(layout.documents) + 1];
    }

    /**
     * The layout of a sealed tile, all of whose documents need not be there yet.
     *
     * @param codes of its index; 0 without one
     */
    static TileLayout layout(Tile tile, int codes) {
        int documents = tile.wholeDocuments();
        return new TileLayout(
                documents,
                chunks(tile, 0, documents),
                codes,
                codes > 0 ? tile.starts()[documents] : 0);
    }

    /** How many chunks the groups of documents take from a slot on. */
    static int chunks(Documents source, int firstSlot) {
        return chunks(source, firstSlot, source.documents());
    }

    private static int chunks(Documents source, int firstSlot, int documents) {
        int chunks = 0;
        for (int group = firstSlot / GROUP; group * GROUP < documents; group++) {
            chunks += chunksOfGroup(source, group, documents);
        }
        return chunks;
    }

    private static int chunksOfGroup(Documents source, int group, int documents) {
        int largest = 0;
        int end = Math.min(documents, (group + 1) * GROUP);
        for (int slot = group * GROUP; slot < end; slot++) {
            largest = Math.max(largest, source.size(slot));
        }
        int inPack = inPack(source);
        return (largest + inPack - 1) / inPack;
    }

    private static int inPack(Documents source) {
        return PACK_BYTES / (source.isNarrow() ? Short.BYTES : Integer.BYTES);
    }

    Documents source() {
        return source;
    }

    long address() {
        return address;
    }

    int documents() {
        return documents;
    }

    boolean hasIndex() {
        return layout.codes > 0;
    }

    /** Where it is kept when a document died. */
    long diedAddress(int slot) {
        return address + layout.died + (long) Long.BYTES * slot;
    }

    /** Where the postings of codes start; as all else of the index, written by the device. */
    long indexAddress() {
        return address + layout.postingStarts;
    }

    long indexStartsBytes() {
        return Integer.BYTES * (layout.codes + 2L);
    }

    /** Whether there is room for all that the source has by now. */
    boolean hasRoom() {
        return source.documents() <= layout.documents
                && chunkStarts[documents / GROUP] + chunks(source, documents) <= layout.chunks;
    }

    /** Writes the documents that the source has by now from the first one that was not written yet; none if it fails. */
    void write(Staging staging) throws BackendException {
        int firstSlot = documents;
        documents = source.documents();
        try {
            writeFrom(firstSlot, staging);
        } catch (BackendException | RuntimeException | Error e) {
            documents = firstSlot;
            throw e;
        }
    }

    private void writeFrom(int firstSlot, Staging staging) throws BackendException {
        int firstGroup = firstSlot / GROUP;
        int groups = TileLayout.groups(documents);
        for (int group = firstGroup; group < groups; group++) {
            chunkStarts[group + 1] = chunkStarts[group] + chunksOfGroup(source, group, documents);
        }
        for (int group = firstGroup; group < groups; ) {
            group = writeGroups(group, groups, staging);
        }
        long starts =
                staging.room(
                        address + layout.chunkStarts + 4L * firstGroup,
                        4L * (groups + 1 - firstGroup));
        for (int group = firstGroup; group <= groups; group++) {
            MemoryUtil.putInt(starts + 4L * (group - firstGroup), chunkStarts[group]);
        }
        writeLongs(source.ids(), layout.ids, firstSlot, staging);
        writeLongs(source.born(), layout.born, firstSlot, staging);
        writeLongs(source.died(), layout.died, firstSlot, staging);
        int count = documents - firstSlot;
        long attributes = staging.room(address + layout.attributes + 4L * firstSlot, 4L * count);
        for (int i = 0; i < count; i++) {
            MemoryUtil.putInt(attributes + 4L * i, source.attributes()[firstSlot + i]);
        }
        long sizes = staging.room(address + layout.sizes + 2L * firstSlot, 2L * count);
        for (int i = 0; i < count; i++) {
            MemoryUtil.putShort(sizes + 2L * i, (short) source.size(firstSlot + i));
        }
    }

    /** Writes the deaths of documents again, all of which have been written. */
    void writeDeaths(Staging staging) throws BackendException {
        writeLongs(source.died(), layout.died, 0, staging);
    }

    private void writeLongs(long[] values, long at, int firstSlot, Staging staging)
            throws BackendException {
        int count = documents - firstSlot;
        long host = staging.room(address + at + 8L * firstSlot, 8L * count);
        for (int i = 0; i < count; i++) {
            MemoryUtil.putLong(host + 8L * i, values[firstSlot + i]);
        }
    }

    /** Writes a group, and those after it that go there with it. Returns the next one. */
    private int writeGroups(int first, int groups, Staging staging) throws BackendException {
        int start = chunkStarts[first];
        int end = first + 1;
        while (end < groups && chunkStarts[end + 1] - start <= MOST_CHUNKS) {
            end++;
        }
        long host = staging.room(address + chunkBytes(start), chunkBytes(chunkStarts[end] - start));
        Ranges.each(
                end - first,
                GROUPS_AT_ONCE,
                (from, to) -> {
                    for (int group = first + from; group < first + to; group++) {
                        writeGroup(group, host + chunkBytes(chunkStarts[group] - start));
                    }
                });
        return end;
    }

    private static long chunkBytes(int chunks) {
        return (long) SearchAbi.SEARCH_CHUNK_BYTES * chunks;
    }

    private void writeGroup(int group, long host) {
        MemoryUtil.setMemory(
                host, chunkBytes(chunkStarts[group + 1] - chunkStarts[group]), (byte) 0);
        int end = Math.min(documents, (group + 1) * GROUP);
        for (int slot = group * GROUP; slot < end; slot++) {
            long lane = host + (long) PACK_BYTES * (slot % GROUP);
            if (source.isNarrow()) {
                writeNumbers(lane, slot);
            } else {
                writeElements(lane, slot);
            }
        }
    }

    private void writeNumbers(long lane, int slot) {
        short[] numbers = source.numbers();
        int start = source.starts()[slot];
        int size = source.size(slot);
        for (int i = 0; i < size; i++) {
            long at = lane + (long) (i >> 3) * SearchAbi.SEARCH_CHUNK_BYTES + (i & 7) * 2;
            MemoryUtil.putShort(at, (short) (numbers[start + i] + 1));
        }
    }

    private void writeElements(long lane, int slot) {
        int[] elements = source.elements();
        int start = source.starts()[slot];
        int size = source.size(slot);
        for (int i = 0; i < size; i++) {
            long at = lane + (long) (i >> 2) * SearchAbi.SEARCH_CHUNK_BYTES + (i & 3) * 4;
            MemoryUtil.putInt(at, elements[start + i]);
        }
    }

    /** Writes the {@code search_tile} struct to host memory. */
    void describe(long to) {
        MemoryUtil.putLong(to + SearchAbi.SEARCH_TILE_ELEMENTS, address);
        MemoryUtil.putLong(to + SearchAbi.SEARCH_TILE_CHUNKS, address + layout.chunkStarts);
        MemoryUtil.putLong(to + SearchAbi.SEARCH_TILE_IDS, address + layout.ids);
        MemoryUtil.putLong(to + SearchAbi.SEARCH_TILE_BORN, address + layout.born);
        MemoryUtil.putLong(to + SearchAbi.SEARCH_TILE_DIED, address + layout.died);
        MemoryUtil.putLong(to + SearchAbi.SEARCH_TILE_ATTRIBUTES, address + layout.attributes);
        MemoryUtil.putLong(to + SearchAbi.SEARCH_TILE_SIZES, address + layout.sizes);
        MemoryUtil.putLong(
                to + SearchAbi.SEARCH_TILE_POSTING_STARTS,
                hasIndex() ? address + layout.postingStarts : 0);
        MemoryUtil.putLong(
                to + SearchAbi.SEARCH_TILE_POSTINGS, hasIndex() ? address + layout.postings : 0);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_TILE_DOCUMENTS, documents);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_TILE_CODES, layout.codes);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_TILE_SMALLEST, source.smallest());
        MemoryUtil.putInt(to + SearchAbi.SEARCH_TILE_LARGEST, source.largest());
    }

    /** Writes the {@code search_index_args} struct to host memory. */
    void describeIndex(long to) {
        MemoryUtil.putLong(to + SearchAbi.SEARCH_INDEX_ARGS_ELEMENTS, address);
        MemoryUtil.putLong(to + SearchAbi.SEARCH_INDEX_ARGS_CHUNKS, address + layout.chunkStarts);
        MemoryUtil.putLong(to + SearchAbi.SEARCH_INDEX_ARGS_SIZES, address + layout.sizes);
        MemoryUtil.putLong(
                to + SearchAbi.SEARCH_INDEX_ARGS_POSTING_STARTS, address + layout.postingStarts);
        MemoryUtil.putLong(to + SearchAbi.SEARCH_INDEX_ARGS_POSTINGS, address + layout.postings);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_INDEX_ARGS_DOCUMENTS, documents);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_INDEX_ARGS_CODES, layout.codes);
    }
}
