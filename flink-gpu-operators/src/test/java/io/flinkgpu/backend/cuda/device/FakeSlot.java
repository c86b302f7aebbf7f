package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** A slot with some buffers, that can fail. */
final class FakeSlot implements SlotPool.Slot {

    private static final int BUFFERS = 3;

    private final List<DeviceBuffer> buffers = new ArrayList<>();
    private final DeviceBudget.Share share;
    private long[] sizes;
    int starts;
    int drains;
    boolean failsToGiveBack;
    boolean failsToDrain;

    FakeSlot(DeviceBudget.Share share) {
        this.share = share;
        for (int i = 0; i < BUFFERS; i++) {
            buffers.add(new DeviceBuffer(share));
        }
    }

    void start(long... newSizes) throws BackendException {
        starts++;
        sizes = newSizes;
        for (int i = 0; i < sizes.length; i++) {
            buffers.get(i).reserve(sizes[i]);
        }
    }

    void check() {
        for (int i = 0; i < sizes.length; i++) {
            assertThat(buffers.get(i).capacityBytes()).isGreaterThanOrEqualTo(sizes[i]);
        }
    }

    long lent() {
        return buffers.stream().filter(DeviceBuffer::isLent).count();
    }

    @Override
    public void drain() throws BackendException {
        drains++;
        if (failsToDrain) {
            throw new BackendException("no drain");
        }
    }

    @Override
    public void giveBackLent() throws BackendException {
        if (failsToGiveBack) {
            throw new BackendException("no free");
        }
        for (DeviceBuffer buffer : buffers) {
            buffer.closeIfLent();
        }
    }

    @Override
    public boolean isLentMemoryWanted() {
        return share.isWantedByOthers();
    }

    @Override
    public void close() throws BackendException {
        for (DeviceBuffer buffer : buffers) {
            buffer.close();
        }
    }
}
