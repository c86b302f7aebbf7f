package io.flinkgpu.operator;

import io.flinkgpu.api.BatchPolicy;

import org.apache.flink.annotation.Internal;

/**
 * Sends changes that no request comes after, once the first of them has waited as long as a batch may, and measures
 * how long they take. Task thread only.
 */
@Internal
public final class ChangeTimer implements ResidentChanges.Watcher {

    private final BatchEngine<?, ?> engine;
    private final ResidentChanges<?> changes;
    private final ResidentMetrics metrics;
    private final DelayTimer delay;
    private final long delayMillis;

    /**
     * @param changes which go before the next batch of requests, if that comes earlier
     */
    public ChangeTimer(
            BatchEngine<?, ?> engine,
            ResidentChanges<?> changes,
            ResidentMetrics metrics,
            BatchPolicy policy) {
        this.engine = engine;
        this.changes = changes;
        this.metrics = metrics;
        this.delay = new DelayTimer(engine.time(), this::onDue);
        this.delayMillis = policy.maxDelay().toMillis();
    }

    private void onDue() throws Exception {
        if (changes.isEmpty()) {
            return;
        }
        if (engine.hasRoom()) {
            changes.send();
        } else {
            // A timer must not wait for room.
            delay.start(delayMillis);
        }
    }

    @Override
    public void started() {
        metrics.batchOfChanges(engine.time().getCurrentProcessingTime());
        delay.start(delayMillis);
    }

    @Override
    public void applied() {
        metrics.applied(engine.time().getCurrentProcessingTime());
    }
}
