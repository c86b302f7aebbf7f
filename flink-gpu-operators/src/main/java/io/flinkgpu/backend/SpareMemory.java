package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

import com.sun.management.OperatingSystemMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Host memory of backends that have closed, for the next ones of this process: what takes long to make
 * ready, as page-locked memory does, is worth keeping for a job that starts soon. All backends share one
 * bound, and whoever lacks memory has it given back first:
 *
 * <pre>
 *   as much at most     2 GiB, 1/64 of the container's memory, and what it has beside all that operators may take
 *   as long at most     ten seconds, then the process has none
 * </pre>
 *
 * <p>A thread of its own gives back what was not taken in time, and ends when none is left, so that a class
 * loader which is dropped leaves no memory behind. What is kept too long is given back before what came
 * later. Thread-safe; no piece is given back under its lock.
 */
@Internal
public final class SpareMemory {

    private static final long MOST_BYTES = 2L << 30;

    /** Of the container's memory, one of so many parts. */
    private static final int PARTS = 64;

    /** That of all backends. */
    public static final SpareMemory OF_PROCESS =
            new SpareMemory(Math.min(MOST_BYTES, containerBytes() / PARTS), Duration.ofSeconds(10));

    private static final Logger LOG = LoggerFactory.getLogger(SpareMemory.class);

    private final long keptNanos;

    /** The oldest first. */
    private final Deque<Kept> kept = new ArrayDeque<>();

    private long limitBytes;
    private long bytes;

    /** Whether a thread waits for the oldest. */
    private boolean isWatched;

    /** What can be kept. */
    public interface Piece {

        /** What it is good for: who takes it wants an equal one. */
        Object kind();

        /** How much memory it takes of the machine; never more than that. */
        long bytes();

        /**
         * Gives it back, once. Any thread.
         *
         * @throws IllegalStateException if something of it is not given back
         */
        void release();
    }

    private record Kept(Piece piece, long untilNanos) {}

    /**
     * @param limitBytes the most to keep
     * @param time the longest to keep it
     */
    public SpareMemory(long limitBytes, Duration time) {
        this.limitBytes = limitBytes;
        this.keptNanos = time.toNanos();
    }

    /** The memory of the container, where there is one with a limit, else of the machine. */
    public static long containerBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                .getTotalMemorySize();
    }

    /**
     * Keeps a piece that nobody uses any more, in place of the oldest if need be.
     *
     * @return whether it is kept; if not, it is still the caller's
     */
    public boolean keep(Piece piece) {
        List<Piece> oldest;
        synchronized (this) {
            if (piece.bytes() > limitBytes || !watch()) {
                return false;
            }
            kept.add(new Kept(piece, System.nanoTime() + keptNanos));
            bytes += piece.bytes();
            oldest = takeOutAllBut(limitBytes);
        }
        release(oldest);
        return true;
    }

    /** The piece of a kind that was kept last, which the caller owns then; null if there is none. */
    public synchronized Piece take(Object kind) {
        for (Iterator<Kept> newest = kept.descendingIterator(); newest.hasNext(); ) {
            Piece piece = newest.next().piece;
            if (piece.kind().equals(kind)) {
                newest.remove();
                bytes -= piece.bytes();
                return piece;
            }
        }
        return null;
    }

    /** Keeps no more than that from now on, as there is no room for more. Never raises the limit. */
    public void limit(long roomBytes) {
        List<Piece> oldest;
        synchronized (this) {
            limitBytes = Math.max(0, Math.min(limitBytes, roomBytes));
            oldest = takeOutAllBut(limitBytes);
        }
        release(oldest);
    }

    /** Gives all back, for one who lacks memory. */
    public void releaseAll() {
        releaseIf(piece -> true);
    }

    /** Gives back what is not to be taken any more. */
    public void releaseIf(Predicate<Piece> condition) {
        List<Piece> released = new ArrayList<>();
        synchronized (this) {
            kept.removeIf(one -> condition.test(one.piece) && released.add(one.piece));
            released.forEach(piece -> bytes -= piece.bytes());
        }
        release(released);
    }

    /** How much there is. */
    public synchronized long bytes() {
        return bytes;
    }

    private List<Piece> takeOutAllBut(long leftBytes) {
        List<Piece> oldest = new ArrayList<>();
        while (bytes > leftBytes) {
            Piece piece = kept.remove().piece;
            bytes -= piece.bytes();
            oldest.add(piece);
        }
        return oldest;
    }

    /** Whoever has it given back lacks memory, or closes: a piece that fails is nothing to either. */
    private static void release(List<Piece> pieces) {
        for (Piece piece : pieces) {
            try {
                piece.release();
            } catch (RuntimeException | LinkageError e) {
                LOG.warn("memory that was kept for the next job was not given back", e);
            }
        }
    }

    /** Starts the thread unless there is one; returns whether there is. */
    private boolean watch() {
        if (!isWatched) {
            Thread watcher = new Thread(null, this::watchOldest, "gpu-spare-memory", 0, false);
            watcher.setDaemon(true);
            watcher.setContextClassLoader(null);
            try {
                watcher.start();
            } catch (OutOfMemoryError e) {
                return false;
            }
            isWatched = true;
        }
        return true;
    }

    private void watchOldest() {
        for (List<Piece> old = awaitOld(); !old.isEmpty(); old = awaitOld()) {
            release(old);
        }
    }

    /** Waits for pieces whose time is over; gives none, and ends the watch, when none is kept. */
    private synchronized List<Piece> awaitOld() {
        List<Piece> old = new ArrayList<>();
        while (!kept.isEmpty() && old.isEmpty()) {
            long leftNanos = kept.peek().untilNanos - System.nanoTime();
            if (leftNanos <= 0) {
                old.addAll(takeOutAllBut(bytes - kept.peek().piece.bytes()));
                continue;
            }
            try {
                wait(leftNanos / 1_000_000 + 1);
            } catch (InterruptedException e) {
                old.addAll(takeOutAllBut(0));
            }
        }
        isWatched = !old.isEmpty();
        return old;
    }
}
