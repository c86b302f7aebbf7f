package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The devices that the driver shows to this process, of which Flink assigns some. Flink's script for GPUs assigns
 * indexes in the order of PCI buses, as nvidia-smi prints them; the driver's own numbers begin with the fastest
 * device where {@code CUDA_DEVICE_ORDER} does not say otherwise. Pure: calls no driver.
 */
final class VisibleDevices {

    private static final String UUID_PREFIX = "GPU-";

    /** Of an instance that a GPU was divided into. */
    private static final String MIG_PREFIX = "MIG-";

    private final List<Device> inBusOrder;

    /**
     * One of them.
     *
     * @param ordinal the driver's number
     * @param busId domain, bus, device and function in hexadecimal digits: {@code 0000:3b:00.0}
     * @param uuid as nvidia-smi prints it
     */
    record Device(int ordinal, String busId, String uuid) {

        /** Domain, bus, device and function as one number. */
        private long bus() {
            long number = 0;
            for (String part : busId.split("[:.]")) {
                number = number << 16 | Long.parseLong(part.strip(), 16) & 0xFFFF;
            }
            return number;
        }
    }

    /** @param devices at least one */
    VisibleDevices(List<Device> devices) {
        inBusOrder = devices.stream().sorted(Comparator.comparingLong(Device::bus)).toList();
    }

    /**
     * The driver's number of a device.
     *
     * @param assigned its index in the order of PCI buses, or its UUID, or that of a MIG instance
     * @throws BackendException if there is none
     */
    int find(String assigned) throws BackendException {
        if (assigned.startsWith(UUID_PREFIX)) {
            for (Device device : inBusOrder) {
                if (device.uuid().equalsIgnoreCase(assigned)) {
                    return device.ordinal();
                }
            }
        } else if (assigned.startsWith(MIG_PREFIX) && inBusOrder.size() == 1) {
            // CUDA shows a process one instance at most, and may name the GPU that it is a part of.
            return inBusOrder.get(0).ordinal();
        } else if (assigned.matches("\\d{1,9}")) {
            int index = Integer.parseInt(assigned);
            if (index < inBusOrder.size()) {
                return inBusOrder.get(index).ordinal();
            }
        }
        throw new BackendException(
                "Flink assigned a GPU that this process does not see: gpu="
                        + assigned
                        + ", visible="
                        + inBusOrder.stream().map(Device::uuid).collect(Collectors.joining(" "))
                        + "; an index counts these from 0, and CUDA_VISIBLE_DEVICES hides others: unset it"
                        + " for the TaskManager, or have the script of external-resource.gpu print UUIDs");
    }
}
