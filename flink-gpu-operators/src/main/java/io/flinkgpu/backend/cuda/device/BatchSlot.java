package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.FatalDeviceException;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One of the batches of a program that may be under way at a time: a stream, its events, and memory
 * that is reused from batch to batch. See {@link SlotPool}, which closes it.
 */
@Internal
public abstract class BatchSlot implements SlotPool.Slot, DeviceQueue {

    public final CudaStream stream;

    /** Read and written by the device, so pinned. */
    public final ArrowBuf control;

    /** What the stream did last has been copied. */
    public final Completion copied;

    private final SharedDevice device;
    private final KernelModule kernels;
    private final CudaMemory memory;
    private final CloseStack resources = new CloseStack();
    private final List<DeviceBuffer> buffers = new ArrayList<>();
    private final CudaEvent copyStart;
    private final CudaEvent kernelsStart;
    private final CudaEvent kernelsEnd;

    /** Of the batch under way, in the memory that its header is copied from. */
    private int number;

    public BatchSlot(SharedDevice device, CudaMemory memory, long controlBytes)
            throws BackendException {
        this.device = device;
        this.kernels = device.kernels();
        this.memory = memory;
        try {
            control = resources.push(memory.columns().buffer(controlBytes));
            copyStart = resources.push(CudaEvent.timed());
            kernelsStart = resources.push(CudaEvent.timed());
            kernelsEnd = resources.push(CudaEvent.timed());
            stream = resources.push(new CudaStream(memory.pinned(), memory.linkNanos()));
            copied = resources.push(new Completion(stream, device.spinPolicy()));
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /**
     * A kernel to launch. A failure closes the slot, whose constructor calls this.
     *
     * @param name as in the CUDA source
     */
    protected final Kernel kernel(String name) throws BackendException {
        return kernel(name, false);
    }

    /**
     * The same.
     *
     * @param allShared whether its blocks may ask for all the shared memory that the device has for one
     */
    protected final Kernel kernel(String name, boolean allShared) throws BackendException {
        try {
            Kernel kernel = kernels.get(name);
            if (allShared) {
                kernels.allowShared(kernel);
            }
            return kernel;
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /**
     * The kernels of an enum, whose names in the CUDA source are those of its constants in lower case.
     *
     * @param prefix of the names
     * @param allShared those whose blocks may ask for all the shared memory that the device has for one
     */
    protected final <E extends Enum<E>> Map<E, Kernel> kernels(
            Class<E> kernels, String prefix, Set<E> allShared) throws BackendException {
        Map<E, Kernel> byConstant = new EnumMap<>(kernels);
        for (E kernel : kernels.getEnumConstants()) {
            String name = prefix + kernel.name().toLowerCase(Locale.ROOT);
            byConstant.put(kernel, kernel(name, allShared.contains(kernel)));
        }
        return byConstant;
    }

    @Override
    public final void zero(long address, long bytes) throws BackendException {
        stream.zero(address, bytes);
    }

    @Override
    public final void copyToDevice(long address, long hostAddress, long bytes)
            throws BackendException {
        stream.copyToDevice(address, hostAddress, bytes);
    }

    @Override
    public final void copyToHost(long hostAddress, long address, long bytes)
            throws BackendException {
        stream.copyToHost(hostAddress, address, bytes);
    }

    @Override
    public final void await() throws BackendException {
        copied.record();
        copied.await();
    }

    /** Copies a batch's columns to their places in a buffer. */
    protected final void copyIn(DeviceLayout layout, DeviceBuffer to) throws BackendException {
        long base = to.address();
        layout.copyIn((offset, host, bytes) -> stream.copyToDevice(base + offset, host, bytes));
    }

    /**
     * Puts the number of this run of a batch beside its header on the device, which is zeroed before.
     *
     * @param address a multiple of 4 in what is copied to the host with the header
     */
    public final void putNumber(long address) throws BackendException {
        number = nextBatch();
        stream.put(address, number);
    }

    /** A number that no batch on this device had before. */
    public final int nextBatch() {
        return device.nextBatch();
    }

    /** Another point in what the stream does. */
    protected final Completion newCompletion() throws BackendException {
        return resources.push(new Completion(stream, device.spinPolicy()));
    }

    /** Checks that what was copied to this host address is what {@link #putNumber} has put there. */
    public final void checkNumber(long hostAddress) throws FatalDeviceException {
        ResultCheck.requireNumber(number, MemoryUtil.getInt(hostAddress));
    }

    /** Device memory that the slot closes. */
    protected final DeviceBuffer newDeviceBuffer() {
        DeviceBuffer buffer = resources.push(new DeviceBuffer(memory.device()));
        buffers.add(buffer);
        return buffer;
    }

    @Override
    public final void giveBackLent() throws BackendException {
        for (DeviceBuffer buffer : buffers) {
            buffer.closeIfLent();
        }
    }

    @Override
    public final boolean isLentMemoryWanted() {
        return memory.device().isWantedByOthers();
    }

    protected final void startCopy() throws BackendException {
        stream.record(copyStart);
    }

    /** Has something closed with the slot, once the device is done with it. */
    protected final void closeWithSlot(AutoCloseable resource) {
        resources.push(resource);
    }

    public final void startKernels() throws BackendException {
        stream.record(kernelsStart);
    }

    public final void endKernels() throws BackendException {
        stream.record(kernelsEnd);
    }

    /** The time between the start of the copy and that of the kernels last launched; they have run. */
    public final long copyNanos() throws BackendException {
        return kernelsStart.nanosSince(copyStart);
    }

    /** The time between the start and the end of the kernels last launched; they have run. */
    public final long kernelNanos() throws BackendException {
        return kernelsEnd.nanosSince(kernelsStart);
    }

    @Override
    public void drain() throws BackendException {
        stream.drain();
    }

    @Override
    public final void close() {
        resources.close();
    }
}
