package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Optional;

/** Every setting of an operator. Immutable: each {@code with} gives a changed copy. */
@PublicEvolving
public final class GpuOptions implements Serializable {

    private static final long serialVersionUID = 1L;

    /**
     * {@code auto} backend, the default batch policy, 512 MiB of columns, no hash key, no content of
     * records in errors.
     */
    public static final GpuOptions DEFAULT =
            new GpuOptions(
                    BackendChoice.AUTO, BatchPolicy.DEFAULT, 512L << 20, null, ErrorValues.HIDDEN);

    private final BackendChoice backend;
    private final BatchPolicy batchPolicy;
    private final long memoryLimitBytes;
    private final HashKey hashKey;
    private final ErrorValues errorValues;

    private GpuOptions(
            BackendChoice backend,
            BatchPolicy batchPolicy,
            long memoryLimitBytes,
            HashKey hashKey,
            ErrorValues errorValues) {
        this.backend = Errors.present("backend", backend);
        this.batchPolicy = Errors.present("batchPolicy", batchPolicy);
        if (memoryLimitBytes < 16L << 20) {
            throw new IllegalArgumentException(
                    "an operator's columns need at least 16 MiB: memoryLimitBytes="
                            + memoryLimitBytes);
        }
        this.memoryLimitBytes = memoryLimitBytes;
        this.hashKey = hashKey;
        this.errorValues = errorValues;
    }

    /** Which backend runs the batches. */
    public GpuOptions withBackend(BackendChoice backend) {
        return new GpuOptions(backend, batchPolicy, memoryLimitBytes, hashKey, errorValues);
    }

    /**
     * When a batch is full. The delay means nothing to windows, but for those of lines with an event
     * time: these lines make the watermarks.
     */
    public GpuOptions withBatchPolicy(BatchPolicy batchPolicy) {
        return new GpuOptions(backend, batchPolicy, memoryLimitBytes, hashKey, errorValues);
    }

    /**
     * The most bytes of off-heap columns one subtask may hold, pinned ones included.
     *
     * @throws IllegalArgumentException if it is less than 16 MiB
     */
    public GpuOptions withMemoryLimitBytes(long memoryLimitBytes) {
        return new GpuOptions(backend, batchPolicy, memoryLimitBytes, hashKey, errorValues);
    }

    /** Where the key of {@link Action.Hash} rules comes from. */
    public GpuOptions withHashKey(HashKey hashKey) {
        return new GpuOptions(backend, batchPolicy, memoryLimitBytes, hashKey, errorValues);
    }

    /**
     * How much of what records contain is in the operators' errors, in reasons of dead letters and of
     * malformed lines too; {@link ErrorDetail#NONE} if not called. Exceptions of the job's other operators
     * are their own.
     */
    public GpuOptions withErrorDetail(ErrorDetail detail) {
        Errors.present("detail", detail);
        return new GpuOptions(
                backend, batchPolicy, memoryLimitBytes, hashKey, ErrorValues.of(detail));
    }

    /** Where batches run. */
    public BackendChoice backend() {
        return backend;
    }

    /** When batches are flushed. */
    public BatchPolicy batchPolicy() {
        return batchPolicy;
    }

    /** The most bytes that the columns of a subtask may take. */
    public long memoryLimitBytes() {
        return memoryLimitBytes;
    }

    /** What keyed hashes are made with. */
    public Optional<HashKey> hashKey() {
        return Optional.ofNullable(hashKey);
    }

    /** What errors show of what records contain. */
    public ErrorDetail errorDetail() {
        return errorValues.detail();
    }

    /** What writes values into errors. */
    @Internal
    public ErrorValues errorValues() {
        return errorValues;
    }

    @Override
    public String toString() {
        return "GpuOptions[backend=%s, batchPolicy=%s, memoryLimitBytes=%s, hashKey=%s, errorDetail=%s]"
                .formatted(backend, batchPolicy, memoryLimitBytes, hashKey, errorDetail());
    }
}
