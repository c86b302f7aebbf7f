package io.flinkgpu.backend.steps;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.ForwardingProgram;
import io.flinkgpu.backend.PassBuilder;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.TestColumns;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.HashStep;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.RedactStep;
import io.flinkgpu.program.Step;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import static io.flinkgpu.backend.PassBuilder.column;
import static io.flinkgpu.backend.PassBuilder.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a backend is given of a program, and what becomes of it when the backend fails.
 *
 * <p>Covers: Steps.
 */
class StepsTest {

    private static final byte[] KEY = new byte[16];
    private static final CompiledRules RULES =
            RuleCompiler.compile(RuleSet.of(Rule.of("a", "a", Action.label("[A]"))));
    private static final ColumnType TEXT = ColumnType.TEXT;

    private final BufferAllocator inputs = new RootAllocator();

    @AfterEach
    void nothingIsHeld() {
        inputs.close();
    }

    private static Pass copyOf(int... columns) {
        PassBuilder pass = new PassBuilder();
        for (int column : columns) {
            pass.writeText(part(column(column)));
        }
        return pass.build();
    }

    private static Program program(List<Step> steps, Integer... results) {
        return new Program(
                List.of("a", "b", "c"),
                List.of(TEXT, ColumnType.LONG, TEXT),
                steps,
                List.of(results),
                Collections.nCopies(results.length, TEXT));
    }

    private ColumnBatch batch(int rows) {
        List<String> texts = new ArrayList<>(Collections.nCopies(rows, "some a text"));
        texts.set(rows / 2, null);
        return TestColumns.batch(
                inputs,
                1,
                List.of(TEXT, ColumnType.LONG, TEXT),
                List.of(texts, Collections.nCopies(rows, 1L), texts));
    }

    @Test
    void aBackendIsGivenTheColumnsThatPassesReadAndAskedForWhatIsNeeded() throws Exception {
        Program program =
                program(
                        List.of(copyOf(2, 0), copyOf(4, 3), new RedactStep(5, RULES), copyOf(7, 4)),
                        8,
                        2);
        try (Recording backend = new Recording(1 << 20, Integer.MAX_VALUE)) {
            try (CompiledProgram<TransformedBatch> compiled =
                            Steps.compile(
                                    backend,
                                    new TransformPlan(program),
                                    KEY,
                                    it -> Optional.empty());
                    ColumnBatch batch = batch(9);
                    TransformedBatch result = compiled.submit(batch).await()) {
                assertThat(backend.plans.get(0).types()).containsExactly(TEXT, TEXT);
                assertThat(backend.plans.get(0).results()).containsExactly(3, 4);
                assertThat(backend.plans.get(1).types()).containsExactly(TEXT, TEXT);
                assertThat(backend.plans.get(1).results()).containsExactly(2);
                assertThat(TestColumns.values(result.columns(), 0))
                        .contains("some [A] text", (Object) null);
                assertThat(result.columns().vector(1).getDataBufferAddress())
                        .as("a result that is an input shares its memory")
                        .isEqualTo(batch.vector(2).getDataBufferAddress());
            }
        }
    }

    @Test
    void nothingLeaksWhereverMemoryEnds() throws Exception {
        Program program =
                program(
                        List.of(copyOf(0), new RedactStep(3, RULES), new HashStep(4), copyOf(5)),
                        6,
                        0);
        int refused = 0;
        boolean done = false;
        try (ColumnBatch batch = batch(2000)) {
            for (long limit = 64; !done; limit += Math.max(64, limit / 16)) {
                try (Recording backend = new Recording(limit, Integer.MAX_VALUE);
                        CompiledProgram<TransformedBatch> compiled =
                                Steps.compile(
                                        backend,
                                        new TransformPlan(program),
                                        KEY,
                                        it -> Optional.empty());
                        TransformedBatch result = compiled.submit(batch).await()) {
                    assertThat(result.columns().rows()).isEqualTo(2000);
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
    void nothingLeaksWhicheverSubmissionFails() throws Exception {
        Program program =
                program(
                        List.of(copyOf(0), new RedactStep(3, RULES), copyOf(4), new HashStep(5)),
                        6);
        try (ColumnBatch batch = batch(20)) {
            for (int submissions = 0; submissions < 3; submissions++) {
                try (Recording backend = new Recording(1 << 20, submissions);
                        CompiledProgram<TransformedBatch> compiled =
                                Steps.compile(
                                        backend,
                                        new TransformPlan(program),
                                        KEY,
                                        it -> Optional.empty())) {
                    assertThatThrownBy(() -> compiled.submit(batch).await())
                            .isInstanceOf(BackendException.class)
                            .hasMessage("no more");
                }
            }
        }
    }

    @Test
    void allIsClosedWhateverDoesNotClose() throws Exception {
        Program program = program(List.of(copyOf(0), new RedactStep(3, RULES), copyOf(4)), 5);
        try (Recording backend = new Recording(1 << 20, Integer.MAX_VALUE)) {
            CompiledProgram<TransformedBatch> compiled =
                    Steps.compile(backend, new TransformPlan(program), KEY, it -> Optional.empty());
            backend.failsToClose = true;
            assertThatThrownBy(compiled::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("not closed")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
            assertThat(backend.closed).isEqualTo(3);
        }
    }

    @Test
    void allIsClosedWhenOneIsNotCompiled() throws Exception {
        Program program = program(List.of(copyOf(0), new RedactStep(3, RULES), copyOf(4)), 5);
        try (Recording backend = new Recording(1 << 20, Integer.MAX_VALUE)) {
            backend.failsToClose = true;
            backend.plansLeft = 1;
            assertThatThrownBy(
                            () ->
                                    Steps.compile(
                                            backend,
                                            new TransformPlan(program),
                                            KEY,
                                            it -> Optional.empty()))
                    .isInstanceOf(OutOfMemoryError.class)
                    .hasMessage("no plan")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
            assertThat(backend.closed).isEqualTo(2);
        }
    }

    /** A CPU backend that fails after some submissions and remembers plans. */
    private static final class Recording extends ForwardingBackend {

        private final List<PassPlan> plans = new ArrayList<>();
        private int submissionsLeft;
        private int plansLeft = Integer.MAX_VALUE;
        private boolean failsToClose;
        private int closed;

        Recording(long memoryLimitBytes, int submissions) {
            super(CpuBackend.open(TestRequests.of(memoryLimitBytes)));
            submissionsLeft = submissions;
            replace(RedactPlan.class, plan -> counted(forward(plan)));
            replace(PassPlan.class, this::passes);
        }

        private CompiledProgram<TransformedBatch> passes(PassPlan plan) throws BackendException {
            if (plansLeft-- == 0) {
                throw new OutOfMemoryError("no plan");
            }
            plans.add(plan);
            return counted(forward(plan));
        }

        private <R extends AutoCloseable> CompiledProgram<R> counted(CompiledProgram<R> program) {
            return new ForwardingProgram<>(program) {
                @Override
                public Submission<R> submit(ColumnBatch batch) throws BackendException {
                    if (submissionsLeft-- <= 0) {
                        throw new BackendException("no more");
                    }
                    return super.submit(batch);
                }

                @Override
                public void close() {
                    super.close();
                    closed++;
                    if (failsToClose) {
                        throw new IllegalStateException("not closed");
                    }
                }
            };
        }
    }
}
