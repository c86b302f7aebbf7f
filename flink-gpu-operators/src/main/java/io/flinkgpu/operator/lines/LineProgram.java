package io.flinkgpu.operator.lines;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.Vectors;
import io.flinkgpu.operator.BackendProgram;
import io.flinkgpu.operator.BatchContext;

import java.util.List;

/** Parsing and aggregation of lines on one backend; results come with their lines. */
final class LineProgram extends BackendProgram<ParsedLines> {

    private final LinePlan plan;

    LineProgram(BatchContext<?, ?> context, LinePlan plan) {
        super(
                context.backend(),
                context.fallback(),
                context.options().memoryLimitBytes(),
                context.runtime());
        this.plan = plan;
    }

    @Override
    protected CompiledProgram<ParsedLines> compile(Backend on) throws BackendException {
        return new WithLines(on.compile(plan));
    }

    @Override
    protected String defectOf(ParsedLines result, ColumnBatch batch) {
        LineGroups groups = result.groups();
        long grouped = groups.lines() - groups.refused();
        int number = groups.groups().groups();
        if (grouped >= number && (grouped == 0) == (number == 0)) {
            return null;
        }
        return "a group has at least one line: lines="
                + groups.lines()
                + ", refused="
                + groups.refused()
                + ", groups="
                + number;
    }

    @Override
    protected String remedyForOneRow() {
        return "raise memoryLimitBytes, or read files in smaller chunks or ranges";
    }

    /** A program whose results share the memory of their lines. */
    private record WithLines(CompiledProgram<LineGroups> program)
            implements CompiledProgram<ParsedLines> {

        @Override
        public Submission<ParsedLines> submit(ColumnBatch batch) throws BackendException {
            Submission<LineGroups> submission = program.submit(batch);
            return () -> withLines(submission.await(), batch);
        }

        private static ParsedLines withLines(LineGroups groups, ColumnBatch batch) {
            try {
                return new ParsedLines(
                        groups,
                        Vectors.batch(
                                List.of(Vectors.share(batch.vector(LinePlan.LINES_COLUMN))),
                                batch.rows(),
                                0));
            } catch (RuntimeException e) {
                groups.close();
                throw e;
            }
        }

        @Override
        public void close() {
            program.close();
        }
    }
}
