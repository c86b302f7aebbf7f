package io.flinkgpu.applications.kafka;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** Reads the three outputs of a job into a {@link Ledger}, as they are committed. */
final class Outputs implements AutoCloseable {

    private final Ledger ledger = new Ledger();
    private final CommittedRecords redacted;
    private final CommittedRecords statistics;
    private final CommittedRecords deadLetters;

    Outputs(String bootstrapServers, Topics topics) {
        redacted = new CommittedRecords(bootstrapServers, topics.redacted());
        statistics = new CommittedRecords(bootstrapServers, topics.statistics());
        deadLetters = new CommittedRecords(bootstrapServers, topics.deadLetters());
    }

    Ledger ledger() {
        return ledger;
    }

    /** Reads redacted messages until a condition holds; returns whether it did in time. */
    boolean await(BooleanSupplier condition, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            redacted.poll(ledger::redacted);
        }
        return true;
    }

    /** Reads everything that is committed now. */
    void readToEnd() throws ExecutionException, InterruptedException {
        redacted.readToEnd(ledger::redacted);
        statistics.readToEnd(ledger::statistics);
        deadLetters.readToEnd(ledger::deadLetter);
    }

    @Override
    public void close() {
        redacted.close();
        statistics.close();
        deadLetters.close();
    }
}
