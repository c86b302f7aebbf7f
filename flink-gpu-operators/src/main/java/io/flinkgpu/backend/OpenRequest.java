package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

/**
 * What a backend is opened for: one subtask of an operator.
 *
 * @param memoryLimitBytes the most bytes its columns may take
 * @param deviceSlot any number from 0; picks the device where there are several and none is assigned
 * @param assignedDevice index in the order of PCI buses, or UUID, of the device; null if any will do
 * @param subtasks how many subtasks of the operator this process may have, this one included
 * @param devices how many devices they are spread over; 0 for all that there are
 * @param hashKey for hashes and hash actions; empty when the plan needs none. It is its maker's, who fills it
 *     with zeros once the backend is closed
 */
@Internal
public record OpenRequest(
        long memoryLimitBytes,
        int deviceSlot,
        String assignedDevice,
        int subtasks,
        int devices,
        byte[] hashKey) {

    /** A request for any device. */
    public OpenRequest(
            long memoryLimitBytes, int deviceSlot, int subtasks, int devices, byte[] hashKey) {
        this(memoryLimitBytes, deviceSlot, null, subtasks, devices, hashKey);
    }

    /** A request of the only subtask, without a hash key. */
    public static OpenRequest of(long memoryLimitBytes) {
        return new OpenRequest(memoryLimitBytes, 0, 1, 0, new byte[0]);
    }

    /** This request with a hash key. */
    public OpenRequest withHashKey(byte[] key) {
        return new OpenRequest(
                memoryLimitBytes, deviceSlot, assignedDevice, subtasks, devices, key);
    }

    /**
     * How many subtasks share a device, at most.
     *
     * @param present how many devices there are, at least 1
     */
    public int sharers(int present) {
        int spread = devices == 0 ? present : devices;
        return (subtasks + spread - 1) / spread;
    }

    /** All but the key. */
    @Override
    public String toString() {
        return "memoryLimitBytes="
                + memoryLimitBytes
                + ", deviceSlot="
                + deviceSlot
                + (assignedDevice == null ? "" : ", assignedDevice=" + assignedDevice)
                + ", subtasks="
                + subtasks
                + ", devices="
                + devices;
    }
}
