package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;

import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

import java.io.IOException;
import java.io.InputStream;

/** The kernels, loaded into the current context, each resolved at once. The caller closes it. */
final class KernelModule implements AutoCloseable {

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

    KernelModule(CudaDevice device) throws BackendException {
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
    Kernel findLines() {
        return findLines;
    }

    /** Candidates of every start position. */
    Kernel find() {
        return find;
    }

    /** The redacted rows. */
    Kernel write() {
        return write;
    }

    /** The slot of each row's group. */
    Kernel groupRows() {
        return groupRows;
    }

    /** The bins that each column of doubles needs. */
    Kernel groupBins() {
        return groupBins;
    }

    /** The numbers of the groups. */
    Kernel groupRank() {
        return groupRank;
    }

    /** Groups without values. */
    Kernel groupStart() {
        return groupStart;
    }

    /** Adds up values where a block has room for all groups. */
    Kernel groupAddShared() {
        return groupAddShared;
    }

    /** Adds up values of any number of groups. */
    Kernel groupAddGlobal() {
        return groupAddGlobal;
    }

    /** A pass over columns. */
    Kernel transform() {
        return transform;
    }

    Kernel transformSingle() {
        return transformSingle;
    }

    /** Reads lines and adds them to their groups. */
    Kernel linesAdd() {
        return linesAdd;
    }

    /** The groups of lines as the host wants them. */
    Kernel linesResult() {
        return linesResult;
    }

    /** The lines that are left to the host. */
    Kernel linesRefused() {
        return linesRefused;
    }

    /** Lets a kernel's blocks ask for as much shared memory as the device has for one. */
    private static void allowShared(Kernel kernel, CudaDevice device) throws BackendException {
        CudaCheck.check(
                JCudaDriver.cuFuncSetAttribute(
                        kernel.function(),
                        CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                        device.sharedBytesPerBlock() - LinesShape.RESERVED_BYTES),
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
