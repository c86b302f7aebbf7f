package io.flinkgpu.sets;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a batch of changes did to the tiles of a corpus, for a copy of them: first those that were {@link
 * #dropped} go, then the {@link #added} come, and what was {@link #appended}; then documents of other tiles
 * died. Valid until the next batch of changes is applied.
 */
@Internal
public final class CorpusUpdate {

    /**
     * Documents that came to an open tile, from a slot up to {@link OpenTile#documents}. If it is 0, the
     * tile is new.
     */
    public record Appended(OpenTile tile, int firstSlot) {}

    private final Set<Integer> dropped = new HashSet<>();
    private final List<Tile> added = new ArrayList<>();
    private final List<Tile> growing = new ArrayList<>();
    private final List<Appended> appended = new ArrayList<>();
    private long[] diedPlaces = new long[16];
    private long[] diedChanges = new long[16];
    private int deaths;

    /** The numbers of tiles, also open ones, that were there before and no longer are. */
    public Set<Integer> dropped() {
        return dropped;
    }

    /** Tiles that are new, with all deaths of documents in them. */
    public List<Tile> added() {
        return added;
    }

    /**
     * Tiles that are not searched yet, but will be added once all of their documents are there: those that are do not
     * change any more, but for their deaths, which are known then.
     */
    public List<Tile> growing() {
        return growing;
    }

    /** At most one for each open tile. */
    public List<Appended> appended() {
        return appended;
    }

    /**
     * How many documents died. Some of them may be in tiles that were dropped or added, or among those
     * appended: there is nothing left to do for those.
     */
    public int deaths() {
        return deaths;
    }

    /** The number of the tile, maybe an open one, of a document that died. */
    public int diedIn(int death) {
        return Places.tile(diedPlaces[death]);
    }

    /** The slot of a document that died. */
    public int diedSlot(int death) {
        return Places.slot(diedPlaces[death]);
    }

    /** The change by which it died. */
    public long diedBy(int death) {
        return diedChanges[death];
    }

    /** A document died. */
    void died(long place, long change) {
        if (deaths == diedPlaces.length) {
            diedPlaces = Arrays.copyOf(diedPlaces, 2 * deaths);
            diedChanges = Arrays.copyOf(diedChanges, 2 * deaths);
        }
        diedPlaces[deaths] = place;
        diedChanges[deaths++] = change;
    }

    /** A sealed tile goes. */
    void drop(Tile tile) {
        if (!added.remove(tile)) {
            dropped.add(tile.number());
        }
    }

    /** An open tile goes. */
    void drop(OpenTile tile) {
        if (tile.isReported()) {
            dropped.add(tile.number());
        }
    }
}
