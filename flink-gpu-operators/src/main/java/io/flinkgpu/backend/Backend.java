package io.flinkgpu.backend;

import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.program.Program;
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.BufferAllocator;

import java.util.Optional;

/**
 * Runs programs over batches. One instance serves one operator subtask; its methods, and those of
 * what it compiles, are called by one thread, the operator's backend thread. Only {@link
 * #allocator()} may be used by the task thread as well.
 */
public interface Backend extends AutoCloseable {

    /** What runs the batches, for logs: {@code "cpu"}, {@code "cuda:0 (NVIDIA H200)"}. */
    String description();

    /** Whether batches run on a GPU. */
    boolean isGpu();

    /** How many devices backends of this kind are spread over in this process, at least 1. */
    default int devices() throws BackendException {
        return 1;
    }

    /**
     * Where columns for this backend are built (pinned memory for CUDA). Limited; thread-safe; owned
     * by the backend.
     */
    BufferAllocator allocator();

    /**
     * Whether redactions take batches that hold lines, too, and so need nobody to look for the lines
     * before. Asked once the program is compiled.
     */
    default boolean findsLines() {
        return false;
    }

    /**
     * Prepares a rule set.
     *
     * @param rules what to redact; column 0 of each batch is the text
     * @param hashKey the key of hash actions; empty when no rule needs one
     * @return the program; the caller closes it before the backend
     */
    CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException;

    /**
     * Prepares an aggregation.
     *
     * @param plan what is computed, and the columns of the batches
     * @return the program; the caller closes it before the backend
     */
    CompiledProgram<GroupedBatch> compile(AggregatePlan plan) throws BackendException;

    /**
     * Prepares the parsing and aggregation of lines.
     *
     * @return the program; the caller closes it before the backend
     */
    CompiledProgram<LineGroups> compile(LinePlan plan) throws BackendException;

    /**
     * Prepares passes over the columns of a batch.
     *
     * @return the program; the caller closes it before the backend
     */
    CompiledProgram<TransformedBatch> compile(PassPlan plan) throws BackendException;

    /**
     * Prepares a program of any steps; gives back what it prepared if it fails.
     *
     * @param hashKey for hashes and hash actions; empty when the program needs none
     * @return the program; the caller closes it before the backend
     */
    CompiledProgram<TransformedBatch> compile(Program program, byte[] hashKey)
            throws BackendException;

    /**
     * Prepares a program for records one at a time, if that is less work here than batches are.
     *
     * @return used by the task thread; nothing where batches are better, or the program needs them
     */
    default Optional<RowProgram> compileRows(Program program) {
        return Optional.empty();
    }

    /**
     * Gives everything back. Every batch and result must be closed before.
     *
     * @throws IllegalStateException when memory is still held, with the amounts
     */
    @Override
    void close();
}
