package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.embeddings.Workers;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Uploads to a device that copies as late as it may.
 *
 * <p>Covers: Puts.
 */
class PutsTest {

    private static final int UNIT = 24;

    /** Copies that were enqueued and are done by {@code await}. */
    private final List<Runnable> enqueued = new ArrayList<>();

    private LookupQueue queue() {
        return (LookupQueue)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {LookupQueue.class},
                        (proxy, method, args) -> {
                            switch (method.getName()) {
                                case "copyToDevice" ->
                                        enqueued.add(
                                                () ->
                                                        MemoryUtil.copyMemory(
                                                                (long) args[1],
                                                                (long) args[0],
                                                                (long) args[2]));
                                case "await" -> {
                                    enqueued.forEach(Runnable::run);
                                    enqueued.clear();
                                }
                                case "newRoom" -> {}
                                default -> throw new AssertionError(method.toString());
                            }
                            return null;
                        });
    }

    /** Up to several times the memory that is taken for it, and where there is no such memory. */
    @ParameterizedTest
    @CsvSource({
        "0, 256, 4",
        "1, 256, 4",
        "30000, 256, 4",
        "2000000, 256, 1",
        "2000000, 256, 4",
        "2000000, 2, 4"
    })
    void allIsCopied(int units, int limitMebibytes, int threads) throws Exception {
        long bytes = (long) UNIT * units;
        long device = MemoryUtil.allocateMemory(bytes + Long.BYTES);
        try (BufferAllocator allocator = new RootAllocator((long) limitMebibytes << 20);
                Workers workers = new Workers("test", threads);
                Puts puts = new Puts(queue(), allocator, UNIT)) {
            MemoryUtil.setMemory(device, bytes + Long.BYTES, (byte) 0);
            long held = allocator.getAllocatedMemory();
            puts.upload(
                    device,
                    bytes,
                    UNIT,
                    (at, target, some) -> {
                        for (long done = 0; done < some; done += UNIT) {
                            MemoryUtil.setMemory(target + done, UNIT, (byte) -1);
                            MemoryUtil.putLong(target + done, at + done + 1);
                        }
                    },
                    workers);
            assertThat(enqueued).isEmpty();
            assertThat(allocator.getAllocatedMemory()).isEqualTo(held);
            for (long at = 0; at < bytes; at += UNIT) {
                if (MemoryUtil.getLong(device + at) != at + 1
                        || MemoryUtil.getLong(device + at + 16) != -1) {
                    throw new AssertionError("at=" + at);
                }
            }
            assertThat(MemoryUtil.getLong(device + bytes)).isZero();
        } finally {
            MemoryUtil.freeMemory(device);
        }
    }

    @Test
    void aFailedReadIsThrownOnceNothingIsUnderWay() {
        long bytes = 40L << 20;
        long device = MemoryUtil.allocateMemory(bytes);
        try (BufferAllocator allocator = new RootAllocator();
                Workers workers = new Workers("test", 4);
                Puts puts = new Puts(queue(), allocator, UNIT)) {
            long held = allocator.getAllocatedMemory();
            assertThatThrownBy(
                            () ->
                                    puts.upload(
                                            device,
                                            bytes,
                                            UNIT,
                                            (at, target, some) -> {
                                                if (at + some > bytes / 2) {
                                                    throw new IOException("at=" + at);
                                                }
                                            },
                                            workers))
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith("at=")
                    .hasCauseInstanceOf(IOException.class);
            assertThat(enqueued).isEmpty();
            assertThat(allocator.getAllocatedMemory()).isEqualTo(held);
        } finally {
            MemoryUtil.freeMemory(device);
        }
    }
}
