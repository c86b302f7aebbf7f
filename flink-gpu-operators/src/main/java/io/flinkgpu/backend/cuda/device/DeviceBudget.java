package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;

import org.apache.flink.annotation.Internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The memory of a device, divided among the subtasks of this process:
 *
 * <pre>
 *   own, 1/2       equal parts, one for each subtask, which may keep it, as long as there are parts; of those that
 *                  no subtask has, all but 16 are for what a plan asks for that is too large for the common memory
 *   common, 3/8    what programs keep resident, up to 7/8 of it; the rest is lent to one subtask at a time, first come, first served: what its batches need beyond its part
 *   kept, 1/8      what stays as long as a program, and may be of several subtasks
 * </pre>
 *
 * Who waits for the common memory holds none of it, and who has it never waits for memory, so it comes to the
 * end of its batches under way: there is no deadlock. While others wait it starts no other batch before
 * all is back ({@link SlotPool}), and then queues after them, so nobody waits for more turns than there are
 * other subtasks.
 *
 * <p>Memory that others than this process take is not accounted for: the driver refuses what is not
 * there. Thread-safe.
 */
@Internal
public final class DeviceBudget {

    /** How many subtasks have a part of their own. */
    static final int OWN_PARTS = 64;

    /** Parts that stay for subtasks to come. */
    private static final int PARTS_TO_COME = OWN_PARTS / 4;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Memory that is left to others, as a part of what is free at first. */
    private static final int SPARE_PARTS = 10;

    private static final int KEPT_PARTS = 8;

    private final int ordinal;
    private final long ownBytes;
    private final long commonBytes;
    private final KeptMemory kept;
    private final Duration patience;

    /** The first has the common memory, the others wait for it. */
    private final Deque<Share> turns = new ArrayDeque<>();

    /** Of the common memory, taken for what programs keep. */
    private long residentBytes;

    private int shares;
    private int ownParts;

    /** Own parts that are of no subtask, but of what programs keep. */
    private int keptParts;

    DeviceBudget(int ordinal, long bytes, Duration patience) {
        this.ordinal = ordinal;
        this.ownBytes = bytes / 2 / OWN_PARTS;
        this.kept = new KeptMemory(ordinal, bytes / KEPT_PARTS);
        this.commonBytes = bytes / 2 - bytes / KEPT_PARTS;
        this.patience = patience;
    }

    /** That of a device with this much free memory. */
    static DeviceBudget of(int ordinal, long freeBytes) {
        return new DeviceBudget(ordinal, freeBytes - freeBytes / SPARE_PARTS, PATIENCE);
    }

    /**
     * A subtask's share, which the caller closes.
     *
     * @param device takes and gives back the memory; that which is kept on any thread
     */
    synchronized Share join(MemorySource device) {
        shares++;
        boolean hasPart = ownParts + keptParts < OWN_PARTS;
        ownParts += hasPart ? 1 : 0;
        return new Share(device, hasPart ? ownBytes : 0);
    }

    private synchronized void leave(boolean hadPart) {
        ownParts -= hadPart ? 1 : 0;
        shares--;
        long heldBytes = kept.heldBytes() + residentBytes + keptParts * ownBytes;
        if (shares == 0 && heldBytes > 0) {
            throw new IllegalStateException(
                    "device memory is still kept: bytes="
                            + heldBytes
                            + "; close the programs first");
        }
    }

    /** Whether no subtask has a share. */
    synchronized boolean isLeft() {
        return shares == 0;
    }

    /** An eighth of the common memory is left to batches. */
    private synchronized void takeResident(String name, long bytes) throws BackendException {
        long freeBytes = commonBytes - commonBytes / KEPT_PARTS - residentBytes;
        if (bytes > freeBytes) {
            throw new BackendException(
                    "no device memory for what a program keeps: name="
                            + name
                            + ", bytes="
                            + bytes
                            + ", freeBytes="
                            + freeBytes
                            + ", device="
                            + ordinal
                            + "; ask for less, or for fewer subtasks on the device");
        }
        residentBytes += bytes;
    }

    /** Half of the common memory is left to batches and to what plans ask for. */
    private synchronized boolean takeSpare(long bytes) {
        if (residentBytes + bytes > commonBytes / 2) {
            return false;
        }
        residentBytes += bytes;
        return true;
    }

    /** Some of the common memory, and parts that no subtask has. */
    private record Large(long residentBytes, int parts) {}

    /** Takes spare memory, and parts for what that lacks; null if there are not as many. */
    private synchronized Large takeLarge(long bytes) {
        long spareBytes = Math.min(bytes, Math.max(0, commonBytes / 2 - residentBytes));
        long parts = (bytes - spareBytes + ownBytes - 1) / ownBytes;
        if (parts > 0 && ownParts + keptParts + parts > OWN_PARTS - PARTS_TO_COME) {
            return null;
        }
        residentBytes += spareBytes;
        keptParts += (int) parts;
        return new Large(spareBytes, (int) parts);
    }

    private synchronized void giveBack(Large large) {
        residentBytes -= large.residentBytes;
        keptParts -= large.parts;
    }

    private synchronized void giveBackResident(long bytes) {
        residentBytes -= bytes;
    }

