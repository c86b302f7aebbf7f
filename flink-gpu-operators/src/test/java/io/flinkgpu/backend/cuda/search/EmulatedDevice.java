package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.cuda.EmulatedMemory;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** A process that runs the search kernels' source, and has the memory that they work on. */
final class EmulatedDevice implements AutoCloseable {

    private final EmulatedMemory process;
    private boolean answersAreLate;

    EmulatedDevice() throws IOException {
        process = new EmulatedMemory("search");
    }

    /** From now on no result gets to the host. */
    void answerLate() {
        answersAreLate = true;
    }

    /** Another one. */
    Queue queue() {
        return new Queue();
    }

    /** Memory in pieces of their own, so that the sanitizer sees where each ends. */
    Memory memory(long limitBytes) {
        return new Memory(limitBytes);
    }

    @Override
    public void close() {
        process.close();
    }

    final class Memory implements SearchMemory, AutoCloseable {

        private final long limitBytes;
        private final Map<Long, Long> taken = new HashMap<>();
        private long takenBytes;

        private Memory(long limitBytes) {
            this.limitBytes = limitBytes;
        }

        @Override
        public long take(long bytes) {
            if (takenBytes + bytes > limitBytes) {
                return NONE;
            }
            long address = process.take(bytes);
            taken.put(address, bytes);
            takenBytes += bytes;
            return address;
        }

        @Override
        public void giveBack(long address) {
            takenBytes -= taken.remove(address);
            process.giveBack(address);
        }

        @Override
        public long takenBytes() {
            return takenBytes;
        }

        @Override
        public void close() {
            taken.keySet().forEach(process::giveBack);
        }
    }

    final class Queue implements SearchQueue, AutoCloseable {

        private long workspace;
        private int number;

        @Override
        public long workspace(long bytes) {
            // Each time a piece of its own: the sanitizer then sees where it ends.
            close();
            workspace = process.take(bytes);
            return workspace;
        }

        @Override
        public void zero(long address, long bytes) {
            process.zero(address, bytes);
        }

        @Override
        public void copyToDevice(long address, long hostAddress, long bytes) {
            process.write(address, hostAddress, bytes);
        }

        @Override
        public void copyToHost(long hostAddress, long address, long bytes) {
            if (!answersAreLate) {
                process.read(hostAddress, address, bytes);
            }
        }

        @Override
        public void launch(SearchKernel kernel, LaunchConfig shape, long args) {
            process.launch(
                    kernel,
                    shape,
                    args,
                    switch (kernel) {
                        case INDEX_COUNT, INDEX_SUM, INDEX_PUT, ARRANGE ->
                                SearchAbi.SEARCH_INDEX_ARGS_BYTES;
                        case DIE -> SearchAbi.SEARCH_DIE_ARGS_BYTES;
                        default -> SearchAbi.SEARCH_ARGS_BYTES;
                    });
        }

        @Override
        public void waitForSearches() {}

        @Override
        public int nextBatch() {
            return ++number;
        }

        @Override
        public void mark(int mark) {}

        @Override
        public void await(int mark) {}

        @Override
        public void await() {}

        @Override
        public void close() {
            if (workspace != 0) {
                process.giveBack(workspace);
                workspace = 0;
            }
        }
    }
}
