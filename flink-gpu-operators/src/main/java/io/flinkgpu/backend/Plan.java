package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

import java.io.Serializable;
import java.util.List;

/**
 * What a backend is to do with each batch: an immutable value that travels in the job graph. A new kind of
 * plan needs an engine in each backend's {@link Engines} and nothing else of a backend.
 *
 * @param <R> result of a batch
 */
@Internal
public interface Plan<R extends AutoCloseable> extends Serializable {

    /** What is done, for logs: {@code "Redaction"}. */
    String name();

    /** How large the plan is, for logs, in the order to be shown: {@code rules=21}, {@code states=4032}. */
    default List<Size> sizes() {
        return List.of();
    }

    /** A number of things that a plan is made of. */
    record Size(String of, long count) {

        @Override
        public String toString() {
            return of + "=" + count;
        }
    }

    /** What the columns of a batch hold, in order. */
    List<ColumnType> input();

    /** What is kept where batches run, and changed while they do. */
    default List<ResidentPlan> residents() {
        return List.of();
    }

    /** Whether the backend has to be opened with a hash key. */
    default boolean needsHashKey() {
        return false;
    }

    /** Whether a program may keep something of a batch for the results of later ones. */
    default boolean keepsOfBatches() {
        return false;
    }

    /**
     * Why a core is the choice without measuring, as what comes after a colon in a line of the log; null, which is
     * the default, if that is to be measured.
     */
    default String whyOnCore() {
        return null;
    }

    /** Whether a device that opens is ahead of every core: nobody needs to measure it then. */
    default boolean isFasterOnDevice() {
        return false;
    }

    /** The same plan for a program that has nothing in common with others. */
    default Plan<R> alone() {
        return this;
    }

    /**
     * A smaller one that is measured in its place, where to load what it keeps takes long: its programs keep what
     * {@link #fillSmall} puts there, and {@link #sample} is for them. This one, which is the default, if there is no
     * need of it.
     */
    default Plan<R> small() {
        return this;
    }

    /**
     * Puts something made up into the first resident of a program of {@link #small}, in batches of at most so many
     * rows and bytes.
     */
    default void fillSmall(Resident resident, BufferAllocator allocator, int maxRows, int maxBytes)
            throws BackendException {}

    /** How many nanoseconds a row of the sample may take longer on a device than it did with the small plan. */
    default double moreDeviceNanos() {
        return 0;
    }

    /** Makes batches to measure backends with. */
    SampleBatch.Maker sample();

    /** What is wrong with a result of a batch, or null if nothing is. */
    String defectOf(R result, ColumnBatch batch);

    /**
     * What stands for the result of a single row that there is no memory for; null, which is the default, if
     * that fails the task.
     *
     * @param allocator where it lives
     */
    default R withoutResult(ColumnBatch row, BufferAllocator allocator) {
        return null;
    }

    /** What a user can do about a row whose result does not fit into memory. */
    String remedyForOneRow();

    /** What is wrong with so many rows in place of each row of a batch, or null if nothing is. */
    static String defectOfRows(int gave, ColumnBatch batch) {
        return gave == batch.rows()
                ? null
                : "a backend gives back as many rows as it gets: got="
                        + batch.rows()
                        + ", gave="
                        + gave;
    }
}
