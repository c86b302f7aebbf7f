package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.DeviceOutOfMemoryException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MemoryLedgerTest {

    private final FakeMemory memory = new FakeMemory(1 << 20);
    private final MemoryLedger ledger = new MemoryLedger(memory);

    @Test
    void closesOnlyWhenEmpty() throws Exception {
        long address = ledger.allocate(1000);
        assertThat(ledger.heldBytes()).isEqualTo(1000);
        assertThatThrownBy(ledger::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "fake memory is still held: blocks=1, bytes=1000; close what holds it first");
        ledger.free(address);
        ledger.close();
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    void freesOnlyWhatItHolds() throws Exception {
        long address = ledger.allocate(1000);
        ledger.free(address);
        assertThatThrownBy(() -> ledger.free(address)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aDeviceBufferGrowsAndComesBack() throws Exception {
        DeviceBuffer buffer = new DeviceBuffer(ledger);
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
        ledger.close();
    }

    @Test
    void aCloseStackClosesAllAndKeepsEveryFailure() {
        CloseStack stack = new CloseStack();
        StringBuilder order = new StringBuilder();
        stack.push(() -> order.append("a"));
        stack.push(
                () -> {
                    throw new Exception("b failed");
                });
        stack.push(
                () -> {
                    throw new IllegalStateException("c failed");
                });
        stack.push(() -> order.append("d"));
        assertThatThrownBy(stack::close)
                .hasMessage("c failed")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("b failed"));
        assertThat(order).hasToString("da");
    }
}
