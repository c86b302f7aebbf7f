package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

/** This machine has no device for a backend, or nothing to drive it with: nothing is wrong with it. */
@Internal
public final class NoDeviceException extends BackendException {

    private static final long serialVersionUID = 1L;

    public NoDeviceException(String message) {
        super(message);
    }
}
