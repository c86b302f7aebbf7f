package io.flinkgpu.source;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Finds the whole lines that files have more than they had: those of a file that is new, that has grown, or
 * that was cut or replaced and so begins anew. A last line without an end waits for it. Where lines are joined to
 * records, the last one waits for the start of the next, or until the file has not changed for long enough. For the
 * thread that lists files.
 *
 * <pre>
 *   file    aaaa\n bbbbbb\n cc\n ddd
 *           given out      | more   | waits
 * </pre>
 */
final class FileFollower {

    private static final Logger LOG = LoggerFactory.getLogger(FileFollower.class);
    private static final int FIRST_STEP_BYTES = 4 << 10;
    private static final int STEP_BYTES = 128 << 10;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final long NONE = -1;

    /**
     * Lines to be given out.
     *
     * @param known how far the file was given out before; null if it is new
     * @param from where the lines start; not at {@code known} if the file begins anew
     * @param losesRecord whether a record waited that the file has no more
     */
    record More(
            Path path, Long known, long from, long end, long modifiedMillis, boolean losesRecord) {

        boolean beginsAnew() {
            return known != null && from != known;
        }
    }

    /**
     * What a file was when it was looked at last.
     *
     * @param end of its last whole line; the start of what is new if it has none there
     * @param sinceNanos when it was first seen so
     */
    private record Look(
            Long known, long bytes, long modifiedMillis, long from, long end, long sinceNanos) {

        boolean is(Long knownNow, FileStatus file) {
            return bytes == file.getLen()
                    && modifiedMillis == file.getModificationTime()
                    && Objects.equals(known, knownNow);
        }
    }

    /** Null where lines are by themselves. */
    private final RecordStart recordStart;

    private final LongSupplier nanoClock;
    private final Map<Path, Look> looks = new HashMap<>();
    private final Set<Path> unreadable = new HashSet<>();
    private final Set<Path> unfinished = new HashSet<>();

    /**
     * @param recordStart which lines start a record; null where lines are by themselves
     */
    FileFollower(RecordStart recordStart) {
        this(recordStart, System::nanoTime);
    }

    FileFollower(RecordStart recordStart, LongSupplier nanoClock) {
        this.recordStart = recordStart;
        this.nanoClock = nanoClock;
    }

    /**
     * Looks at listed files.
     *
     * @param known how far a file was given out; null if it was not
     */
    List<More> look(List<FileStatus> files, Function<Path, Long> known) {
        List<More> all = new ArrayList<>();
        for (FileStatus file : files) {
            try {
                More more = look(file, known.apply(file.getPath()));
                if (more != null) {
                    all.add(more);
                }
            } catch (FileNotFoundException e) {
                LOG.debug("A file went between its listing and a look at it.", e);
            } catch (IOException e) {
                if (unreadable.add(file.getPath())) {
                    LOG.warn(
                            "a file is left out for now, as its last line cannot be found: file={};"
                                    + " make it readable where the JobManager runs",
                            file.getPath(),
                            e);
                }
            }
        }
        return all;
    }

    /** Null if there is nothing new. */
    private More look(FileStatus file, Long known) throws IOException {
        Path path = file.getPath();
        if (Compressions.isCompressed(path)) {
            return known == null
                    ? new More(path, null, 0, file.getLen(), file.getModificationTime(), false)
                    : null;
        }
        Look last = looks.get(path);
        if (last != null && last.is(known, file)) {
            warnOfUnfinished(path, last);
            return waitedLongEnough(last)
                    ? new More(path, known, last.from, last.end, last.modifiedMillis, false)
                    : null;
        }
        long from = known == null || !isStill(file, known) ? 0 : known;
        // What was seen to have no end of a line is not looked at again.
        boolean goesOn =
                last != null
                        && Objects.equals(last.known, known)
                        && (known == null || from == known)
                        && last.bytes <= file.getLen();
        long unseen = goesOn ? Math.max(from, last.end) : from;
        long end = endOfLines(path, Math.max(from, goesOn ? last.bytes : 0), file.getLen(), NONE);
        if (end == NONE) {
            end = unseen > from && hasLineEnd(path, unseen) ? unseen : from;
        }
        long modified = file.getModificationTime();
        long givenEnd = recordStart == null ? end : endOfRecords(path, from, unseen, end);
        // Last, as what could not be read was not seen.
        looks.put(path, new Look(known, file.getLen(), modified, from, end, nanoClock.getAsLong()));
        boolean loses = last != null && losesRecord(last, known == null ? 0 : known, from, file);
        More more = new More(path, known, from, givenEnd, modified, loses);
        return givenEnd > from || more.beginsAnew() || loses ? more : null;
    }

