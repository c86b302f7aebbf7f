package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.sets.CorpusUpdate;
import io.flinkgpu.sets.Documents;
import io.flinkgpu.sets.OpenTile;
import io.flinkgpu.sets.SearchGauges;
import io.flinkgpu.sets.Tile;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tiles of a corpus on a device. Searches find them in one table:
 *
 * <pre>
 *   | the open narrow tile | sealed narrow tiles | wide tiles |
 * </pre>
 */
final class DeviceCorpus implements AutoCloseable {

    /** So few in an open tile say little of how many there will be. */
    private static final int FEW_DOCUMENTS = 1 << 12;

    private final CorpusPlan plan;
    private final Corpus corpus;
    private final SearchQueue queue;
    private final SearchMemory memory;
    private final CloseStack resources = new CloseStack();
    private final ArrowBuf args;
    private final Staging staging;
    private final SearchGauges gauges = new SearchGauges();

    private final Map<Integer, DeviceTile> byNumber = new LinkedHashMap<>();

    /** Tiles that are not searched yet, as all of their documents are not there yet. */
    private final Map<Integer, DeviceTile> growing = new HashMap<>();

    /** In the order of the table. */
    private List<DeviceTile> tiles = List.of();

    private int openTiles;
    private int narrowTiles;
    private long table;
    private int tableRoom;

    /** Tiles that are to be dropped; null if none are. */
    private Set<Integer> dropped;

    private long documents;
    private long narrowElements;

    /** Whether {@link #ready} has nothing to do. */
    private boolean isReady = true;

