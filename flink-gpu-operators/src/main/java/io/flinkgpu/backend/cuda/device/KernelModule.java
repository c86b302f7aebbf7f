package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

import java.io.IOException;
import java.io.InputStream;

/** The kernels, loaded into the current context, each resolved at once. The caller closes it. */
public final class KernelModule implements AutoCloseable {

    /** What the driver takes of a block's share, and the kernel for itself. */
    public static final int RESERVED_SHARED_BYTES = 2 << 10;

    /** Where the kernels module puts the fatbin. */
    static final String RESOURCE = "/io/flinkgpu/kernels/flinkgpu.fatbin";

    private final CUmodule module = new CUmodule();
    private final Kernel findLines;
    private final Kernel find;
    private final Kernel write;
    private final Kernel groupRows;
    private final Kernel groupBins;
    private final Kernel groupRank;
    private final Kernel groupStart;
    private final Kernel groupAddShared;
    private final Kernel groupAddGlobal;
    private final Kernel transform;
    private final Kernel transformSingle;
    private final Kernel linesAdd;
    private final Kernel linesResult;
    private final Kernel linesRefused;

    public KernelModule(CudaDevice device) throws BackendException {
        CudaCheck.check(
                JCudaDriver.cuModuleLoadData(module, image()), "cuModuleLoadData of " + RESOURCE);
        try {
            findLines = resolve("redact_lines");
            find = resolve("redact_find");
            write = resolve("redact_write");
            groupRows = resolve("group_rows");
            groupBins = resolve("group_bins");
            groupRank = resolve("group_rank");
            groupStart = resolve("group_start");
            groupAddShared = resolve("group_add_shared");
            groupAddGlobal = resolve("group_add_global");
            transform = resolve("transform");
            transformSingle = resolve("transform_single");
            linesAdd = resolve("lines_add");
            linesResult = resolve("lines_result");
            linesRefused = resolve("lines_refused");
            allowShared(linesAdd, device);
        } catch (BackendException e) {
            try {
                close();
            } catch (BackendException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /** Whether the jar with the kernels is there and was built with nvcc. */
    static boolean isPresent() {
        return KernelModule.class.getResource(RESOURCE) != null;
    }

    /** The rows of a text of which the host knows none. */
    public Kernel findLines() {
        return findLines;
    }

    /** Candidates of every start position. */
    public Kernel find() {
        return find;
    }

    /** The redacted rows. */
    public Kernel write() {
        return write;
    }

    /** The slot of each row's group. */
    public Kernel groupRows() {
        return groupRows;
    }

    /** The bins that each column of doubles needs. */
    public Kernel groupBins() {
        return groupBins;
    }

    /** The numbers of the groups. */
    public Kernel groupRank() {
        return groupRank;
    }

    /** Groups without values. */
    public Kernel groupStart() {
        return groupStart;
    }

    /** Adds up values where a block has room for all groups. */
    public Kernel groupAddShared() {
        return groupAddShared;
    }

    /** Adds up values of any number of groups. */
    public Kernel groupAddGlobal() {
        return groupAddGlobal;
    }

    /** A pass over columns. */
    public Kernel transform() {
        return transform;
    }

    public Kernel transformSingle() {
        return transformSingle;
    }

    /** Reads lines and adds them to their groups. */
    public Kernel linesAdd() {
        return linesAdd;
    }

    /** The groups of lines as the host wants them. */
    public Kernel linesResult() {
        return linesResult;
    }

    /** The lines that are left to the host. */
    public Kernel linesRefused() {
        return linesRefused;
    }

    /** Lets a kernel's blocks ask for as much shared memory as the device has for one. */
    private static void allowShared(Kernel kernel, CudaDevice device) throws BackendException {
        CudaCheck.check(
                JCudaDriver.cuFuncSetAttribute(
                        kernel.function(),
                        CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                        device.sharedBytesPerBlock() - RESERVED_SHARED_BYTES),
                "cuFuncSetAttribute of " + kernel.name());
    }

    private Kernel resolve(String name) throws BackendException {
        CUfunction function = new CUfunction();
        CudaCheck.check(
                JCudaDriver.cuModuleGetFunction(function, module, name),
                "cuModuleGetFunction of " + name);
        return new Kernel(name, function);
    }

    private static byte[] image() throws BackendException {
        try (InputStream stream = KernelModule.class.getResourceAsStream(RESOURCE)) {
            if (stream == null) {
                throw new BackendException(RESOURCE + " is not on the class path");
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new BackendException("cannot read " + RESOURCE, e);
        }
    }

    @Override
    public void close() throws BackendException {
        CudaCheck.checkRelease(JCudaDriver.cuModuleUnload(module), "cuModuleUnload");
    }
}
