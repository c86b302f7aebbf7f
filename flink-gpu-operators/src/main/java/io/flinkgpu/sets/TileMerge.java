package io.flinkgpu.sets;

import java.util.List;

/**
 * Sparse tiles that become one in steps: they are searched until it is there, then places are put right that name
 * them, and then how often elements occur.
 */
final class TileMerge {

    final List<Tile> sources;

    /** Null if nobody can see any of their documents. */
    final TileBuild build;

    /** Whether the one tile has taken their place. */
    boolean isAdded;

    /** How many of its documents have their places. */
    int placed;

    /** The source, and the slot of it, from which on elements still count. */
    int source;

    int slot;

    TileMerge(List<Tile> sources, TileBuild build) {
        this.sources = List.copyOf(sources);
        this.build = build;
    }

    boolean isNarrow() {
        return sources.get(0).isNarrow();
    }

    /** Of the heap, sealed tiles of the corpus left out. */
    long bytes() {
        long bytes = build == null ? 0 : build.bytes();
        if (!isAdded) {
            return bytes;
        }
        bytes -= build == null ? 0 : build.tile().bytes();
        for (Tile source : sources) {
            bytes += source.bytes();
        }
        return bytes;
    }

    boolean isDone() {
        return source == sources.size();
    }
}
