package io.flinkgpu.backend;

/** The device has no memory for this batch. The batch may be split, or run on the CPU. */
public final class DeviceOutOfMemoryException extends BackendException {

    private static final long serialVersionUID = 1L;

    public DeviceOutOfMemoryException(String message) {
        super(message);
    }
}
