package io.flinkgpu.testkit;

import io.flinkgpu.backend.OpenRequest;

import java.nio.charset.StandardCharsets;

/** What backends under test are opened for. */
public final class TestRequests {

    /** The key of all hashes in tests of backends. */
    public static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private TestRequests() {}

    /** A request of the only subtask, with the key. */
    public static OpenRequest of(long memoryLimitBytes) {
        return OpenRequest.of(memoryLimitBytes).withHashKey(KEY);
    }
}
