package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.CudaSmokeTest;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.Measurements;
import io.flinkgpu.testkit.SameLineGroups;
import io.flinkgpu.testkit.TestRequests;

import org.apache.arrow.memory.ArrowBuf;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the contract's batches are too small for.
 *
 * <p>Covers: CudaLines.
 */
@Tag("gpu")
class CudaLinesTest {

    private static final long SEED = 20_261_121;
    private static final int MEBIBYTE = 1 << 20;
    static final LinePlan PLAN =
            new LinePlan(
                    Delimited.of(';').string("station").decimal("temp", 1),
                    0,
                    null,
                    List.of(1),
                    List.of(
                            new ValueSpec(
                                    "temp",
                                    ColumnType.decimal(ColumnType.MAX_PRECISION, 1),
                                    List.of(Aggregate.values()))));

    @ParameterizedTest
    @CsvSource({"1, 32", "413, 32", "41000, 32", "1000000, 16", "413, 100"})
    void manyLines(int keys, int mebibytes) throws Exception {
        byte[] lines = new Measurements(keys, new Random(SEED)).lines(mebibytes * MEBIBYTE);
        checkAgainstCpu(lines, 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "no separator\n", "k;1.0\nno separator\n", "k;x\n"})
    void manyMalformedLines(String pattern) throws Exception {
        byte[] lines =
                pattern.repeat(8 * MEBIBYTE / pattern.length()).getBytes(StandardCharsets.US_ASCII);
        checkAgainstCpu(lines, 2);
    }

    @Test
    void aBatchWithMoreGroupsThanAnyBeforeAndThenFewAgain() throws Exception {
        Random random = new Random(SEED);
        try (CudaBackend gpu = CudaSmokeTest.openOrSkip();
                CpuBackend cpu = CpuBackend.open(TestRequests.of(1L << 30));
                CompiledProgram<LineGroups> onGpu = gpu.compile(PLAN);
                CompiledProgram<LineGroups> onCpu = cpu.compile(PLAN)) {
            for (int keys : new int[] {1, 100_000, 5, 1_000_000, 413, 3000}) {
                byte[] lines = new Measurements(keys, random).lines(8 * MEBIBYTE);
                check(gpu, onGpu, cpu, onCpu, lines);
            }
        }
    }

