package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import java.util.ArrayList;
import java.util.List;

/** A thread's share of a device and its pool. */
final class FakeSubtask implements AutoCloseable {

    final DeviceBudget.Share share;
    final List<FakeSlot> slots = new ArrayList<>();
    final SlotPool<FakeSlot> pool = new SlotPool<>(this::makeCurrent, this::open);
    int madeCurrent;
    boolean isContextLost;

    /** How often it got memory that is lent, having none. */
    int turns;

    FakeSubtask(DeviceBudget.Share share) {
        this.share = share;
    }

    private void makeCurrent() throws BackendException {
        madeCurrent++;
        if (isContextLost) {
            throw new BackendException("no context");
        }
    }

    private FakeSlot open() {
        FakeSlot slot = new FakeSlot(share);
        slots.add(slot);
        return slot;
    }

    FakeSlot start(long... sizes) throws BackendException {
        return pool.start(slot -> startAndCount(slot, sizes));
    }

    private void startAndCount(FakeSlot slot, long... sizes) throws BackendException {
        boolean hadTurn = hasTurn();
        slot.start(sizes);
        if (!hadTurn && hasTurn()) {
            turns++;
        }
    }

    private boolean hasTurn() {
        return slots.stream().anyMatch(slot -> slot.lent() > 0);
    }

    void finish(FakeSlot slot) throws BackendException {
        pool.finish(
                slot,
                (started, columns) -> {
                    started.check();
                    return () -> {};
                });
    }

    @Override
    public void close() {
        pool.close();
        share.close();
    }
}
