package io.flinkgpu.operator;

/** Changes of what is resident on their way: nothing is emitted of them, but a failure stops all after. */
final class ChangeBatch<R extends AutoCloseable> extends InFlightBatch<R> {

    private final Runnable onApplied;

    ChangeBatch(Runnable onApplied) {
        this.onApplied = onApplied;
    }

    @Override
    protected void emitPart(R part) {
        throw new IllegalStateException("changes have no result: part=" + part);
    }

    @Override
    protected void emitEnd() {
        // Whatever comes after them sees them.
        onApplied.run();
    }
}
