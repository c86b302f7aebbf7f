package io.flinkgpu.sets;

import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;

import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Collections;
import java.util.List;

/**
 * The documents that are searched, in tiles. Changes are numbered from 1 on, over all batches; a document that
 * a change took away stays for queries of an earlier version, but none may ask for one before the last batch
 * of changes, or some more of them. Not thread-safe.
 *
 * <p>New documents come to an open tile, one for {@link Documents#isNarrow narrow} and one for wide ones,
 * which is sealed when it is full: at once, or with the changes after that, so that none of them takes long. Sealed tiles that are less than half full of documents that are still
 * there are merged.
 */
@Internal
public final class Corpus {

    // As CorpusPlan has them.
    private static final int ID_COLUMN = 0;
    private static final int ELEMENTS_COLUMN = 1;
    private static final int ATTRIBUTES_COLUMN = 2;

    /**
     * How many documents of tiles that are sealed or merged are brought to their places with a change, where batches of
     * queries are answered beside batches of changes: a tile of which each change makes a document is full again after
     * eight times as long.
     */
    private static final int MOVED_WITH_CHANGE = 8;

    /** Documents whose places are fetched at a time. */
    private static final int PREFETCHED = 256;

    private final ElementNumbers numbers;
    private final Places places = new Places();
    private final Tiles tiles;

    /** Of the document that is being inserted. */
    private final short[] ofDocument = new short[Documents.NARROW_ELEMENTS];

    private long changes;

    /** Of the batch that is being applied and of those before it: the changes before each, the latest last. */
    private final long[] versions;

    private CorpusUpdate update = new CorpusUpdate();

    public Corpus() {
        this(0);
    }

    /**
     * @param batchesBeside how many more batches of changes may be applied before a query is answered
     */
    public Corpus(int batchesBeside) {
        this(TileLimits.STANDARD, ElementNumbers.MAX_NUMBERS, batchesBeside);
    }

    /** No query is answered after changes that come after it. */
    public Corpus(TileLimits limits, int maxNumbers) {
        this(limits, maxNumbers, 0);
    }

    /**
     * @param maxNumbers how many elements get numbers, at most {@link ElementNumbers#MAX_NUMBERS}
     * @param batchesBeside how many more batches of changes may be applied before a query is answered
     */
    public Corpus(TileLimits limits, int maxNumbers, int batchesBeside) {
        versions = new long[batchesBeside + 1];
        numbers = new ElementNumbers(maxNumbers);
        tiles = new Tiles(limits, maxNumbers, places, batchesBeside == 0);
    }

    /** Applies the changes of a batch in order, whose columns are those of {@code CorpusPlan}. */
    public CorpusUpdate apply(ColumnBatch batch) {
        BigIntVector ids = (BigIntVector) batch.vector(ID_COLUMN);
        ListVector lists = (ListVector) batch.vector(ELEMENTS_COLUMN);
        IntVector attributes = (IntVector) batch.vector(ATTRIBUTES_COLUMN);
        IntBuffer all = elements(lists, batch.rows());
        int[] elements = new int[Documents.NARROW_ELEMENTS];
        begin();
        for (int row = 0; row < batch.rows(); row++) {
            if (row % PREFETCHED == 0) {
                int end = Math.min(batch.rows(), row + PREFETCHED);
                for (int i = row; i < end; i++) {
                    places.prefetch(ids.get(i));
                }
            }
            if (lists.isNull(row)) {
                delete(ids.get(row));
                continue;
            }
            int start = lists.getElementStartIndex(row);
            int size = lists.getElementEndIndex(row) - start;
            if (size > elements.length) {
                elements = new int[2 * size];
            }
            all.get(start, elements, 0, size);
            int ofRow = attributes.isNull(row) ? 0 : attributes.get(row);
            upsert(ids.get(row), ofRow, elements, size);
        }
        return finish();
    }

    /** Those of all rows. */
    private static IntBuffer elements(ListVector lists, int rows) {
        int count = rows == 0 ? 0 : lists.getElementEndIndex(rows - 1);
        return lists.getDataVector()
                .getDataBuffer()
                .nioBuffer(0, Integer.BYTES * count)
                .order(ByteOrder.nativeOrder())
                .asIntBuffer();
    }

    /** How many changes there were. */
    public long changes() {
        return changes;
    }

    /** How many documents are there after all changes. */
    public int documents() {
        return places.count();
    }

    /** How many documents died and are still in a tile. */
    public long tombstones() {
        return tiles.documents() - places.count();
    }

    /** Those that are sealed, in no order. */
    public List<Tile> tiles() {
        return Collections.unmodifiableList(tiles.sealed());
    }

    /** The newest of the documents that are narrow; another object once it was full. */
    public OpenTile narrow() {
        return tiles.narrow();
    }

    /** The newest of the documents that are wide; another object once it was full. */
    public OpenTile wide() {
        return tiles.wide();
    }

    /** Open tiles that are full and are being sealed; none where that is done at once. */
    public List<OpenTile> full() {
        return tiles.full();
    }

    /** Of the elements of all narrow documents. */
    public ElementNumbers numbers() {
        return numbers;
    }

    /** How many documents of sealed narrow tiles have the element of a number, those included that died. */
    public int frequency(int number) {
        return tiles.frequency(number);
    }

    /** The memory of all of it. */
    public long bytes() {
        return tiles.bytes() + places.bytes() + numbers.bytes();
    }

    /** Changes follow, up to {@link #finish}. */
    void begin() {
        System.arraycopy(versions, 1, versions, 0, versions.length - 1);
        versions[versions.length - 1] = changes;
        update = new CorpusUpdate();
    }

    /** Inserts or replaces a document. */
    void upsert(long id, int attributes, int[] elements, int size) {
        changes++;
        boolean isNarrow = isNarrow(elements, size);
        OpenTile open = isNarrow ? tiles.narrow() : tiles.wide();
        if (!open.hasRoom(size)) {
            open = tiles.seal(open, oldestVersion(), update);
        }
        die(places.put(id, Places.place(open.number(), open.documents())));
        if (isNarrow) {
            open.append(id, attributes, changes, ofDocument, size);
        } else {
            open.append(id, attributes, changes, elements, size);
        }
    }

    /** Deletes a document if it is there. */
    void delete(long id) {
        changes++;
        die(places.remove(id));
    }

    /** That a query may still ask for. */
    private long oldestVersion() {
        return versions[0];
    }

    CorpusUpdate finish() {
        tiles.advance(movedWith(changes - versions[versions.length - 1]), update);
        tiles.merge(true, oldestVersion(), update);
        tiles.merge(false, oldestVersion(), update);
        tiles.report(update);
        return update;
    }

    /** How many documents are brought to their places with a batch of changes. */
    private int movedWith(long ofBatch) {
        return versions.length == 1
                ? Integer.MAX_VALUE
                : (int) Math.min(Integer.MAX_VALUE, MOVED_WITH_CHANGE * ofBatch);
    }

    private void die(long place) {
        if (place != Places.NONE) {
            update.died(tiles.die(place, changes), changes);
        }
    }

    /** Whether a document is narrow: all of its elements have numbers, which are then in the array for them. */
    private boolean isNarrow(int[] elements, int size) {
        if (size > Documents.NARROW_ELEMENTS) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            int number = numbers.add(elements[i]);
            if (number < 0) {
                return false;
            }
            ofDocument[i] = (short) number;
        }
        return true;
    }
}
