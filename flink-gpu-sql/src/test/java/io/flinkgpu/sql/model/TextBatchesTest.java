package io.flinkgpu.sql.model;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Every row comes back redacted, or with the reason why it could not be.
 *
 * <p>Covers: TextBatches, CalcFunction, CalcRow, ModelBatches.
 */
@Timeout(60)
class TextBatchesTest {

    private static final RuleSet RULES =
            RuleSet.of(Rule.of("digits", "[0-9]+", Action.label("<number>")));
    private static final BatchPolicy TINY = new BatchPolicy(3, 40, Duration.ofMillis(1));

    @Test
    void rowsOfAnySizeInBatchesOfAnySize() throws Exception {
        List<CompletableFuture<byte[][]>> rows = new ArrayList<>();
        try (TextBatches batches = open(CpuBackend::open)) {
            for (int i = 0; i < 200; i++) {
                rows.add(batches.redact(row("a" + i, i % 3 == 0 ? null : "x".repeat(i) + i, "")));
            }
            rows.add(batches.redact(row((String) null)));
            for (int i = 0; i < 200; i++) {
                assertThat(texts(rows.get(i)))
                        .containsExactly(
                                "a<number>", i % 3 == 0 ? null : "x".repeat(i) + "<number>", "");
            }
            assertThat(texts(rows.get(200))).containsExactly((String) null);
        }
    }

    @Test
    void aBatchThatTheDeviceHasNoMemoryForRunsOnTheCpu() throws Exception {
        try (TextBatches batches = open(failing(new DeviceOutOfMemoryException("none left")))) {
            assertThat(texts(batches.redact(row("7")))).containsExactly("<number>");
            assertThat(texts(batches.redact(row("8")))).containsExactly("<number>");
        }
    }

    @Test
    void afterAFailureNothingPasses() throws Exception {
        try (TextBatches batches = open(failing(new BackendException("broken")))) {
            for (int i = 0; i < 10; i++) {
                CompletableFuture<byte[][]> row = batches.redact(row("secret", "1", "2", "3", "4"));
                assertThatThrownBy(() -> row.get(20, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasMessageContaining("broken")
                        .hasMessageNotContaining("secret");
            }
        }
    }

    @Test
    void aBackendThatDoesNotOpenSaysWhy() {
        assertThatThrownBy(
                        () ->
                                open(
                                        request -> {
                                            throw new BackendException("no device");
                                        }))
                .isInstanceOf(BackendException.class)
                .hasMessage("no device");
    }

    @Test
    void aDeviceThatIsLostWhileItOpensAndAnErrorEndTheProcess() {
        assertThatThrownBy(
                        () ->
                                open(
                                        request -> {
                                            throw new FatalDeviceException("lost");
                                        }))
                .isInstanceOf(InternalError.class)
                .hasMessage("lost");
        OutOfMemoryError none = new OutOfMemoryError("none left");
        assertThatThrownBy(
                        () ->
                                open(
                                        request -> {
                                            throw none;
                                        }))
                .isSameAs(none);
    }

    @Test
    void whatIsOnItsWayFailsWhenItCloses() throws Exception {
        TextBatches batches = open(CpuBackend::open);
        batches.close();
        CompletableFuture<byte[][]> row = batches.redact(row("1"));
        assertThatThrownBy(() -> row.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class);
    }

    private static TextBatches open(BackendFactory factory) throws Exception {
        Redaction redaction =
                new Redaction(
                        RULES,
                        GpuOptions.DEFAULT.withBackend(BackendChoice.CPU).withBatchPolicy(TINY));
        return TextBatches.open(redaction, factory, OpenRequest.of(16 << 20), "test");
    }

    private static byte[][] row(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text == null ? null : text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    private static List<String> texts(CompletableFuture<byte[][]> row) throws Exception {
        List<String> texts = new ArrayList<>();
        for (byte[] text : row.get(20, TimeUnit.SECONDS)) {
            texts.add(text == null ? null : new String(text, StandardCharsets.UTF_8));
        }
        return texts;
    }

    /** A backend whose work fails. */
    private static BackendFactory failing(BackendException failure) {
        return request -> {
            CpuBackend cpu = CpuBackend.open(request);
            return new Backend() {
                @Override
                public Placement placement() {
                    return cpu.placement();
                }

                @Override
                public BufferAllocator allocator() {
                    return cpu.allocator();
                }

                @Override
                public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan) {
                    return new CompiledProgram<>() {
                        @Override
                        public Submission<R> submit(ColumnBatch batch) {
                            return () -> {
                                throw failure;
                            };
                        }

                        @Override
                        public void close() {}
                    };
                }

                @Override
                public void close() {
                    cpu.close();
                }
            };
        };
    }
}
