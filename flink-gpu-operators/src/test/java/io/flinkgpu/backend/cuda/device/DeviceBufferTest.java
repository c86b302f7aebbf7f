package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.DeviceOutOfMemoryException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: DeviceBuffer.
 */
class DeviceBufferTest {

    private final FakeMemory memory = new FakeMemory(1 << 20);

    @Test
    void aDeviceBufferGrowsAndComesBack() throws Exception {
        DeviceBuffer buffer = new DeviceBuffer(memory);
        assertThat(buffer.address()).isZero();
        buffer.reserve(1000);
        long address = buffer.address();
        assertThat(buffer.capacityBytes()).isGreaterThanOrEqualTo(1000);
        buffer.reserve(1001);
        assertThat(buffer.address()).isEqualTo(address);
        buffer.reserve(5000);
        assertThat(buffer.capacityBytes()).isGreaterThanOrEqualTo(5000);
        assertThat(memory.heldBlocks()).isEqualTo(1);
        assertThatThrownBy(() -> buffer.reserve(1 << 20))
                .isInstanceOf(DeviceOutOfMemoryException.class);
        assertThat(buffer.address()).isZero();
        buffer.close();
        assertThat(memory.heldBytes()).isZero();
    }
}
