package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;

/** Memory for what stays as long as a program. */
interface LookupMemory {

    /** Device memory. */
    interface Piece extends AutoCloseable {

        /** Where it is, aligned to 256 bytes. */
        long address();

        @Override
        void close();
    }

    /** Host memory that kernels read. Zeroed when it is taken. */
    interface HostPiece extends AutoCloseable {

        /** Where it is for kernels, aligned to 256 bytes. */
        long deviceAddress();

        /** Copies bytes to it. */
        void write(long offset, long source, long bytes);

        /** Copies bytes from it. */
        void read(long offset, long target, long bytes);

        @Override
        void close();
    }

    /**
     * Takes device memory.
     *
     * @throws BackendException if there is none
     */
    Piece take(long bytes) throws BackendException;

    /** The same for what can be done without; null if there is none. */
    Piece takeSpare(long bytes) throws BackendException;

    /** Host memory whose addresses are known to what translates them: a read of it waits for no translation. */
    long translatedBytes();

    /** Takes host memory. */
    HostPiece takeHost(long bytes) throws BackendException;
}
