package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.FatalDeviceException;

import org.apache.flink.annotation.Internal;

import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.apache.arrow.memory.OutOfMemoryException;

import java.util.function.Supplier;

/** Turns the driver's return codes into exceptions. JCuda's own exceptions stay off. */
@Internal
public final class CudaCheck {

    /** As drivers from 12.8 on have them, which JCuda does not name. */
    private static final int CONTAINED = 226;

    private static final int TENSOR_MEMORY_LEAK = 721;

    private static final String FREE_SOME =
            "; nvidia-smi shows what holds the device's memory: free some, or run on the CPU by"
                    + " GpuOptions.withBackend";

    private CudaCheck() {}

    /**
     * Checks the return code of a driver call.
     *
     * @param call the call and what matters of its arguments, for the message
     */
    static void check(int result, String call) throws BackendException {
        if (result == CUresult.CUDA_SUCCESS) {
            return;
        }
        String message = call + " failed: " + describe(result);
        if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
            throw new DeviceOutOfMemoryException(message + FREE_SOME);
        }
        if (isFatal(result)) {
            throw new FatalDeviceException(
                    message + "; the CUDA context is lost, and with it this TaskManager process");
        }
        throw new BackendException(message);
    }

    /** The same of a call that is made often: what it says of itself is put together if it failed. */
    static void check(int result, Supplier<String> call) throws BackendException {
        if (result != CUresult.CUDA_SUCCESS) {
            check(result, call.get());
        }
    }

    /** Checks a call that gives something back; a lost context has given it back already. */
    static void checkRelease(int result, String call) throws BackendException {
        if (!isFatal(result)) {
            check(result, call);
        }
    }

    /** What it means for a batch that the arena has no room for its columns. */
    public static DeviceOutOfMemoryException outOfPinnedMemory(OutOfMemoryException cause) {
        DeviceOutOfMemoryException failure = new DeviceOutOfMemoryException(cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    /** Whether the context can do nothing any more after this result. */
    static boolean isFatal(int result) {
        return switch (result) {
            case CUresult.CUDA_ERROR_DEINITIALIZED,
                    CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE,
                    CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
                    CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
                    CONTAINED,
                    CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
                    CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
                    CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
                    CUresult.CUDA_ERROR_ASSERT,
                    CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
                    CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
                    CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE,
                    CUresult.CUDA_ERROR_INVALID_PC,
                    CUresult.CUDA_ERROR_LAUNCH_FAILED,
                    TENSOR_MEMORY_LEAK,
                    CUresult.CUDA_ERROR_SYSTEM_NOT_READY,
                    CUresult.CUDA_ERROR_MPS_RPC_FAILURE,
                    CUresult.CUDA_ERROR_MPS_CLIENT_TERMINATED,
                    CUresult.CUDA_ERROR_EXTERNAL_DEVICE,
                    CUresult.CUDA_ERROR_UNKNOWN ->
                    true;
            default -> false;
        };
    }

    private static String describe(int result) {
        String[] text = new String[1];
        JCudaDriver.cuGetErrorString(result, text);
        return CUresult.stringFor(result)
                + " ("
                + result
                + (text[0] == null ? "" : ": " + text[0])
                + ")";
    }
}
