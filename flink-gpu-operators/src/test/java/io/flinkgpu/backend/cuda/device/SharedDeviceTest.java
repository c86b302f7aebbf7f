package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.CudaSmokeTest;

import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the subtasks of a process share of each device that there is.
 *
 * <p>Covers: SharedDevice, CudaStream, UploadedBytes.
 */
@Tag("gpu")
@Timeout(120)
class SharedDeviceTest {

    private static final int BYTES = 1 << 20;

    @Test
    void theContextAndTheKernelsOutliveTheLastBackend() throws Exception {
        CudaBackend first = CudaSmokeTest.openOrSkip();
        int ordinal = first.placement().ordinal();
        KernelModule kernels = first.device().kernels();
        first.close();
        int[] flags = new int[1];
        int[] active = new int[1];
        CudaCheck.check(
                JCudaDriver.cuDevicePrimaryCtxGetState(CudaProbe.handle(ordinal), flags, active),
                "cuDevicePrimaryCtxGetState");
        assertThat(active).containsExactly(1);
        try (CudaBackend again = CudaSmokeTest.openOrSkip()) {
            assertThat(again.device().kernels()).isSameAs(kernels);
        }
    }

    @Test
    void everyDeviceCopiesForItsSubtasksAtOnce() throws Exception {
        CudaSmokeTest.openOrSkip().close();
        int devices = CudaProbe.deviceCount();
        ExecutorService threads = Executors.newFixedThreadPool(2 * devices);
        try {
            List<Future<Integer>> ordinals = new ArrayList<>();
            for (int i = 0; i < 2 * devices; i++) {
                int slot = i;
                ordinals.add(threads.submit(() -> copyToAndFro(slot)));
            }
            for (int i = 0; i < 2 * devices; i++) {
                assertThat(ordinals.get(i).get()).isEqualTo(i % devices);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** As under a limit of locked memory that the driver asks for. */
    @Test
    void copiesAreRightWhereNoMemoryMayBeLocked() throws Exception {
        int[] refusals = new int[1];
        PinnedMemory refused =
                new PinnedMemory(
                        new PinnedMemory.PageLock() {
                            @Override
                            public int lock(long address, long bytes) {
                                refusals[0]++;
                                return CUresult.CUDA_ERROR_OUT_OF_MEMORY;
                            }

                            @Override
                            public int unlock(long address) {
                                throw new IllegalStateException("nothing was locked");
                            }
                        });
        byte[] expected = new byte[BYTES];
        byte[] actual = new byte[BYTES];
        new Random(1).nextBytes(expected);
        try (CudaBackend backend = CudaSmokeTest.openOrSkip();
                DeviceBuffer device = new DeviceBuffer(backend.memory().device());
                CudaStream stream = new CudaStream(refused, new AtomicLong())) {
            device.reserve(BYTES);
            MemoryBlock in = refused.allocate(BYTES);
            MemoryBlock out = refused.allocate(BYTES);
            MemoryUtil.copyToMemory(expected, 0, in.address(), BYTES);
            stream.copyToDevice(device.address(), in.address(), BYTES);
            stream.copyToHost(out.address(), device.address(), BYTES);
            stream.drain();
            MemoryUtil.copyFromMemory(out.address(), actual, 0, BYTES);
            refused.free(in);
            refused.free(out);
        }
        assertThat(actual).isEqualTo(expected);
        assertThat(refusals[0]).isOne();
    }

    /** They are three times as large as that, and no other work follows their copies. */
    @Test
    void tablesNeedNoMoreThanAStepOfTheMemoryOfColumns() throws Exception {
        byte[] tables = new byte[24 * BYTES + 5];
        byte[] actual = new byte[tables.length];
        new Random(2).nextBytes(tables);
        try (CudaBackend backend = CudaSmokeTest.openOrSkip(8 * BYTES);
                UploadedBytes uploaded = new UploadedBytes(backend.memory(), tables);
                ArrowBuf out = backend.allocator().buffer(BYTES);
                CudaStream stream = new CudaStream(backend.memory().pinned(), new AtomicLong())) {
            assertThat(backend.linkNanos())
                    .as("at 240 GB/s, and at 24 MB/s")
                    .isBetween(100_000L, 1_000_000_000L);
            for (int at = 0; at < tables.length; at += BYTES) {
                int length = Math.min(BYTES, tables.length - at);
                stream.copyToHost(out.memoryAddress(), uploaded.address() + at, length);
                stream.drain();
                out.getBytes(0, actual, at, length);
            }
        }
        assertThat(actual).isEqualTo(tables);
    }

    /** Returns the device on which it was. */
    private static int copyToAndFro(int deviceSlot) throws Exception {
        byte[] expected = new byte[BYTES];
        byte[] actual = new byte[BYTES];
        new Random(deviceSlot).nextBytes(expected);
        OpenRequest request = new OpenRequest(4 * BYTES, deviceSlot, 1, 0, new byte[0]);
        try (CudaBackend backend = CudaBackend.open(request);
                ArrowBuf in = backend.allocator().buffer(BYTES);
                ArrowBuf out = backend.allocator().buffer(BYTES);
                DeviceBuffer device = new DeviceBuffer(backend.memory().device());
                CudaStream stream = new CudaStream(backend.memory().pinned(), new AtomicLong())) {
            device.reserve(BYTES);
            in.setBytes(0, expected);
            stream.copyToDevice(device.address(), in.memoryAddress(), BYTES);
            stream.copyToHost(out.memoryAddress(), device.address(), BYTES);
            stream.drain();
            out.getBytes(0, actual);
            assertThat(actual).isEqualTo(expected);
            return backend.placement().ordinal();
        }
    }
}
