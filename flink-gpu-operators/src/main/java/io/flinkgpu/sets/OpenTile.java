package io.flinkgpu.sets;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/** The newest documents, in the order in which they came; it grows up to the limits of a tile. */
@Internal
public final class OpenTile extends Documents {

    private static final int FIRST_DOCUMENTS = 64;
    private static final int FIRST_ELEMENTS = 4_096;

    private final int maxDocuments;
    private final int maxElements;
    private int reported;

    OpenTile(int number, boolean isNarrow, TileLimits limits) {
        super(
                number,
                isNarrow,
                Math.min(FIRST_DOCUMENTS, limits.documents()),
                Math.min(FIRST_ELEMENTS, limits.elements(isNarrow)));
        maxDocuments = limits.documents();
        maxElements = limits.elements(isNarrow);
    }

    /**
     * With the arrays of a tile that nobody reads any more: they are as large as this one will need, where to grow to
     * that takes milliseconds of a change, and leaves as much again to the garbage collector.
     */
    OpenTile(int number, OpenTile spent) {
        super(number, spent);
        maxDocuments = spent.maxDocuments;
        maxElements = spent.maxElements;
    }

    /** Whether a document of this size fits; an empty tile has room for any that is of its kind. */
    boolean hasRoom(int size) {
        return documents == 0 || documents < maxDocuments && allElements() + size <= maxElements;
    }

    /** Appends a narrow document, for which there is room. */
    void append(long id, int ofAttributes, long change, short[] ofNumbers, int size) {
        int start = makeRoom(size);
        System.arraycopy(ofNumbers, 0, numbers, start, size);
        append(id, ofAttributes, change, size);
    }

    /** Appends a wide document, for which there is room. */
    void append(long id, int ofAttributes, long change, int[] ofElements, int size) {
        int start = makeRoom(size);
        System.arraycopy(ofElements, 0, elements, start, size);
        append(id, ofAttributes, change, size);
    }

    /** Whether a {@link CorpusUpdate} has ever named the tile. */
    boolean isReported() {
        return reported > 0;
    }

    /** Adds the documents to an update that no update has named yet. */
    void report(CorpusUpdate update) {
        if (reported < documents) {
            update.appended().add(new CorpusUpdate.Appended(this, reported));
            reported = documents;
        }
    }

    /** Where the elements of the next document start. */
    private int makeRoom(int size) {
        if (documents == ids.length) {
            int room = Math.min(2 * documents, maxDocuments);
            ids = Arrays.copyOf(ids, room);
            attributes = Arrays.copyOf(attributes, room);
            born = Arrays.copyOf(born, room);
            died = Arrays.copyOf(died, room);
            starts = Arrays.copyOf(starts, room + 1);
        }
        int start = allElements();
        int needed = start + size;
        int room = isNarrow() ? numbers.length : elements.length;
        if (needed > room) {
            int newRoom = Math.max(needed, Math.min(2 * room, maxElements));
            if (isNarrow()) {
                numbers = Arrays.copyOf(numbers, newRoom);
            } else {
                elements = Arrays.copyOf(elements, newRoom);
            }
        }
        return start;
    }

    private void append(long id, int ofAttributes, long change, int size) {
        ids[documents] = id;
        attributes[documents] = ofAttributes;
        born[documents] = change;
        died[documents] = LIVES;
        starts[documents + 1] = starts[documents] + size;
        smallest = documents == 0 ? size : Math.min(smallest, size);
        largest = Math.max(largest, size);
        documents++;
        live++;
        newest = change;
    }
}
