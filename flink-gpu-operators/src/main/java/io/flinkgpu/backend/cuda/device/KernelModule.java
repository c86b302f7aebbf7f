package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

import java.io.IOException;
import java.io.InputStream;

/** The kernels, loaded into the current context; verbs know their names. The caller closes it. */
@Internal
public final class KernelModule implements AutoCloseable {

    /** What the driver takes of a block's share, and the kernel for itself. */
    public static final int RESERVED_SHARED_BYTES = 2 << 10;

    /** Where the kernels module puts the fatbin. */
    static final String RESOURCE = "/io/flinkgpu/kernels/flinkgpu.fatbin";

    private final CUmodule module = new CUmodule();
    private final int sharedBytesPerBlock;

    KernelModule(CudaDevice device) throws BackendException {
        sharedBytesPerBlock = device.sharedBytesPerBlock();
        CudaCheck.check(
                JCudaDriver.cuModuleLoadData(module, image()), "cuModuleLoadData of " + RESOURCE);
    }

    /** Whether the jar with the kernels is there and was built with nvcc. */
    static boolean isPresent() {
        return KernelModule.class.getResource(RESOURCE) != null;
    }

    /**
     * A kernel, valid as long as the module.
     *
     * @param name as in the CUDA source
     */
    Kernel get(String name) throws BackendException {
        CUfunction function = new CUfunction();
        CudaCheck.check(
                JCudaDriver.cuModuleGetFunction(function, module, name),
                "cuModuleGetFunction of " + name);
        return new Kernel(name, function);
    }

    /** Lets a kernel's blocks ask for as much shared memory as the device has for one. */
    void allowShared(Kernel kernel) throws BackendException {
        CudaCheck.check(
                JCudaDriver.cuFuncSetAttribute(
                        kernel.function(),
                        CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                        sharedBytesPerBlock - RESERVED_SHARED_BYTES),
                "cuFuncSetAttribute of " + kernel.name());
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
