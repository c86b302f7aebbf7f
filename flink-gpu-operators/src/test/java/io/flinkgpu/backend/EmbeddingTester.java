package io.flinkgpu.backend;

import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.embeddings.VectorFileWriter;
import io.flinkgpu.testkit.EmbeddingOracle;
import io.flinkgpu.testkit.RandomLookups;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks up in tables on a backend and compares what it finds with the oracle. */
final class EmbeddingTester implements AutoCloseable {

    static final long HOST_BYTES = 64L << 20;

    private static final int MOST_OUT_OF_MEMORY = 1000;

    private final Backend backend;
    private final EmbeddingPlan plan;
    private final EmbeddingOracle oracle;
    private final CompiledProgram<TransformedBatch> program;

    /** How often a batch was repeated, as an operator does it. */
    private int outOfMemory;

    /**
     * @param backend stays the caller's
     * @param base the vectors that the tables begin with, which the plan has files of
     */
    EmbeddingTester(Backend backend, EmbeddingTablesPlan tables, List<VectorChange> base)
            throws BackendException {
        this.backend = backend;
        plan = new EmbeddingPlan(tables);
        oracle = new EmbeddingOracle(tables.tables());
        base.forEach(this::applyToOracle);
        program = backend.compile(plan);
        assertThat(program.residents()).hasSize(1);
    }

    /** Tables without files, which have all the memory that they need. */
    static EmbeddingTester of(Backend backend, Path directory, EmbeddingTable... tables)
            throws BackendException {
        return new EmbeddingTester(
                backend, plan(directory, Arrays.asList(tables), HOST_BYTES, HOST_BYTES), List.of());
    }

    static EmbeddingTablesPlan plan(
            Path directory, List<EmbeddingTable> tables, long hostBytes, long deviceBytes) {
        return new EmbeddingTablesPlan(tables, hostBytes, deviceBytes, directory.toString());
    }

    /** Writes upserts of a table's own elements as its base file. */
    static EmbeddingTable withBase(Path directory, EmbeddingTable table, List<VectorChange> base)
            throws IOException {
        Path path = directory.resolve(table.name() + "-" + System.nanoTime() + ".vectors");
        try (VectorFileWriter writer =
                new VectorFileWriter(path, table.type(), table.dimension())) {
            for (VectorChange change : base) {
                writer.add(change.id(), change.elements());
            }
            writer.finish(1);
        }
        return table.withBase(BaseFile.raw(path.toString()));
    }

    /**
     * Random tables, with and without files, changes and requests.
     *
     * @param percent of the bytes of the files that there is memory for, on the host and on a device; but there is for
     *     all on one of them if chance wants it
     */
    static void checkRandom(Backend backend, Path directory, long seed, int percent, int rounds)
            throws Exception {
        RandomLookups lookups = new RandomLookups(seed);
        List<EmbeddingTable> tables = new ArrayList<>();
        List<VectorChange> base = new ArrayList<>();
        long bytes = 0;
        for (EmbeddingTable table : lookups.tables()) {
            if (lookups.random().nextInt(4) == 0) {
                tables.add(table);
                continue;
            }
            List<VectorChange> ofTable = lookups.base(table);
            tables.add(withBase(directory, table, ofTable));
            base.addAll(ofTable);
            bytes += (long) ofTable.size() * table.vectorBytes();
        }
        int whole = lookups.random().nextInt(3);
        EmbeddingTablesPlan plan =
                plan(
                        directory,
                        tables,
                        whole == 1 ? HOST_BYTES : bytes * percent / 100,
                        whole == 2 ? HOST_BYTES : bytes * percent / 100);
        boolean isCombined = lookups.random().nextBoolean();
        try (EmbeddingTester tester = new EmbeddingTester(backend, plan, base)) {
            for (int round = 0; round < rounds; round++) {
                String what = "%s, percent=%d, round=%d".formatted(lookups, percent, round);
                int count = 1 + lookups.random().nextInt(60);
                tester.check(what, isCombined ? lookups.combined(count) : lookups.requests(count));
                tester.apply(lookups.changes(1 + lookups.random().nextInt(200)));
            }
        }
    }

    /** Applies changes, which have the tables' own elements, as one batch. */
    void apply(List<VectorChange> changes) throws BackendException {
        Resident tables = program.residents().get(0);
        long before = tables.version();
        try (ColumnBatch batch =
                EmbeddingRows.changes(backend.allocator(), plan.tables(), changes)) {
            tables.apply(batch);
        }
        assertThat(tables.version()).isEqualTo(before + 1);
        changes.forEach(this::applyToOracle);
    }

    void apply(VectorChange... changes) throws BackendException {
        apply(Arrays.asList(changes));
    }

    private void applyToOracle(VectorChange change) {
        if (change.isDelete()) {
            oracle.remove(change.table(), change.id());
        } else {
            oracle.put(change.table(), change.id(), change.elements());
        }
    }

    /** What requests of one batch give, which is also what the oracle says. */
    List<LookupValues> find(LookupRequest... requests) throws BackendException {
        return check("requests", Arrays.asList(requests));
    }

    private List<LookupValues> check(String what, List<LookupRequest> requests)
            throws BackendException {
        List<LookupValues> found;
        try (ColumnBatch batch = EmbeddingRows.requests(backend.allocator(), plan, requests)) {
            found = find(batch);
            if (requests.size() > 2) {
                int cut = requests.size() / 2;
                try (ColumnBatch slice = batch.slice(cut, requests.size() - cut)) {
                    assertThat(find(slice))
                            .as(what + ", sliced")
                            .isEqualTo(found.subList(cut, requests.size()));
                }
            }
        }
        for (int row = 0; row < requests.size(); row++) {
            LookupValues expected = oracle.find(requests.get(row));
            if (!expected.equals(found.get(row))) {
                throw new AssertionError(
                        "%s, row=%d, request=%s, expected=%s, found=%s"
                                .formatted(
                                        what,
                                        row,
                                        requests.get(row),
                                        Arrays.toString(expected.values()),
                                        Arrays.toString(found.get(row).values())));
            }
        }
        return found;
    }

    private List<LookupValues> find(ColumnBatch batch) throws BackendException {
        while (true) {
            try {
                return findOnce(batch);
            } catch (DeviceOutOfMemoryException e) {
                outOfMemory++;
                assertThat(outOfMemory).isLessThan(MOST_OUT_OF_MEMORY);
            }
        }
    }

    private List<LookupValues> findOnce(ColumnBatch batch) throws BackendException {
        try (TransformedBatch result = program.submit(batch).await()) {
            assertThat(plan.defectOf(result, batch)).isNull();
            return EmbeddingRows.values(result);
        }
    }

    /** What is watched of a table. */
    long gauge(String table, TableGauge gauge) {
        return program.gauges().get(gauge.of(table)).getAsLong();
    }

    @Override
    public void close() {
        program.close();
    }
}
