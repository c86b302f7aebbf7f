package io.flinkgpu.backend.steps;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.HashStep;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.RedactStep;
import io.flinkgpu.program.Step;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.util.AutoCloseables;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The engine of expressions on any backend: runs the steps of a program one after the other. */
@Internal
public final class Steps {

    private Steps() {}

    /**
     * Prepares a program. Passes in a row go to the backend together; between other steps the columns
     * come back to the host. Batches start with the program's columns, which are shared, not copied,
     * where they are results. The first steps are started by {@link CompiledProgram#submit}, the others
     * run in {@link Submission#await()}.
     *
     * @param backend has engines for what steps are made of: passes and redactions
     * @param hashKey for hashes; empty when the program needs none
     * @param rows prepares the program for records one at a time, if it can and that is better
     * @return the program; the caller closes it before the backend
     * @throws IllegalArgumentException when the program needs a key and this one is too short
     */
    public static CompiledProgram<TransformedBatch> compile(
            Backend backend,
            TransformPlan plan,
            byte[] hashKey,
            Function<Program, Optional<RowProgram>> rows)
            throws BackendException {
        Program program = plan.program();
        List<Stage> stages = new ArrayList<>();
        try {
            List<ColumnType> types = new ArrayList<>(program.types());
            List<Step> steps = program.steps();
            int next = 0;
            while (next < steps.size()) {
                List<Pass> passes = passesFrom(steps, next);
                if (!passes.isEmpty()) {
                    next += passes.size();
                    stages.add(
                            new PassStage(backend, types, passes, readAfter(steps, next, program)));
                    passes.forEach(pass -> pass.outputs().forEach(it -> types.add(it.type())));
                    continue;
                }
                stages.add(
                        steps.get(next) instanceof RedactStep redact
                                ? new RedactStage(backend, redact)
                                : new HashStage(backend, (HashStep) steps.get(next), hashKey));
                types.add(ColumnType.TEXT);
                next++;
            }
        } catch (BackendException | RuntimeException | Error e) {
            AutoCloseables.close(e, stages);
            throw e;
        }
        return new StagedProgram(program, stages, rows);
    }

    private static List<Pass> passesFrom(List<Step> steps, int first) {
        List<Pass> passes = new ArrayList<>();
        for (int i = first; i < steps.size() && steps.get(i) instanceof Pass pass; i++) {
            passes.add(pass);
        }
        return passes;
    }

    private static Set<Integer> readAfter(List<Step> steps, int first, Program program) {
        Set<Integer> columns = new HashSet<>(program.results());
        for (Step step : steps.subList(first, steps.size())) {
            if (step instanceof Pass pass) {
                columns.addAll(PassColumns.readBy(pass));
            } else if (step instanceof RedactStep redact) {
                columns.add(redact.column());
            } else if (step instanceof HashStep hash) {
                columns.add(hash.column());
            }
        }
        return columns;
    }

    private record StagedProgram(
            Program program, List<Stage> stages, Function<Program, Optional<RowProgram>> byRow)
            implements CompiledProgram<TransformedBatch> {

        @Override
        public Submission<TransformedBatch> submit(ColumnBatch batch) throws BackendException {
            StepColumns columns = new StepColumns(batch, program.types().size());
            Submission<Long> first = stages.isEmpty() ? () -> 0L : stages.get(0).submit(columns);
            return () -> {
                try (columns) {
                    long deviceNanos = first.await();
                    for (int i = 1; i < stages.size(); i++) {
                        deviceNanos += stages.get(i).submit(columns).await();
                    }
                    return new TransformedBatch(columns.share(program.results()), deviceNanos);
                }
            };
        }

        @Override
        public Optional<RowProgram> rows() {
            return byRow.apply(program);
        }

        @Override
        public void close() {
            try {
                AutoCloseables.close(stages);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("a step did not close: " + e.getMessage(), e);
            }
        }
    }
}
