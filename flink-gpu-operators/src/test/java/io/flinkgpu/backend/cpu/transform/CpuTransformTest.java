package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart;
import io.flinkgpu.testkit.BackendRedactor;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the contract cannot see: results that are larger than the memory.
 *
 * <p>Covers: CpuTransform.
 */
class CpuTransformTest {

    private static final Operand COLUMN = new Operand(Operand.Kind.COLUMN, 0);
    private static final List<ColumnType> TEXT = List.of(ColumnType.TEXT);
    private static final Instruction LENGTH =
            new Instruction(OpCode.LENGTH, 0, -1, COLUMN, null, 0, 0, 0, 0, 0);
    private static final Instruction IS_EMPTY =
            new Instruction(OpCode.IS_EMPTY, 0, -1, COLUMN, null, 0, 0, 0, 0, 0);

    private final BufferAllocator inputs = new RootAllocator();

    @AfterEach
    void nothingIsHeld() {
        inputs.close();
    }

    /** A pass that writes a text many times over, a number and a condition. */
    private static Pass pass(int times) {
        TextPart part = new TextPart(-1, true, COLUMN, TextPart.Change.NONE, -1, -1);
        return new Pass(
                List.of(LENGTH, IS_EMPTY),
                List.of(new byte[100]),
                List.of(),
                0,
                1,
                1,
                List.of(
                        new PassOutput(ColumnType.TEXT, Collections.nCopies(times, part), -1),
                        new PassOutput(ColumnType.LONG, List.of(), 0),
                        new PassOutput(ColumnType.BOOLEAN, List.of(), 0)));
    }

    @Test
    void nothingLeaksWhereverMemoryEnds() throws Exception {
        PassPlan plan = new PassPlan(TEXT, List.of(pass(4), pass(4)), List.of(1, 2, 3, 6));
        byte[][] rows = new byte[2000][];
        Arrays.fill(rows, "some text".getBytes(StandardCharsets.US_ASCII));
        int refused = 0;
        boolean done = false;
        try (ColumnBatch batch = BackendRedactor.batchOf(inputs, 0, rows)) {
            for (long limit = 64; !done; limit += Math.max(64, limit / 16)) {
                try (BufferAllocator allocator = new RootAllocator(limit);
                        CompiledProgram<TransformedBatch> program =
                                new CpuTransform(allocator, plan);
                        TransformedBatch result = program.submit(batch).await()) {
                    assertThat(result.columns().text(0).dataBytes()).isEqualTo(4 * 9 * 2000);
                    done = true;
                } catch (OutOfMemoryException e) {
                    assertThat(e.getSuppressed()).as("limit %d", limit).isEmpty();
                    refused++;
                }
            }
        }
        assertThat(refused).isGreaterThan(20);
    }

    @Test
    void aProgramWorksAgainAfterABatchThatWasTooLarge() throws Exception {
        PassPlan plan = new PassPlan(TEXT, List.of(pass(64)), List.of(1));
        byte[][] rows = new byte[1024][1024];
        try (BufferAllocator allocator = new RootAllocator(1 << 20);
                CompiledProgram<TransformedBatch> program = new CpuTransform(allocator, plan);
                ColumnBatch batch = BackendRedactor.batchOf(inputs, 1, rows)) {
            long before = allocator.getAllocatedMemory();
            assertThatThrownBy(() -> program.submit(batch).await())
                    .isInstanceOf(OutOfMemoryException.class);
            assertThat(allocator.getAllocatedMemory()).isEqualTo(before);
            try (ColumnBatch part = batch.slice(1020, 4);
                    TransformedBatch result = program.submit(part).await()) {
                assertThat(result.columns().rows()).isEqualTo(4);
                assertThat(result.columns().text(0).dataBytes()).isEqualTo(4 * (64 * 1024 + 1));
            }
        }
    }
}
