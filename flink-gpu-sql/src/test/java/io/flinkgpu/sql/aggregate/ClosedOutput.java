package io.flinkgpu.sql.aggregate;

/** Counts how often it was closed. */
final class ClosedOutput implements GroupOutput {

    private final String failure;
    private int times;

    /**
     * @param failure what closing it fails with; null if it does not
     */
    ClosedOutput(String failure) {
        this.failure = failure;
    }

    int times() {
        return times;
    }

    @Override
    public void send(SentGroups groups) {}

    @Override
    public void close() {
        times++;
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }
}
