package io.flinkgpu.backend.cuda.lookup;

/** Bytes that all tables may take together. */
final class Budget {

    private long freeBytes;

    Budget(long bytes) {
        freeBytes = bytes;
    }

    long freeBytes() {
        return freeBytes;
    }

    /** Takes bytes, if there are as many. */
    boolean take(long bytes) {
        if (bytes > freeBytes) {
            return false;
        }
        freeBytes -= bytes;
        return true;
    }

    void giveBack(long bytes) {
        freeBytes += bytes;
    }
}
