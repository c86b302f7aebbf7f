package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.FatalDeviceException;

import org.apache.flink.annotation.Internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the subtasks of this process share of one device:
 *
 * <pre>
 *   context, kernels     from the first subtask to the end of the process: to make them takes 0.1 to 0.4 s
 *   budget, tables       as long as a subtask uses them
 * </pre>
 *
 * <p>So the device keeps some hundred MiB, which are the driver's and the kernels' code, for this process
 * after its last job; all memory of batches and programs is back then. A context that a fault has ruined is
 * dropped by the last subtask that leaves, and the next one gets a new one. Thread-safe; devices do not
 * wait for each other.
 */
@Internal
public final class SharedDevice {

    private final int ordinal;
    private final SpinPolicy spinPolicy;
    private final SharedByKey shared = new SharedByKey();

    /** Null, like the kernels, before the first subtask comes and after a fault. */
    private CudaContext context;

    private KernelModule kernels;

    /** Null before the first subtask joins it. */
    private DeviceBudget budget;

    private int subtasks;

    /** The same number comes again after 2^32 batches. */
    private final AtomicInteger batches = new AtomicInteger();

    SharedDevice(int ordinal, SpinPolicy spinPolicy) {
        this.ordinal = ordinal;
        this.spinPolicy = spinPolicy;
    }

    /**
     * Lets a subtask use the device, and its thread first; it calls {@link #leave} once.
     *
     * @param properties of the device with this ordinal
     */
    public synchronized void enter(CudaDevice properties) throws BackendException {
        if (context == null) {
            open(properties);
        }
        context.makeCurrent();
        subtasks++;
        spinPolicy.enter();
    }

    private void open(CudaDevice properties) throws BackendException {
        CloseStack opened = new CloseStack();
        try {
            CudaContext newContext = opened.push(new CudaContext(properties));
            newContext.makeCurrent();
            kernels = new KernelModule(properties);
            context = newContext;
        } catch (FatalDeviceException e) {
            // There was no context yet that this could have cost.
            opened.closeAfter(e);
            throw new BackendException(e.getMessage(), e);
        } catch (BackendException | RuntimeException | Error e) {
            opened.closeAfter(e);
            throw e;
        }
    }

    /** Takes the device from the calling thread, for a subtask that has closed all it had there. */
    public synchronized void leave() throws BackendException {
        subtasks--;
        spinPolicy.leave();
        if (subtasks > 0 || !context.isLost()) {
            context.clearCurrent();
            return;
        }
        CloseStack lost = new CloseStack();
        lost.push(context);
        lost.push(kernels);
        context = null;
        kernels = null;
        lost.close();
    }

    /**
     * A subtask's share of the memory, which the caller closes. The first to come says how much there is,
     * until the last is gone.
     *
     * @param freeBytes of the device at present
     * @param memory takes and gives back the memory; that which is kept on any thread
     */
    public synchronized DeviceBudget.Share join(long freeBytes, MemorySource memory) {
        if (budget == null || budget.isLeft()) {
            budget = DeviceBudget.of(ordinal, freeBytes);
        }
        return budget.join(memory);
    }

    /** Of what was entered. */
    public CudaDevice properties() {
        return context.device();
    }

    /** Lets the calling thread use the device. Cheap; a thread may call it before every use. */
    public void makeCurrent() throws BackendException {
        context.makeCurrent();
    }

    /** The number of a batch that starts. */
    int nextBatch() {
        return batches.incrementAndGet();
    }

    KernelModule kernels() {
        return kernels;
    }

    SpinPolicy spinPolicy() {
        return spinPolicy;
    }

    /** What programs share here; none of it is held when the last subtask leaves. */
    public SharedByKey shared() {
        return shared;
    }
}
