package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import java.util.List;

/** The launches of a round of queries, whose parameter is made but for what they differ in. */
final class SearchLaunches {

    private static final int TILE_LOG = Integer.numberOfTrailingZeros(SearchAbi.SEARCH_TILE_GROUPS);

    private final SearchQueue queue;
    private final DeviceCorpus corpus;
    private final SearchShape shape;
    private final SearchArgs args;
    private final int codes;
    private SearchRound round;
    private SearchLayout layout;
    private long work;

    SearchLaunches(SearchQueue queue, DeviceCorpus corpus, SearchShape shape, SearchArgs args) {
        this.queue = queue;
        this.corpus = corpus;
        this.shape = shape;
        this.args = args;
        codes = corpus.books().numbers().count();
    }

    /**
     * Another round.
     *
     * @param work where the layout lies on the device
     */
    void begin(SearchRound ofQueries, SearchLayout newLayout, long atWork) {
        round = ofQueries;
        layout = newLayout;
        work = atWork;
    }

    /** Searches all tiles, in steps that each know better what a document needs. */
    void search(List<SearchLevel> levels) throws BackendException {
        hash();
        for (int i = 0; i < levels.size(); i++) {
            boolean isLast = i == levels.size() - 1;
            need();
            args.level(levels.get(i));
            int inverted = isLast ? round.invertedGroups : 0;
            int sealed = corpus.narrowTiles() - corpus.openTiles();
            invert(inverted, corpus.openTiles(), sealed);
            scan(levels.get(i), 0, inverted, corpus.openTiles());
            scan(levels.get(i), inverted, round.groups() - inverted, corpus.narrowTiles());
            int wide = corpus.allTiles() - corpus.narrowTiles();
            scanWide(levels.get(i), corpus.narrowTiles(), wide);
            select(isLast);
        }
    }

    /** The same with the candidates of some tiles at a time, and those that are best so far. */
    void searchSome(int tilesAtOnce) throws BackendException {
        hash();
        for (int tile = 0; tile < corpus.allTiles(); ) {
            int end = Math.min(corpus.allTiles(), tile + tilesAtOnce);
            if (tile < corpus.narrowTiles()) {
                end = Math.min(end, corpus.narrowTiles());
            }
            scanTiles(tile, end - tile);
            select(true);
            tile = end;
        }
    }

    /** Finds the candidates of tiles, all of them narrow or none. */
    void scanTiles(int first, int count) throws BackendException {
        need();
        args.level(SearchLevel.ALL);
        if (first < corpus.narrowTiles()) {
            scan(SearchLevel.ALL, first, count, 0, round.groups());
        } else {
            scanWide(SearchLevel.ALL, first, count);
        }
    }

    /** Makes the tables of elements, for wide documents, if there are any. */
    void hash() throws BackendException {
        if (layout.tableLog > 0) {
            queue.zero(work + layout.table, layout.tableBytes);
            launch(SearchKernel.HASH, round.slots(), SearchAbi.SEARCH_THREADS, 0);
        }
    }

    private void need() throws BackendException {
        args.groups(0, round.groups());
        int blocks = round.groups() * (layout.sizes / Integer.SIZE);
        launch(SearchKernel.NEED, blocks, SearchAbi.SEARCH_NEED_THREADS, 0);
    }

    private void select(boolean isExact) throws BackendException {
        args.isExact(isExact);
        launch(SearchKernel.SELECT, round.slots(), SearchAbi.SEARCH_SELECT_THREADS, 0);
    }

    private void invert(int groups, int firstTile, int tiles) throws BackendException {
        args.tiles(firstTile, tiles);
        args.groups(0, groups);
        launch(
                SearchKernel.INVERTED,
                groups * round.groupQueries * tiles,
                SearchAbi.SEARCH_INVERTED_THREADS,
                SearchAbi.SEARCH_INVERTED_BYTES);
    }

    /** Narrow tiles from the first on. */
    private void scan(SearchLevel level, int firstGroup, int groups, int tiles)
            throws BackendException {
        scan(level, 0, tiles, firstGroup, groups);
    }

    private void scan(SearchLevel level, int firstTile, int tiles, int firstGroup, int groups)
            throws BackendException {
        SearchKernel kernel =
                switch (round.groupQueries) {
                    case Integer.SIZE -> SearchKernel.SCAN;
                    case Short.SIZE -> SearchKernel.SCAN_16;
                    default -> SearchKernel.SCAN_8;
                };
        int sharedBytes = shape.maskBytes(codes, round.groupQueries);
        scan(kernel, level, firstTile, tiles, firstGroup, groups, sharedBytes);
    }

    private void scanWide(SearchLevel level, int firstTile, int tiles) throws BackendException {
        int sharedBytes = shape.tableBytes(layout.tableLog);
        args.sharesTable(sharedBytes > 0);
        scan(SearchKernel.WIDE, level, firstTile, tiles, 0, round.groups(), sharedBytes);
    }

    private void scan(
            SearchKernel kernel,
            SearchLevel level,
            int firstTile,
            int tiles,
            int firstGroup,
            int groups,
            int sharedBytes)
            throws BackendException {
        if (tiles == 0 || groups == 0) {
            return;
        }
        int stripes = shape.stripes(groups, (long) tiles << TILE_LOG - level.strideLog());
        args.tiles(firstTile, tiles);
        args.groups(firstGroup, groups);
        args.stripes(stripes);
        launch(kernel, groups * stripes, SearchAbi.SEARCH_SCAN_THREADS, sharedBytes);
    }

    private void launch(SearchKernel kernel, int blocks, int threads, int sharedBytes)
            throws BackendException {
        if (blocks > 0) {
            queue.launch(kernel, new LaunchConfig(blocks, threads, sharedBytes), args.address());
        }
    }
}
