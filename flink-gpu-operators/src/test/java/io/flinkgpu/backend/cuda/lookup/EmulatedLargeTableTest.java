package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.EmbeddingRows;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.embeddings.VectorFileWriter;
import io.flinkgpu.testkit.TestRequests;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A base file that is brought to the device in many pieces, by several threads.
 *
 * <p>Covers: Admission, DeviceTable, Puts, IdTable, HostVectors, VectorCache.
 */
class EmulatedLargeTableTest {

    private static final int VECTORS = 300_000;
    private static final int REQUESTS = 3_000;

    @TempDir Path directory;

    /** All on the device, most of it from the file; some of it on the device and the rest on the host; the rest in the file. */
    @ParameterizedTest
    @CsvSource({"2, 64", "64, 8", "2, 8"})
    void itIsWhatTheCpuLoads(int hostMebibytes, int deviceMebibytes) throws Exception {
        EmbeddingPlan plan = plan(hostMebibytes, deviceMebibytes);
        Random random = new Random(2);
        List<LookupRequest> requests =
                random.ints(REQUESTS, 0, VECTORS + 100)
                        .mapToObj(i -> LookupRequest.of(Bag.of("t", Combiner.SUM, id(i))))
                        .toList();
        List<LookupValues> expected;
        try (Backend cpu = CpuBackend.open(TestRequests.of(64 << 20))) {
            expected = find(cpu, plan, requests);
        }
        try (Backend emulated = EmulatedEmbeddings.open()) {
            assertThat(find(emulated, plan, requests)).isEqualTo(expected);
        }
    }

    /** Of a list of candidates that is read in pieces. */
    @Test
    void theLastOfEquallyRareVectorsLeave() throws Exception {
        EmbeddingPlan plan = plan(2, 8);
        int cached = (8 << 20) / 64;
        try (Backend emulated = EmulatedEmbeddings.open();
                CompiledProgram<TransformedBatch> program = emulated.compile(plan)) {
            for (int batch = 0; batch < 3; batch++) {
                find(emulated, program, plan, requests(200_000, 200_100));
            }
            assertThat(gauge(program, TableGauge.EVICTIONS)).isEqualTo(100);
            assertThat(gauge(program, TableGauge.DEVICE_HITS)).isEqualTo(100);
            find(emulated, program, plan, requests(cached - 200, cached));
            assertThat(gauge(program, TableGauge.DEVICE_HITS)).isEqualTo(200);
            find(emulated, program, plan, requests(cached - 200, cached - 100));
            assertThat(gauge(program, TableGauge.DEVICE_HITS)).isEqualTo(300);
        }
    }

    private static long gauge(CompiledProgram<TransformedBatch> program, TableGauge gauge) {
        return program.gauges().get(gauge.of("t")).getAsLong();
    }

    private static List<LookupRequest> requests(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> LookupRequest.of(Bag.of("t", Combiner.SUM, id(i))))
                .toList();
    }

    private EmbeddingPlan plan(int hostMebibytes, int deviceMebibytes) throws Exception {
        Path path = directory.resolve("vectors");
        byte[] vector = new byte[ElementType.INT8.vectorBytes(32)];
        Random random = new Random(1);
        try (VectorFileWriter writer = new VectorFileWriter(path, ElementType.INT8, 32)) {
            for (int i = 0; i < VECTORS; i++) {
                random.nextBytes(vector);
                writer.add(id(i), vector);
            }
            writer.finish(1);
        }
        EmbeddingTable table =
                EmbeddingTable.of("t", 32, ElementType.INT8)
                        .withBase(BaseFile.raw(path.toString()));
        return new EmbeddingPlan(
                new EmbeddingTablesPlan(
                        List.of(table),
                        (long) hostMebibytes << 20,
                        (long) deviceMebibytes << 20,
                        directory.toString()));
    }

    private static long id(int number) {
        return (number + 1) * 0x9e37_79b9_7f4a_7c15L;
    }

    private static List<LookupValues> find(
            Backend backend, EmbeddingPlan plan, List<LookupRequest> requests) throws Exception {
        try (CompiledProgram<TransformedBatch> program = backend.compile(plan)) {
            return find(backend, program, plan, requests);
        }
    }

    private static List<LookupValues> find(
            Backend backend,
            CompiledProgram<TransformedBatch> program,
            EmbeddingPlan plan,
            List<LookupRequest> requests)
            throws Exception {
        try (ColumnBatch batch = EmbeddingRows.requests(backend.allocator(), plan, requests);
                TransformedBatch result = program.submit(batch).await()) {
            return EmbeddingRows.values(result);
        }
    }
}
