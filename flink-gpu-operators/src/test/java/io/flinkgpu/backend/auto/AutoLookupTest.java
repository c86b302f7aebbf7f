package io.flinkgpu.backend.auto;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.embeddings.VectorFileWriter;
import io.flinkgpu.testkit.TestRequests;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What {@code auto} takes for lookups: both sides are measured with small tables, and one loads those that are.
 *
 * <p>Covers: EmbeddingTablesPlan.
 */
class AutoLookupTest extends MadeUpDevices {

    private static final int VECTORS = 1_000;
    private static final int DIMENSION = 8;
    private static final long ROOM = 1 << 20;

    @TempDir private Path folder;
    private Path base;

    @BeforeEach
    void writeBase() throws IOException {
        base = folder.resolve("t.vectors");
        try (VectorFileWriter writer = new VectorFileWriter(base, ElementType.F32, DIMENSION)) {
            for (int id = 0; id < VECTORS; id++) {
                writer.add(id, new byte[Float.BYTES * DIMENSION]);
            }
            writer.finish(1);
        }
    }

    private EmbeddingPlan plan(long deviceBytes) {
        EmbeddingTable table =
                EmbeddingTable.of("t", DIMENSION, ElementType.F32)
                        .withBase(BaseFile.raw(base.toString()));
        return new EmbeddingPlan(
                new EmbeddingTablesPlan(List.of(table), ROOM, deviceBytes, folder.toString()));
    }

    private String chosen(EmbeddingPlan plan, Cost ofGpu, Cost ofCore) throws BackendException {
        BackendFactory fast = device("gpu", gpuCalls, ofGpu);
        BackendFactory slow = device("core", cpuCalls, ofCore);
        try (Backend backend = open(fast, slow, 1, BatchPolicy.DEFAULT);
                CompiledProgram<TransformedBatch> compiled = backend.compile(plan)) {
            assertThat(compiled.gauges().get(TableGauge.VECTORS.of("t")).getAsLong())
                    .as("the tables as they are")
                    .isEqualTo(VECTORS);
            return backend.placement().toString();
        }
    }

    @Test
    void aFasterGpuIsTaken() throws BackendException {
        assertThat(chosen(plan(ROOM), rows -> 200_000, rows -> 2_000 * rows)).isEqualTo("gpu");
        assertThat(gpuCalls).containsSubsequence(Call.COMPILE, Call.CLOSE_PROGRAM, Call.COMPILE);
        assertThat(cpuCalls).containsOnlyOnce(Call.COMPILE);
        assertThat(announced)
                .singleElement()
                .asString()
                .startsWith("Lookup of embeddings runs on gpu: the GPU does ")
                .contains("measured in");
        assertThat(warned).isEmpty();
    }

    @Test
    void aSlowerGpuIsNot() throws BackendException {
        assertThat(chosen(plan(ROOM), rows -> 400 * rows, rows -> 200 * rows)).isEqualTo("core");
        assertThat(gpuCalls).containsOnlyOnce(Call.COMPILE).endsWith(Call.CLOSE);
        assertThat(cpuCalls).containsSubsequence(Call.COMPILE, Call.CLOSE_PROGRAM, Call.COMPILE);
    }

    /** Small tables are in device memory; of larger ones each id may take a read of the host's. */
    @Test
    void whatHasNoRoomOnTheDeviceIsReckonedWith() throws BackendException {
        Cost ofGpu = rows -> 10 * rows;
        Cost ofCore = rows -> 150 * rows;
        assertThat(chosen(plan(ROOM), ofGpu, ofCore)).isEqualTo("gpu");
        announced.clear();
        assertThat(chosen(plan(VECTORS), ofGpu, ofCore)).isEqualTo("core");
        assertThat(chosen(plan(VECTORS), ofGpu, rows -> 300 * rows)).isEqualTo("gpu");
    }

    @Test
    void anErrorLeavesNoProgramOpen() throws BackendException {
        BackendFactory failing =
                scripted(
                        "gpu",
                        (call, rows) -> {
                            gpuCalls.add(call);
                            if (call == Call.APPLY) {
                                throw new OutOfMemoryError("made up");
                            }
                        });
        try (Backend backend = open(failing, 1, BatchPolicy.DEFAULT)) {
            assertThatThrownBy(() -> backend.compile(plan(ROOM))).hasMessage("made up");
        }
        assertThat(gpuCalls)
                .containsExactly(
                        Call.OPEN, Call.COMPILE, Call.APPLY, Call.CLOSE_PROGRAM, Call.CLOSE);
    }

    @Test
    void aFileThatIsMissingIsTheErrorThatItIs() throws Exception {
        Files.delete(base);
        assertThatThrownBy(() -> chosen(plan(ROOM), rows -> 10 * rows, rows -> 500 * rows))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("a base file must be there on every machine: table=t");
    }

    /** So that reads of vectors are measured, too. */
    @ParameterizedTest
    @EnumSource(ElementType.class)
    void samplesAskForVectorsThatAreThere(ElementType type) throws Exception {
        List<EmbeddingTable> tables =
                List.of(
                        EmbeddingTable.of("small", 3, type),
                        EmbeddingTable.of("large", 40_000, type));
        EmbeddingPlan plan =
                new EmbeddingPlan(new EmbeddingTablesPlan(tables, 0, 0, folder.toString()));
        EmbeddingPlan small = plan.small();
        try (Backend backend = CpuBackend.open(TestRequests.of(LIMIT_BYTES));
                CompiledProgram<TransformedBatch> program = backend.compile(small)) {
            plan.fillSmall(program.residents().get(0), backend.allocator(), 5_000, 1 << 20);
            try (SampleBatch sample = plan.sample().make(backend.allocator(), 50, 1 << 20);
                    TransformedBatch found = program.submit(sample.batch()).await()) {
                assertThat(plan.defectOf(found, sample.batch())).isNull();
                for (EmbeddingTable table : tables) {
                    assertThat(gauge(program, TableGauge.LOOKUPS, table)).isPositive();
                    assertThat(gauge(program, TableGauge.MISSING, table)).isZero();
                    assertThat(gauge(program, TableGauge.VECTORS, table)).isPositive();
                }
            }
        }
    }

    private static long gauge(
            CompiledProgram<TransformedBatch> program, TableGauge gauge, EmbeddingTable table) {
        return program.gauges().get(gauge.of(table.name())).getAsLong();
    }
}
