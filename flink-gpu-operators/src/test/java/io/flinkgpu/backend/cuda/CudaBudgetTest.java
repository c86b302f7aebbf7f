package io.flinkgpu.backend.cuda;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.cuda.device.DeviceBudget;
import io.flinkgpu.backend.cuda.device.Devices;
import io.flinkgpu.backend.cuda.device.FakeMemory;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Subtasks whose batches do not fit onto the device at a time: they take turns.
 *
 * <p>Covers: CudaBackend.
 */
@Tag("gpu")
@Timeout(120)
class CudaBudgetTest {

    private static final long DEVICE_BYTES = 64 << 20;
    private static final int SUBTASKS = 3;
    private static final int BATCHES = 20;
    private static final int ROWS = 20_000;
    private static final String TEXT = "-".repeat(100);
    private static final CompiledRules RULES =
            RuleCompiler.compile(RuleSet.of(Rule.of("secret", "secret", Action.label("[X]"))));

    @Test
    void subtasksTakeTurns() throws Exception {
        CudaSmokeTest.openOrSkip().close();
        ExecutorService threads = Executors.newFixedThreadPool(SUBTASKS);
        // The first to come says how much there is.
        try (DeviceBudget.Share first =
                Devices.get(0).join(DEVICE_BYTES, new FakeMemory(DEVICE_BYTES))) {
            List<Future<?>> subtasks = new ArrayList<>();
            for (int i = 0; i < SUBTASKS; i++) {
                subtasks.add(threads.submit(CudaBudgetTest::redactBatches));
            }
            for (Future<?> subtask : subtasks) {
                subtask.get();
            }
            assertThat(first.isWantedByOthers()).isFalse();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aBatchThatIsRefusedLeavesNoColumns() throws Exception {
        CudaSmokeTest.openOrSkip().close();
        CompiledRules rules =
                RuleCompiler.compile(
                        RuleSet.of(Rule.of("secret", "secret", Action.label("X".repeat(200)))));
        try (DeviceBudget.Share first =
                        Devices.get(0).join(32 << 20, new FakeMemory(DEVICE_BYTES));
                CudaBackend backend = CudaBackend.open(TestRequests.of(64 << 20));
                CompiledProgram<RedactedBatch> program = backend.compile(new RedactPlan(rules))) {
            try (BatchBuilder builder =
                    new BatchBuilder(backend.allocator(), 4 * ROWS, 4 << 20, 0)) {
                for (int row = 0; row < 4 * ROWS; row++) {
                    builder.append("secret");
                }
                try (ColumnBatch batch = builder.build()) {
                    assertThatThrownBy(() -> program.submit(batch).await())
                            .isInstanceOf(DeviceOutOfMemoryException.class);
                }
            }
            assertThat(backend.allocator().getAllocatedMemory()).isLessThan(64 << 10);
            assertThat(first.isWantedByOthers()).isFalse();
        }
    }

    private static Void redactBatches() throws Exception {
        try (CudaBackend backend = CudaBackend.open(TestRequests.of(64 << 20));
                CompiledProgram<RedactedBatch> program = backend.compile(new RedactPlan(RULES))) {
            for (int i = 0; i < BATCHES; i++) {
                try (ColumnBatch batch = batch(backend);
                        RedactedBatch result = program.submit(batch).await()) {
                    assertThat(result.matchesPerRule()).containsExactly(ROWS);
                    assertThat(new String(result.text().copyRow(ROWS - 1), "US-ASCII"))
                            .isEqualTo(TEXT + "[X]");
                }
            }
        }
        return null;
    }

    private static ColumnBatch batch(CudaBackend backend) {
        try (BatchBuilder builder = new BatchBuilder(backend.allocator(), ROWS, 4 << 20, 0)) {
            for (int row = 0; row < ROWS; row++) {
                builder.append(TEXT + "secret");
            }
            return builder.build();
        }
    }
}
