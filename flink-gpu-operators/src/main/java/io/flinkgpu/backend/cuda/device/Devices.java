package io.flinkgpu.backend.cuda.device;

import org.apache.flink.annotation.Internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The devices of this process by their ordinals, and what counts for all of them. The only static state of
 * the CUDA backend, as the driver's contexts are the process's too. Thread-safe.
 */
@Internal
public final class Devices {

    private static final Devices OF_PROCESS = new Devices();

    private final SpinPolicy spinPolicy =
            new SpinPolicy(Runtime.getRuntime().availableProcessors());
    private final Map<Integer, SharedDevice> byOrdinal = new ConcurrentHashMap<>();

    private Devices() {}

    /** The one of an ordinal, which nobody need have entered. Calls no driver. */
    public static SharedDevice get(int ordinal) {
        return OF_PROCESS.byOrdinal.computeIfAbsent(
                ordinal, it -> new SharedDevice(it, OF_PROCESS.spinPolicy));
    }
}
