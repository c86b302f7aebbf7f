package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.SearchRows;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.sets.TileLimits;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: DeviceCorpus, DeviceTile.
 */
class DeviceCorpusTest {

    private static final int BATCHES = 20;
    private static final int OF_BATCH = 100;

    @Test
    void documentsThatNoSearchNeedsYetAreNotWritten() throws Exception {
        Recorder device = new Recorder();
        try (BufferAllocator allocator = new RootAllocator();
                DeviceCorpus corpus = corpus(device, allocator)) {
            for (int batch = 0; batch < BATCHES; batch++) {
                insert(corpus, allocator, batch * OF_BATCH, OF_BATCH);
            }
            assertThat(device.copiedBytes).isZero();
            assertThat(device.waits).isZero();

            corpus.ready();
            assertThat(corpus.documents()).isEqualTo(BATCHES * OF_BATCH);
            assertThat(device.copiedBytes).isBetween(40L * BATCHES * OF_BATCH, 600_000L);
            assertThat(device.waits).isZero();

            corpus.awaitReady();
            assertThat(device.waits).isEqualTo(1);
        }
    }

    @Test
    void aSearchWithoutChangesBeforeItWritesNothing() throws Exception {
        Recorder device = new Recorder();
        try (BufferAllocator allocator = new RootAllocator();
                DeviceCorpus corpus = corpus(device, allocator)) {
            insert(corpus, allocator, 0, 20);
            corpus.ready();
            long copied = device.copiedBytes;
            corpus.ready();
            assertThat(device.copiedBytes).isEqualTo(copied);
        }
    }

    /** The batch of queries is tried again, and must not find what is not there. */
    @Test
    void whatTheDeviceHadNoMemoryToCopyIsWrittenAgain() throws Exception {
        Recorder device = new Recorder();
        try (BufferAllocator allocator = new RootAllocator();
                DeviceCorpus corpus = corpus(device, allocator)) {
            insert(corpus, allocator, 0, 20);
            device.failsNextCopy = true;
            assertThatThrownBy(corpus::ready).isInstanceOf(DeviceOutOfMemoryException.class);
            corpus.ready();
            assertThat(device.copiedBytes).isGreaterThan(40L * 20);
        }
    }

    @Test
    void onlyDeathsOfWrittenDocumentsAreRecorded() throws Exception {
        Recorder device = new Recorder();
        try (BufferAllocator allocator = new RootAllocator();
                DeviceCorpus corpus = corpus(device, allocator)) {
            insert(corpus, allocator, 0, 20);
            insert(corpus, allocator, 0, 20);
            assertThat(device.launched).isEmpty();
            corpus.ready();
            insert(corpus, allocator, 0, 20);
            assertThat(device.launched).containsExactly(SearchKernel.DIE);
        }
    }

    /** They may go on meanwhile: they do not know of it. */
    @Test
    void aNewTileDoesNotWaitForSearches() throws Exception {
        Recorder device = new Recorder();
        Corpus books = new Corpus(new TileLimits(OF_BATCH, 1 << 20, 1 << 20), 1_000);
        try (BufferAllocator allocator = new RootAllocator();
                DeviceCorpus corpus = corpus(device, books, allocator)) {
            insert(corpus, allocator, 0, OF_BATCH);
            corpus.ready();
            insert(corpus, allocator, OF_BATCH, 20);
            List<SearchKernel> ofTile =
                    List.of(
                            SearchKernel.INDEX_COUNT,
                            SearchKernel.INDEX_SUM,
                            SearchKernel.INDEX_PUT,
                            SearchKernel.ARRANGE);
            assertThat(device.launchedBefore).isEqualTo(ofTile);
            assertThat(device.launched).isEqualTo(ofTile);

            insert(corpus, allocator, 0, 20);
            assertThat(device.launchedBefore).isEqualTo(ofTile);
            assertThat(device.launched).hasSize(5).endsWith(SearchKernel.DIE);
        }
    }

    /** What waits for a batch of changes waits for some documents of a tile at most. */
    @Test
    void aTileIsSealedInSteps() throws Exception {
        Recorder device = new Recorder();
        TileLimits limits = new TileLimits(OF_BATCH, 1 << 20, 1 << 20);
        try (BufferAllocator allocator = new RootAllocator();
                DeviceCorpus corpus = corpus(device, new Corpus(limits, 1_000, 2), allocator)) {
            insert(corpus, allocator, 0, OF_BATCH);
            corpus.ready();
            for (int i = 0; i < 12; i++) {
                long copied = device.copiedBytes;
                insert(corpus, allocator, i, 1);
                assertThat(corpus.openTiles()).isEqualTo(2);
                assertThat(corpus.narrowTiles()).isEqualTo(2);
                assertThat(device.copiedBytes - copied).isBetween(1L, 3_000L);
                corpus.ready();
            }
            assertThat(device.launched).hasSize(12).containsOnly(SearchKernel.DIE);

            insert(corpus, allocator, 12, 1);
            corpus.ready();
            assertThat(corpus.openTiles()).isEqualTo(1);
            assertThat(corpus.narrowTiles()).isEqualTo(2);
            assertThat(corpus.documents()).isEqualTo(OF_BATCH + 13);
            assertThat(device.launched).contains(SearchKernel.INDEX_PUT, SearchKernel.ARRANGE);
        }
    }