    @Test
    void aResultThatDoesNotFitIsRefusedAndTheProgramGoesOn() throws Exception {
        byte[] lines = new Measurements(1_000_000, new Random(SEED)).lines(16 * MEBIBYTE);
        try (CudaBackend gpu = CudaSmokeTest.openOrSkip(40L * MEBIBYTE);
                CompiledProgram<LineGroups> program = gpu.compile(PLAN)) {
            try (ColumnBatch batch = Measurements.batch(gpu.allocator(), lines)) {
                assertThatThrownBy(() -> program.submit(batch).await())
                        .isInstanceOf(DeviceOutOfMemoryException.class)
                        .hasMessageContaining("memory limit");
            }
            byte[] fewer = Arrays.copyOf(lines, MEBIBYTE);
            try (ColumnBatch batch = Measurements.batch(gpu.allocator(), fewer);
                    LineGroups groups = program.submit(batch).await()) {
                assertThat(groups.groups().groups()).isGreaterThan(50_000);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"5000, 4", "1000000, 4", "1000000, 16", "3000000, 16"})
    void groupsOfManyBatchesAreHeld(int keys, int mebibytes) throws Exception {
        byte[] lines = new Measurements(keys, new Random(SEED)).lines(128 * MEBIBYTE);
        LinePlan plan = PLAN.holdingGroups();
        try (CudaBackend gpu = CudaSmokeTest.openOrSkip(2L << 30);
                CpuBackend cpu = CpuBackend.open(TestRequests.of(2L << 30));
                CompiledProgram<LineGroups> onGpu = gpu.compile(plan);
                CompiledProgram<LineGroups> onCpu = cpu.compile(PLAN);
                ColumnBatch all = Measurements.batch(cpu.allocator(), lines);
                LineGroups expected = onCpu.submit(all).await()) {
            for (int round = 0; round < 2; round++) {
                Deque<ColumnBatch> batches = batches(gpu, lines, mebibytes * MEBIBYTE);
                Deque<Submission<LineGroups>> running = new ArrayDeque<>();
                for (ColumnBatch batch : List.copyOf(batches)) {
                    running.add(onGpu.submit(batch));
                    if (running.size() > 3) {
                        awaitWithoutGroups(running.remove(), batches.remove());
                    }
                }
                while (running.size() > 1) {
                    awaitWithoutGroups(running.remove(), batches.remove());
                }
                try (ColumnBatch nothing = batches.remove()) {
                    assertThat(nothing.rows()).isZero();
                    List<LineGroups> given = given(onGpu, running.remove(), nothing);
                    SameLineGroups.checkGroups(PLAN, all, given, expected);
                    given.forEach(LineGroups::close);
                }
            }
        }
    }

    @Test
    void whatDoesNotFitIntoMemoryStaysHeld() throws Exception {
        byte[] lines = new Measurements(200_000, new Random(SEED)).lines(2 * MEBIBYTE);
        try (CudaBackend gpu = CudaSmokeTest.openOrSkip(64L * MEBIBYTE);
                CpuBackend cpu = CpuBackend.open(TestRequests.of(1L << 30));
                CompiledProgram<LineGroups> onGpu = gpu.compile(PLAN.holdingGroups());
                CompiledProgram<LineGroups> onCpu = cpu.compile(PLAN);
                ColumnBatch pageable = Measurements.batch(cpu.allocator(), lines);
                LineGroups expected = onCpu.submit(pageable).await();
                ColumnBatch batch = Measurements.batch(gpu.allocator(), lines);
                ColumnBatch nothing = batch.slice(0, 0)) {
            try (LineGroups held = onGpu.submit(batch).await()) {
                assertThat(held.groups().groups()).isZero();
            }
            try (ArrowBuf others = gpu.allocator().buffer(60L * MEBIBYTE)) {
                assertThat(others.capacity()).isPositive();
                // Not of the kind that has a batch tried again in parts, or elsewhere.
                assertThatThrownBy(() -> onGpu.submit(nothing).await())
                        .isExactlyInstanceOf(BackendException.class)
                        .hasMessageStartingWith(
                                "no memory to give out groups that are held: groups=65536, ")
                        .hasMessageEndingWith("; raise memoryLimitBytes");
            }
            List<LineGroups> given = given(onGpu, onGpu.submit(nothing), nothing);
            SameLineGroups.checkGroups(PLAN, pageable, given, expected);
            given.forEach(LineGroups::close);
        }
    }

    /** All that is held. */
    private static List<LineGroups> given(
            CompiledProgram<LineGroups> program, Submission<LineGroups> first, ColumnBatch nothing)
            throws Exception {
        List<LineGroups> given = new ArrayList<>();
        LineGroups next = first.await();
        for (; next.groups().groups() > 0; next = program.submit(nothing).await()) {
            given.add(next);
        }
        next.close();
        return given;
    }

    private static void awaitWithoutGroups(Submission<LineGroups> submission, ColumnBatch batch)
            throws Exception {
        try (batch;
                LineGroups groups = submission.await()) {
            assertThat(groups.groups().groups()).isZero();
        }
    }

    /** Lines in batches of about so many bytes, and one without rows. */
    private static Deque<ColumnBatch> batches(CudaBackend gpu, byte[] lines, int bytes) {
        Deque<ColumnBatch> batches = new ArrayDeque<>();
        for (int from = 0; from < lines.length; ) {
            int to = Math.min(lines.length, from + bytes);
            // Of a batch of few lines the groups would be given at once.
            to = lines.length - to < bytes / 2 ? lines.length : to;
            while (lines[to - 1] != '\n') {
                to--;
            }
            batches.add(Measurements.batch(gpu.allocator(), Arrays.copyOfRange(lines, from, to)));
            from = to;
        }
        batches.add(batches.getLast().slice(0, 0));
        return batches;
    }

    private static void checkAgainstCpu(byte[] lines, int times) throws Exception {
        try (CudaBackend gpu = CudaSmokeTest.openOrSkip();
                CpuBackend cpu = CpuBackend.open(TestRequests.of(1L << 30));
                CompiledProgram<LineGroups> onGpu = gpu.compile(PLAN);
                CompiledProgram<LineGroups> onCpu = cpu.compile(PLAN)) {
            for (int i = 0; i < times; i++) {
                check(gpu, onGpu, cpu, onCpu, lines);
            }
        }
    }

    private static void check(
            CudaBackend gpu,
            CompiledProgram<LineGroups> onGpu,
            CpuBackend cpu,
            CompiledProgram<LineGroups> onCpu,
            byte[] lines)
            throws Exception {
        try (ColumnBatch pinned = Measurements.batch(gpu.allocator(), lines);
                ColumnBatch pageable = Measurements.batch(cpu.allocator(), lines);
                LineGroups actual = onGpu.submit(pinned).await();
                LineGroups expected = onCpu.submit(pageable).await()) {
            SameLineGroups.check(PLAN, pageable, actual, expected);
        }
    }
}
