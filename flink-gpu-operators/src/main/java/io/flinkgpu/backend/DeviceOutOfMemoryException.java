package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

/** The device has no memory for this batch. The batch may be split, or run on the CPU. */
@Internal
public final class DeviceOutOfMemoryException extends BackendException {

    private static final long serialVersionUID = 1L;

    public DeviceOutOfMemoryException(String message) {
        super(message);
    }
}