    /** Whether whole lines waited that cannot be read any more. */
    private boolean losesRecord(Look last, long known, long from, FileStatus file) {
        return recordStart != null
                && last.end > known
                && (from != known || file.getLen() < last.end);
    }

    /** Whether nothing came to the last record of a file, which has whole lines, for as long as it waits. */
    private boolean waitedLongEnough(Look last) {
        return recordStart != null
                && last.end > last.from
                && last.bytes == last.end
                && nanoClock.getAsLong() - last.sinceNanos
                        >= recordStart.limits().maxWait().toNanos();
    }

    /**
     * Where the last record starts in some lines, as it may go on; their end if it is over its limit of bytes.
     *
     * @param from where the lines start
     * @param unseen where those start that were not looked at
     */
    private long endOfRecords(Path path, long from, long unseen, long end) throws IOException {
        long start = lastStart(path, Math.max(from + 1, unseen), end);
        return start == NONE && end - from > recordStart.limits().maxBytes()
                ? end
                : Math.max(start, from);
    }

    /** Where the last line starts, not before {@code from}, that starts a record; or {@link #NONE}. */
    private long lastStart(Path path, long from, long to) throws IOException {
        byte[] step = new byte[STEP_BYTES + 1 + RecordStart.MAX_BYTES];
        try (FSDataInputStream in = path.getFileSystem().open(path)) {
            for (long end = to; end > from; ) {
                long begin = Math.max(from, end - STEP_BYTES);
                // The byte before the first line, and of the last line what follows.
                int length = (int) Math.min(to - (begin - 1), step.length);
                in.seek(begin - 1);
                if (in.readNBytes(step, 0, length) < length) {
                    throw new FileNotFoundException("a file got shorter: file=" + path);
                }
                for (int i = (int) (end - begin); i > 0; i--) {
                    if (step[i - 1] == '\n' && recordStart.matches(step, i, length)) {
                        return begin - 1 + i;
                    }
                }
                end = begin;
            }
        }
        return NONE;
    }

    /** Whether a file has what was given out, as far as can be seen: a line ends where that ended. */
    private static boolean isStill(FileStatus file, long known) throws IOException {
        return known <= file.getLen() && (known == 0 || hasLineEnd(file.getPath(), known));
    }

    private static boolean hasLineEnd(Path path, long end) throws IOException {
        return endOfLines(path, end - 1, end, NONE) == end;
    }

    /** Where the last line ends that has an end within some bytes; {@code none} if there is no such line. */
    private static long endOfLines(Path path, long from, long to, long none) throws IOException {
        byte[] step = new byte[FIRST_STEP_BYTES];
        try (FSDataInputStream in = path.getFileSystem().open(path)) {
            for (long at = to; at > from; ) {
                int length = (int) Math.min(step.length, at - from);
                at -= length;
                in.seek(at);
                if (in.readNBytes(step, 0, length) < length) {
                    throw new FileNotFoundException("a file got shorter: file=" + path);
                }
                for (int i = length - 1; i >= 0; i--) {
                    if (step[i] == '\n') {
                        return at + i + 1;
                    }
                }
                if (step.length < STEP_BYTES) {
                    step = new byte[STEP_BYTES];
                }
            }
        }
        return none;
    }

    private void warnOfUnfinished(Path path, Look last) {
        boolean waits = last.bytes > last.end;
        if (!waits || System.currentTimeMillis() - last.modifiedMillis < PATIENCE_MILLIS) {
            return;
        }
        if (unfinished.add(path)) {
            LOG.warn(
                    "the last line of a file waits for its end, and the file has not changed for"
                            + " a minute: file={}, offsetBytes={}; write a line feed after it",
                    path,
                    last.end);
        }
    }
}