    private synchronized long lendableBytes() {
        return commonBytes - residentBytes;
    }

    private synchronized void awaitTurn(Share share) throws BackendException {
        turns.add(share);
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (turns.peek() != share) {
                long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
                if (leftMillis <= 0) {
                    throw new DeviceOutOfMemoryException(
                            "the device memory for large batches is with another subtask: device="
                                    + ordinal
                                    + ", waitedMillis="
                                    + patience.toMillis()
                                    + "; lower the batch policy's maxBytes or the parallelism");
                }
                wait(leftMillis);
            }
        } catch (BackendException | RuntimeException e) {
            endTurn(share);
            throw e;
        } catch (InterruptedException e) {
            endTurn(share);
            Thread.currentThread().interrupt();
            throw new BackendException("interrupted while waiting for device memory", e);
        }
    }

    private synchronized void endTurn(Share share) {
        turns.remove(share);
        notifyAll();
    }

    private synchronized boolean isWantedByOthers(Share share) {
        return turns.size() > (turns.contains(share) ? 1 : 0);
    }

    /** What one subtask takes of the device. Backend thread only. */
    public final class Share implements MemorySource, AutoCloseable {

        private final MemorySource device;
        private final long partBytes;
        private long ownHeldBytes;
        private long lentBytes;

        private Share(MemorySource device, long partBytes) {
            this.device = device;
            this.partBytes = partBytes;
        }

        /** Memory that stays as long as a program. It may stay when the share is closed. */
        public MemorySource kept() {
            return kept.of(device);
        }

        /**
         * Memory for what a program keeps, which is taken once, by what its plan asks for, and not lent to
         * batches meanwhile. Nobody waits for it.
         *
         * @param name of what is kept, for the error
         */
        public ResidentMemory keep(String name, long bytes) throws BackendException {
            takeResident(name, bytes);
            return new ResidentMemory(device, bytes, () -> giveBackResident(bytes));
        }

        /**
         * The same for what a program can do without, where more than half of the common memory is left.
         *
         * @return null if there is no such memory
         */
        public ResidentMemory keepSpare(long bytes) throws BackendException {
            if (!takeSpare(bytes)) {
                return null;
            }
            try {
                return new ResidentMemory(device, bytes, () -> giveBackResident(bytes));
            } catch (DeviceOutOfMemoryException e) {
                return null;
            }
        }

        /**
         * The same for what a plan asks for by its size, however large: also of the parts that no subtask has, which then
         * has none if it comes later.
         *
         * @return null if there is no such memory
         */
        public ResidentMemory keepLarge(long bytes) throws BackendException {
            Large large = takeLarge(bytes);
            if (large == null) {
                return null;
            }
            try {
                return new ResidentMemory(device, bytes, () -> giveBack(large));
            } catch (DeviceOutOfMemoryException e) {
                return null;
            }
        }

        /**
         * Takes memory; waits for the common memory if it needs it and has none of it yet.
         *
         * @throws DeviceOutOfMemoryException if it is more than there is, or the wait was too long
         */
        @Override
        public MemoryBlock allocate(long bytes) throws BackendException {
            boolean isOwn = ownHeldBytes + bytes <= partBytes;
            if (!isOwn) {
                borrow(bytes);
            }
            long address;
            try {
                address = device.allocate(bytes).address();
            } catch (BackendException | RuntimeException | Error e) {
                endTurnIfAllIsBack();
                throw e;
            }
            if (isOwn) {
                ownHeldBytes += bytes;
            } else {
                lentBytes += bytes;
            }
            return new MemoryBlock(address, bytes, !isOwn);
        }

        private void borrow(long bytes) throws BackendException {
            if (lentBytes + bytes > lendableBytes()) {
                throw new DeviceOutOfMemoryException(
                        "a subtask's batches need more device memory than it may take: bytes="
                                + bytes
                                + ", heldBytes="
                                + (ownHeldBytes + lentBytes)
                                + ", limitBytes="
                                + (partBytes + lendableBytes())
                                + ", device="
                                + ordinal
                                + "; lower the batch policy's maxBytes or the parallelism");
            }
            if (lentBytes == 0) {
                awaitTurn(this);
            }
        }

        @Override
        public void free(MemoryBlock block) throws BackendException {
            if (block.isLent()) {
                lentBytes -= block.bytes();
            } else {
                ownHeldBytes -= block.bytes();
            }
            try {
                device.free(block);
            } finally {
                endTurnIfAllIsBack();
            }
        }

        private void endTurnIfAllIsBack() {
            if (lentBytes == 0) {
                endTurn(this);
            }
        }

        /** Whether others wait for what is lent to this subtask. */
        public boolean isWantedByOthers() {
            return lentBytes > 0 && DeviceBudget.this.isWantedByOthers(this);
        }

        /**
         * Leaves the part to another subtask.
         *
         * @throws IllegalStateException if memory is not back; that which is kept must be when the last
         *     subtask leaves
         */
        @Override
        public void close() {
            endTurn(this);
            leave(partBytes > 0);
            if (ownHeldBytes + lentBytes > 0) {
                throw new IllegalStateException(
                        "device memory is still held: bytes="
                                + (ownHeldBytes + lentBytes)
                                + "; close the programs first");
            }
        }
    }
}