    /** It has come and gone as far as the table knows. */
    @Test
    void aTileThatNobodySeesOnceItIsSealedKeepsNoMemory() throws Exception {
        Pieces memory = new Pieces();
        Corpus books = new Corpus(new TileLimits(OF_BATCH, 1 << 20, 1 << 20), 1_000, 2);
        try (BufferAllocator allocator = new RootAllocator();
                DeviceCorpus corpus = corpus(new Recorder(), books, memory, allocator)) {
            insert(corpus, allocator, 0, OF_BATCH);
            List<SetChange> deletes = new ArrayList<>();
            for (int id = 0; id < OF_BATCH; id++) {
                deletes.add(SetChange.delete(id));
            }
            apply(corpus, allocator, deletes);
            for (int id = 0; id < 4; id++) {
                insert(corpus, allocator, OF_BATCH + id, 1);
                assertThat(books.full()).hasSize(1);
                assertThat(memory.taken).as("one grows").isEqualTo(corpus.allTiles() + 2);
            }
            insert(corpus, allocator, OF_BATCH + 4, 20);
            assertThat(books.full()).isEmpty();
            assertThat(books.tiles()).isEmpty();
            assertThat(memory.taken).isEqualTo(corpus.allTiles() + 1);
        }
    }

    /** Else these would read what comes there next. */
    @Test
    void memoryThatSearchesMayReadIsWaitedFor() throws Exception {
        Recorder device = new Recorder();
        try (BufferAllocator allocator = new RootAllocator();
                DeviceCorpus corpus = corpus(device, allocator)) {
            insert(corpus, allocator, 0, 200);
            corpus.ready();
            insert(corpus, allocator, 200, 20);
            corpus.ready();
            int waits = device.searchesWaitedFor;
            insert(corpus, allocator, 220, 400);
            assertThat(device.searchesWaitedFor).isGreaterThan(waits);
        }
    }

    private static DeviceCorpus corpus(Recorder device, BufferAllocator allocator) {
        return corpus(device, new Corpus(), allocator);
    }

    private static DeviceCorpus corpus(Recorder device, Corpus books, BufferAllocator allocator) {
        return corpus(device, books, new Pieces(), allocator);
    }

    private static DeviceCorpus corpus(
            Recorder device, Corpus books, SearchMemory memory, BufferAllocator allocator) {
        return new DeviceCorpus(
                new CorpusPlan("documents", 1 << 30), books, device, memory, allocator);
    }

    /** Inserts documents with ids from one on, or replaces them. */
    private static void insert(
            DeviceCorpus corpus, BufferAllocator allocator, int first, int documents)
            throws Exception {
        List<SetChange> changes = new ArrayList<>();
        for (int id = first; id < first + documents; id++) {
            changes.add(SetChange.upsert(id, id, id + 1));
        }
        apply(corpus, allocator, changes);
    }

    private static void apply(
            DeviceCorpus corpus, BufferAllocator allocator, List<SetChange> changes)
            throws Exception {
        try (ColumnBatch batch = SearchRows.changes(allocator, changes)) {
            corpus.apply(batch);
        }
    }

    /** Memory that counts its pieces: one for each tile, and the table. */
    private static final class Pieces implements SearchMemory {

        private final CorpusSpace space = new CorpusSpace(1 << 20, 1 << 30);
        private int taken;

        @Override
        public long take(long bytes) {
            taken++;
            return space.take(bytes);
        }

        @Override
        public void giveBack(long address) {
            taken--;
            space.giveBack(address);
        }

        @Override
        public long takenBytes() {
            return space.takenBytes();
        }
    }

    /** A device that does nothing but count. */
    private static final class Recorder implements SearchQueue {

        private final List<SearchKernel> launched = new ArrayList<>();
        private long copiedBytes;
        private boolean failsNextCopy;
        private int waits;
        private int searchesWaitedFor;

        /** Before searches under way were waited for last. */
        private List<SearchKernel> launchedBefore = List.of();

        @Override
        public long workspace(long bytes) {
            throw new AssertionError("changes need no memory of a batch");
        }

        @Override
        public void zero(long address, long bytes) {}

        @Override
        public void copyToDevice(long address, long hostAddress, long bytes)
                throws BackendException {
            if (failsNextCopy && bytes > 0) {
                failsNextCopy = false;
                throw new DeviceOutOfMemoryException("none");
            }
            copiedBytes += bytes;
        }

        @Override
        public void copyToHost(long hostAddress, long address, long bytes) {}

        @Override
        public void launch(SearchKernel kernel, LaunchConfig shape, long args) {
            launched.add(kernel);
        }

        @Override
        public void waitForSearches() {
            launchedBefore = List.copyOf(launched);
            searchesWaitedFor++;
        }

        @Override
        public int nextBatch() {
            throw new AssertionError("changes have no results");
        }

        @Override
        public void mark(int mark) {}

        @Override
        public void await(int mark) {}

        @Override
        public void await() {
            waits++;
        }
    }
}
