package io.flinkgpu.backend.steps;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.Vectors;
import io.flinkgpu.program.Pass;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/** Passes one after the other; the backend is given the columns that they read, and no others. */
final class PassStage implements Stage {

    private final List<Integer> inputs;
    private final List<Boolean> kept;
    private final CompiledProgram<TransformedBatch> program;

    /**
     * @param types of the columns there are before the passes
     * @param needed the columns that are read after the passes
     */
    PassStage(Backend backend, List<ColumnType> types, List<Pass> passes, Set<Integer> needed)
            throws BackendException {
        SortedSet<Integer> read = new TreeSet<>();
        passes.forEach(pass -> read.addAll(PassColumns.readBy(pass)));
        inputs = List.copyOf(read.headSet(types.size()));
        IntUnaryOperator places =
                column ->
                        column < types.size()
                                ? inputs.indexOf(column)
                                : column - types.size() + inputs.size();
        int outputs = passes.stream().mapToInt(pass -> pass.outputs().size()).sum();
        kept = new ArrayList<>();
        List<Integer> results = new ArrayList<>();
        for (int column = types.size(); column < types.size() + outputs; column++) {
            kept.add(needed.contains(column));
            if (needed.contains(column)) {
                results.add(places.applyAsInt(column));
            }
        }
        program =
                backend.compile(
                        new PassPlan(
                                inputs.stream().map(types::get).toList(),
                                passes.stream()
                                        .map(pass -> PassColumns.renumber(pass, places))
                                        .toList(),
                                results));
    }

    @Override
    public Submission<Long> submit(StepColumns columns) throws BackendException {
        Submission<TransformedBatch> submission = program.submit(columns.lend(inputs));
        return () -> {
            try (TransformedBatch transformed = submission.await()) {
                int result = 0;
                for (boolean isKept : kept) {
                    if (isKept) {
                        columns.append(Vectors.share(transformed.columns().vector(result++)));
                    } else {
                        columns.skip();
                    }
                }
                return transformed.deviceNanos();
            }
        };
    }

    @Override
    public void close() {
        program.close();
    }
}
