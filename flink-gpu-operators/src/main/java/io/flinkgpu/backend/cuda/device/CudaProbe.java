package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.NoDeviceException;
import io.flinkgpu.backend.OpenRequest;

import org.apache.flink.annotation.Internal;

import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Finds out whether CUDA can be used here. The only place where JCuda's classes are loaded for the
 * first time, which fails with an {@code Error} on a machine without a driver.
 */
@Internal
public final class CudaProbe {

    /** The oldest compute capability, times ten, that the fatbin has code for. */
    static final int MIN_COMPUTE_CAPABILITY = 75;

    private static final int NAME_BYTES = 256;
    private static final int BUS_ID_BYTES = 32;
    private static final String NO_DRIVER = "no CUDA driver";

    private CudaProbe() {}

    /**
     * Picks a device.
     *
     * @param request names the device, or spreads subtasks over those that there are
     * @throws BackendException with the reason in one line when there is none, which is a {@link
     *     NoDeviceException}, or when it cannot be used
     */
    public static CudaDevice probe(OpenRequest request) throws BackendException {
        if (!KernelModule.isPresent()) {
            throw new NoDeviceException(
                    "no CUDA kernels: "
                            + KernelModule.RESOURCE
                            + " is not on the class path; build the kernels module with nvcc on the PATH");
        }
        if (Library.PROBLEM != null) {
            throw Library.PROBLEM.startsWith(NO_DRIVER)
                    ? new NoDeviceException(Library.PROBLEM)
                    : new BackendException(Library.PROBLEM);
        }
        try {
            return findDevice(request);
        } catch (FatalDeviceException e) {
            // Nothing was opened that this could have cost.
            throw new BackendException(e.getMessage(), e);
        }
    }

    private static CudaDevice findDevice(OpenRequest request) throws BackendException {
        CudaCheck.check(JCudaDriver.cuInit(0), "cuInit");
        int count = deviceCount();
        if (count == 0) {
            throw new NoDeviceException(
                    "no CUDA device: the driver sees none; check CUDA_VISIBLE_DEVICES");
        }
        int ordinal =
                request.assignedDevice() == null
                        ? Math.floorMod(request.deviceSlot(), count)
                        : visibleDevices(count).find(request.assignedDevice());
        CUdevice device = handle(ordinal);
        byte[] name = new byte[NAME_BYTES];
        CudaCheck.check(JCudaDriver.cuDeviceGetName(name, name.length, device), "cuDeviceGetName");
        int computeCapability =
                10
                                * attribute(
                                        device,
                                        CUdevice_attribute
                                                .CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
                        + attribute(
                                device,
                                CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        if (computeCapability < MIN_COMPUTE_CAPABILITY) {
            throw new NoDeviceException(
                    "the CUDA device is too old: computeCapability="
                            + computeCapability / 10.0
                            + "; the kernels need 7.5 (Turing) or newer");
        }
        return new CudaDevice(
                ordinal,
                text(name),
                computeCapability,
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                attribute(
                        device,
                        CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
                attribute(
                        device,
                        CUdevice_attribute
                                .CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
    }

    private static VisibleDevices visibleDevices(int count) throws BackendException {
        List<VisibleDevices.Device> devices = new ArrayList<>();
        for (int ordinal = 0; ordinal < count; ordinal++) {
            CUdevice device = handle(ordinal);
            String[] busId = new String[1];
            CudaCheck.check(
                    JCudaDriver.cuDeviceGetPCIBusId(busId, BUS_ID_BYTES, device),
                    "cuDeviceGetPCIBusId");
            CUuuid uuid = new CUuuid();
            CudaCheck.check(JCudaDriver.cuDeviceGetUuid(uuid, device), "cuDeviceGetUuid");
            ByteBuffer bytes = ByteBuffer.wrap(uuid.bytes);
            String text = "GPU-" + new UUID(bytes.getLong(), bytes.getLong());
            devices.add(new VisibleDevices.Device(ordinal, busId[0], text));
        }
        return new VisibleDevices(devices);
    }

    /** How many devices the driver shows to this process; once it is initialised. */
    public static int deviceCount() throws BackendException {
        int[] count = new int[1];
        CudaCheck.check(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
        return count[0];
    }

    /** The driver's handle of a device. */
    static CUdevice handle(int ordinal) throws BackendException {
        CUdevice device = new CUdevice();
        CudaCheck.check(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet " + ordinal);
        return device;
    }

    private static int attribute(CUdevice device, int attribute) throws BackendException {
        int[] value = new int[1];
        CudaCheck.check(
                JCudaDriver.cuDeviceGetAttribute(value, attribute, device),
                "cuDeviceGetAttribute " + attribute);
        return value[0];
    }

    private static String text(byte[] zeroTerminated) {
        int length = 0;
        while (length < zeroTerminated.length && zeroTerminated[length] != 0) {
            length++;
        }
        return new String(Arrays.copyOf(zeroTerminated, length), StandardCharsets.UTF_8);
    }

    /** JCuda's classes, loaded when first asked for. Only that first failure has the cause. */
    private static final class Library {

        /** Why they cannot be used, in one line; null if they can. */
        static final String PROBLEM = load();

        private Library() {}

        private static String load() {
            try {
                NativeLibrary.load();
                return null;
            } catch (IOException e) {
                return "JCuda cannot be loaded here: " + e.getMessage();
            } catch (LinkageError e) {
                return reason(String.valueOf(e.getMessage()));
            }
        }

        /** The loader's messages run over many lines; the missing library's name is what counts. */
        private static String reason(String message) {
            if (message.contains("libcuda.so")) {
                return NO_DRIVER + ": libcuda.so.1 not found";
            }
            if (message.contains("already loaded in another classloader")) {
                return "JCuda is loaded by another class loader: put the jcuda jars into Flink's lib"
                        + " folder and leave them out of the job's jar";
            }
            return "JCuda cannot be loaded here: " + cause(message);
        }

        /** JCuda says first that it failed, and far below why: the last error that it met. */
        private static String cause(String message) {
            return message.lines()
                    .map(String::strip)
                    .filter(line -> !line.startsWith("at "))
                    .filter(line -> line.contains("Error: ") || line.contains("Exception: "))
                    .reduce((first, last) -> last)
                    .orElseGet(() -> message.lines().findFirst().orElse("").strip());
        }
    }
}