    /**
     * @param queue stays the caller's
     */
    DeviceCorpus(
            CorpusPlan plan,
            Corpus corpus,
            SearchQueue queue,
            SearchMemory memory,
            BufferAllocator allocator) {
        this.plan = plan;
        this.corpus = corpus;
        this.queue = queue;
        this.memory = memory;
        try {
            args = resources.push(allocator.buffer(SearchAbi.SEARCH_INDEX_ARGS_BYTES));
            staging = resources.push(new Staging(queue, allocator));
        } catch (RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /**
     * Applies a batch of changes. Makes room for all, but the newest documents and the
     * table are only written when a search {@link #ready needs} them: of many batches in turn most documents
     * then go to the device in a sealed tile alone. Does not wait.
     */
    void apply(ColumnBatch changes) throws BackendException {
        isReady = false;
        CorpusUpdate update = corpus.apply(changes);
        dropped = update.dropped();
        for (Tile tile : update.added()) {
            add(tile);
        }
        drop();
        keepGrowing(update.growing());
        for (Tile tile : update.growing()) {
            grow(tile);
        }
        for (CorpusUpdate.Appended appended : update.appended()) {
            makeRoom(appended.tile());
        }
        recordDeaths(update);
        arrange();
        staging.send();
        gauges.changed(corpus, memory.takenBytes());
    }

    /** Enqueues what is left to do for searches to see all changes. Does not wait. */
    void ready() throws BackendException {
        if (isReady) {
            return;
        }
        for (DeviceTile tile : tiles) {
            if (tile.documents() < tile.source().documents()) {
                tile.write(staging);
            }
        }
        for (int i = 0; i < tiles.size(); i++) {
            long at = table + (long) SearchAbi.SEARCH_TILE_BYTES * i;
            tiles.get(i).describe(staging.room(at, SearchAbi.SEARCH_TILE_BYTES));
        }
        staging.send();
        documents = 0;
        narrowElements = 0;
        for (DeviceTile tile : tiles) {
            documents += tile.documents();
            narrowElements += tile.source().isNarrow() ? tile.source().allElements() : 0;
        }
        isReady = true;
    }

    /** Waits until the device has all changes, and has done what they wait for. */
    void awaitReady() throws BackendException {
        ready();
        queue.await();
    }

    /** Gives back what tiles have that grew, and were added and dropped by one batch of changes. */
    private void keepGrowing(List<Tile> still) {
        for (Iterator<DeviceTile> all = growing.values().iterator(); all.hasNext(); ) {
            DeviceTile tile = all.next();
            if (!still.contains(tile.source())) {
                memory.giveBack(tile.address());
                all.remove();
            }
        }
    }

    /** Writes what is there of a tile that will be added; all of it is written then if there is no room yet. */
    private void grow(Tile tile) throws BackendException {
        if (tile.documents() == 0) {
            return;
        }
        DeviceTile copy = growing.get(tile.number());
        if (copy == null) {
            TileLayout layout = DeviceTile.layout(tile, codes(tile));
            long address = memory.take(layout.bytes);
            if (address == SearchMemory.NONE) {
                return;
            }
            copy = new DeviceTile(tile, layout, address);
            growing.put(tile.number(), copy);
        }
        copy.write(staging);
    }

    /** More may get numbers before a tile is whole, but its documents have none of those. */
    private int codes(Tile tile) {
        return tile.isNarrow() ? corpus.numbers().count() + 1 : 0;
    }

    private void add(Tile tile) throws BackendException {
        DeviceTile added = growing.remove(tile.number());
        if (added == null) {
            added = newTile(tile, DeviceTile.layout(tile, codes(tile)));
            added.write(staging);
        } else {
            byNumber.put(tile.number(), added);
            added.write(staging);
            added.writeDeaths(staging);
        }
        if (added.hasIndex()) {
            // What the index is made of goes there first.
            staging.send();
            added.describeIndex(args.memoryAddress());
            queue.zero(added.indexAddress(), added.indexStartsBytes());
            LaunchConfig all =
                    LaunchConfig.of(
                            tile.documents(), SearchAbi.SEARCH_THREADS, SearchAbi.SEARCH_THREADS);
            launch(SearchKernel.INDEX_COUNT, all);
            launch(SearchKernel.INDEX_SUM, new LaunchConfig(1, SearchAbi.SEARCH_INDEX_THREADS));
            launch(SearchKernel.INDEX_PUT, all);
            launch(
                    SearchKernel.ARRANGE,
                    new LaunchConfig(
                            TileLayout.groups(tile.documents()), SearchAbi.SEARCH_GROUP_DOCUMENTS));
        }
    }

    private void launch(SearchKernel kernel, LaunchConfig shape) throws BackendException {
        queue.launch(kernel, shape, args.memoryAddress());
    }

    private void makeRoom(OpenTile tile) throws BackendException {
        DeviceTile copy = byNumber.get(tile.number());
        if (copy == null || !copy.hasRoom()) {
            if (copy != null) {
                giveBackSearched(copy.address());
            }
            if (tile.documents() < FEW_DOCUMENTS || !takeRoomForAll(tile)) {
                int room = Math.max(SearchAbi.SEARCH_THREADS, 2 * tile.documents());
                newTile(
                        tile,
                        new TileLayout(
                                Math.min(SearchAbi.SEARCH_TILE_SLOTS, room),
                                2 * DeviceTile.chunks(tile, 0),
                                0,
                                0));
            }
        }
    }

    /**
     * Makes room for as many documents as a tile can have, if they are as large as those that are there, so
     * that these are not written again whenever there are twice as many.
     *
     * @return whether there is as much memory
     */
    private boolean takeRoomForAll(OpenTile tile) {
        long chunks =
                (long) DeviceTile.chunks(tile, 0) * SearchAbi.SEARCH_TILE_SLOTS / tile.documents();
        TileLayout layout =
                new TileLayout(
                        SearchAbi.SEARCH_TILE_SLOTS, Math.toIntExact(chunks + chunks / 8), 0, 0);
        long address = memory.take(layout.bytes);
        if (address == SearchMemory.NONE) {
            return false;
        }
        byNumber.put(tile.number(), new DeviceTile(tile, layout, address));
        return true;
    }

    /**
     * What searches that are under way may see changes after this. Until then they need not be waited for:
     * new tiles they do not know of, and memory that is free now was given back before they began.
     */
    private void drop() throws BackendException {
        if (dropped == null) {
            return;
        }
        queue.waitForSearches();
        for (int number : dropped) {
            memory.giveBack(byNumber.remove(number).address());
        }
        dropped = null;
    }

    /** Gives back memory that searches under way may read: what is written there next waits for them. */
    private void giveBackSearched(long address) throws BackendException {
        queue.waitForSearches();
        memory.giveBack(address);
    }

    private DeviceTile newTile(Documents source, TileLayout layout) throws BackendException {
        DeviceTile tile = new DeviceTile(source, layout, take(layout.bytes));
        byNumber.put(source.number(), tile);
        return tile;
    }

    private long take(long bytes) throws BackendException {
        long address = memory.take(bytes);
        if (address == SearchMemory.NONE && dropped != null) {
            drop();
            address = memory.take(bytes);
        }
        if (address == SearchMemory.NONE && !growing.isEmpty()) {
            growing.values().forEach(tile -> memory.giveBack(tile.address()));
            growing.clear();
            address = memory.take(bytes);
        }
        if (address == SearchMemory.NONE) {
            throw new BackendException(
                    plan.noRoom(memory.takenBytes() + bytes, corpus.documents()));
        }
        return address;
    }

    /** Deaths of documents that other batches of changes brought. */
    private void recordDeaths(CorpusUpdate update) throws BackendException {
        for (int first = 0; first < update.deaths(); first += DeathList.MOST) {
            int end = Math.min(update.deaths(), first + DeathList.MOST);
            DeathList deaths = new DeathList(end - first);
            for (int death = first; death < end; death++) {
                DeviceTile tile = byNumber.get(update.diedIn(death));
                int slot = update.diedSlot(death);
                // Else the tile is dropped, or the document will be written with its death.
                if (tile != null && slot < tile.documents()) {
                    deaths.add(tile.diedAddress(slot), update.diedBy(death));
                }
            }
            if (deaths.count() > 0) {
                long address = take(deaths.bytes());
                deaths.record(address, staging, queue, args.memoryAddress());
                memory.giveBack(address);
            }
        }
    }

    /** Puts the tiles in the order of the table, and makes room for it. */
    private void arrange() throws BackendException {
        List<DeviceTile> open = new ArrayList<>();
        List<DeviceTile> sealed = new ArrayList<>();
        List<DeviceTile> wide = new ArrayList<>();
        for (DeviceTile tile : byNumber.values()) {
            (!tile.source().isNarrow() ? wide : tile.hasIndex() ? sealed : open).add(tile);
        }
        openTiles = open.size();
        narrowTiles = openTiles + sealed.size();
        List<DeviceTile> before = tiles;
        tiles = new ArrayList<>(open);
        tiles.addAll(sealed);
        tiles.addAll(wide);
        if (tiles.size() > tableRoom) {
            if (tableRoom > 0) {
                giveBackSearched(table);
            }
            table = take(2L * SearchAbi.SEARCH_TILE_BYTES * tiles.size());
            tableRoom = 2 * tiles.size();
        } else if (!startsWith(tiles, before)) {
            // Searches under way read the table, which is written when the next one needs it.
            queue.waitForSearches();
        }
    }

    private static boolean startsWith(List<DeviceTile> all, List<DeviceTile> first) {
        return first.size() <= all.size() && all.subList(0, first.size()).equals(first);
    }

    /** The host's books. */
    Corpus books() {
        return corpus;
    }

    SearchGauges gauges() {
        return gauges;
    }

    /** Where the table is on the device. */
    long table() {
        return table;
    }

    /** By place in the table. */
    DeviceTile tile(int index) {
        return tiles.get(index);
    }

    /** How many of the first tiles are narrow and have no index. */
    int openTiles() {
        return openTiles;
    }

    /** How many of the first tiles are narrow. */
    int narrowTiles() {
        return narrowTiles;
    }

    int allTiles() {
        return tiles.size();
    }

    /** How many documents the tiles had when they were {@link #ready}, those included that died. */
    long documents() {
        return documents;
    }

    /** How many elements the documents of narrow tiles had then. */
    long narrowElements() {
        return narrowElements;
    }

    @Override
    public void close() {
        resources.close();
    }
}
