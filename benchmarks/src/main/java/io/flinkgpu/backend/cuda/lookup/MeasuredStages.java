package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.dense.DenseKernel;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.column.ColumnBatch;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long a lookup takes on a GPU until its values are in device memory, where a model reads them; and each of its
 * steps by itself, with a wait after each. One thread's.
 */
public final class MeasuredStages implements AutoCloseable {

    private final CloseStack resources = new CloseStack();
    private final LookupSlot slot;
    private final DeviceTables tables;
    private final LookupRun run;
    private final Map<String, Long> nanos = new TreeMap<>();

    /** Whether steps are only enqueued. */
    private boolean isTogether;

    /** Whether nothing is copied out. */
    private boolean staysOnDevice;

    /**
     * @param backend stays the caller's
     */
    public MeasuredStages(CudaBackend backend, EmbeddingTablesPlan plan) throws BackendException {
        backend.device().makeCurrent();
        try {
            slot = resources.push(new LookupSlot(backend.device(), backend.memory()));
            tables =
                    resources.push(
                            new DeviceTables(
                                    plan,
                                    slot,
                                    new CudaLookupMemory("stages", backend.memory().device()),
                                    backend.memory().columns(),
                                    LookupPace.STANDARD));
            resources.push(slot::drain);
            run =
                    resources.push(
                            new LookupRun(
                                    new Timed(),
                                    tables,
                                    backend.device().properties().multiprocessors(),
                                    backend.memory().columns(),
                                    null));
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /**
     * Nanoseconds from a batch's columns until its values are in device memory, with all that the host does. {@link
     * #nanos(ColumnBatch)} was called before for as large a batch, which makes room for the values.
     */
    public long nanosToDevice(ColumnBatch batch) throws BackendException {
        admit();
        isTogether = true;
        staysOnDevice = true;
        try {
            long start = System.nanoTime();
            run.start(LookupInput.of(batch));
            slot.await();
            return System.nanoTime() - start;
        } finally {
            isTogether = false;
            staysOnDevice = false;
        }
    }

    /** Nanoseconds from a batch's columns to those of its result. */
    public long nanosToHost(ColumnBatch batch) throws BackendException {
        admit();
        isTogether = true;
        try {
            long start = System.nanoTime();
            run.start(LookupInput.of(batch));
            slot.await();
            finish();
            return System.nanoTime() - start;
        } finally {
            isTogether = false;
        }
    }

    private void finish() throws BackendException {
        CloseStack columns = new CloseStack();
        try {
            run.finish(columns).close();
        } finally {
            columns.close();
        }
    }

    /** The nanoseconds of each step of a batch. */
    public Map<String, Long> nanos(ColumnBatch batch) throws BackendException {
        admit();
        nanos.clear();
        run.start(LookupInput.of(batch));
        slot.await();
        finish();
        return Map.copyOf(nanos);
    }

    private void admit() throws BackendException {
        if (tables.isAdmissionDue()) {
            tables.admit();
        }
    }

    @Override
    public void close() {
        resources.close();
    }

    /** Something that is enqueued. */
    @FunctionalInterface
    private interface Step {
        void enqueue() throws BackendException;
    }

    private final class Timed implements LookupQueue {

        private void time(String name, Step step) throws BackendException {
            if (isTogether) {
                step.enqueue();
                return;
            }
            slot.startKernels();
            step.enqueue();
            slot.endKernels();
            slot.await();
            nanos.merge(name, slot.kernelNanos(), Long::sum);
        }

        @Override
        public Room newRoom() {
            return slot.newRoom();
        }

        @Override
        public void zero(long address, long bytes) throws BackendException {
            time("zero", () -> slot.zero(address, bytes));
        }

        @Override
        public void copyToDevice(long address, long hostAddress, long bytes)
                throws BackendException {
            time("copies in", () -> slot.copyToDevice(address, hostAddress, bytes));
        }

        @Override
        public void copyToHost(long hostAddress, long address, long bytes) throws BackendException {
            if (!staysOnDevice) {
                time("copies out", () -> slot.copyToHost(hostAddress, address, bytes));
            }
        }

        @Override
        public void launch(LookupKernel kernel, LaunchConfig shape, long args)
                throws BackendException {
            String name = kernel.name().toLowerCase(Locale.ROOT);
            time(name, () -> slot.launch(kernel, shape, args));
        }

        @Override
        public void launch(DenseKernel kernel, LaunchConfig shape, long args)
                throws BackendException {
            String name = kernel.name().toLowerCase(Locale.ROOT);
            time(name, () -> slot.launch(kernel, shape, args));
        }

        @Override
        public void startKernels() {}

        @Override
        public void endKernels() {}

        @Override
        public void putNumber(long address) throws BackendException {
            slot.putNumber(address);
        }

        @Override
        public void checkNumber(long hostAddress) throws BackendException {
            slot.checkNumber(hostAddress);
        }

        @Override
        public void await() throws BackendException {
            slot.await();
        }
    }
}
