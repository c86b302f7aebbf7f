package io.flinkgpu.backend.cuda;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A rule set's tables on a device. Nothing in them depends on a hash key, and all of it on the rules, so
 * subtasks with equal rules share them. Immutable; the last who holds them closes them.
 */
final class DeviceTables implements AutoCloseable {

    /**
     * Who shares tables.
     *
     * @param ordinal of the device
     */
    record Key(int ordinal, RuleSet rules) {}

    private final RuleTables tables;
    private final DeviceBuffer buffer;

    /** Makes the tables and copies them; the context is current. */
    DeviceTables(CompiledRules rules, CudaMemory memory, BufferAllocator allocator)
            throws BackendException {
        tables = new RuleTables(rules);
        buffer = new DeviceBuffer(memory.kept());
        try {
            upload(memory.pinned(), allocator, tables.bytes());
        } catch (BackendException | RuntimeException e) {
            try {
                close();
            } catch (BackendException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private void upload(PinnedMemory pinned, BufferAllocator allocator, byte[] bytes)
            throws BackendException {
        buffer.reserve(bytes.length);
        try (CudaStream stream = new CudaStream(pinned);
                ArrowBuf staging = allocator.buffer(bytes.length)) {
            MemoryUtil.copyToMemory(bytes, 0, staging.memoryAddress(), bytes.length);
            stream.copyToDevice(buffer.address(), staging.memoryAddress(), bytes.length);
            stream.drain();
        } catch (OutOfMemoryException e) {
            throw CudaCheck.outOfPinnedMemory(e);
        }
    }

    int ruleCount() {
        return tables.ruleCount();
    }

    /** Whether matches of any rule become keyed hashes. */
    boolean hashes() {
        return tables.hashes();
    }

    /** Writes the {@code rule_tables} struct to a host address. */
    void writeStruct(long address) {
        tables.writeStruct(address, buffer.address());
    }

    @Override
    public void close() throws BackendException {
        buffer.close();
    }
}
