package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.program.Pass;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;

/** A plan, its columns numbered through, and its arguments for the kernel that are the same for all batches. */
@Internal
public final class NumberedPasses {

    private final PassPlan plan;
    private final List<ColumnType> types;
    private final List<Integer> passOfOutput = new ArrayList<>();
    private final TransformProgram program;

    public NumberedPasses(PassPlan plan) {
        this.plan = plan;
        types = PassColumns.allTypes(plan);
        for (int pass = 0; pass < plan.passes().size(); pass++) {
            for (int i = 0; i < plan.passes().get(pass).outputs().size(); i++) {
                passOfOutput.add(pass);
            }
        }
        program = new TransformProgram(plan);
    }

    /** The columns of a batch, then those of the passes. */
    List<ColumnType> types() {
        return types;
    }

    /** How many columns a batch has. */
    int inputs() {
        return plan.types().size();
    }

    /** The first column that a pass writes. */
    int firstOutput(int pass) {
        int column = inputs();
        for (Pass earlier : plan.passes().subList(0, pass)) {
            column += earlier.outputs().size();
        }
        return column;
    }

    /** The pass that writes a column, which is none of a batch. */
    int passOf(int column) {
        return passOfOutput.get(column - inputs());
    }

    boolean isWrittenText(int column) {
        return column >= inputs() && types.get(column) == ColumnType.TEXT;
    }

    List<Integer> results() {
        return plan.results();
    }

    List<ColumnType> batchTypes() {
        return plan.types();
    }

    TransformProgram program() {
        return program;
    }

    /** Bytes of the status and all headers. */
    int headBytes() {
        return TransformLayout.HEADERS + TransformAbi.OUTPUT_HEADER_BYTES * passOfOutput.size();
    }
}
