package io.flinkgpu.files;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.MissingFile;
import io.flinkgpu.api.RecordLimits;
import io.flinkgpu.api.TooLongLine;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Counts and logs what one reader of files finds that is not as it should be, or fails the job for it as the
 * user's policy says. Names files and places in them, and never what is there. What is found again right after
 * itself, of the same file, is counted and logged once. For one thread.
 */
@Internal
public final class FileReports {

    private static final Logger LOG = LoggerFactory.getLogger(FileReports.class);
    private static final byte[] NOTHING = {};

    private final Counter grown;
    private final Counter missing;
    private final Counter longLines;
    private final Consumer<TooLongLine> places;
    private String lastGrown;
    private String lastMissing;
    private String lastLong;

    private FileReports(
            Counter grown, Counter missing, Counter longLines, Consumer<TooLongLine> places) {
        this.places = places;
        this.grown = grown;
        this.missing = missing;
        this.longLines = longLines;
    }

    /** Counts in the metrics of an operator. */
    public static FileReports of(MetricGroup operatorGroup) {
        return of(operatorGroup, line -> {});
    }

    /**
     * Likewise.
     *
     * @param places is given each line that is too long
     */
    public static FileReports of(MetricGroup operatorGroup, Consumer<TooLongLine> places) {
        MetricGroup group = operatorGroup.addGroup("gpu");
        return new FileReports(
                group.counter("grownFiles"),
                group.counter("missingFiles"),
                group.counter("longLines"),
                places);
    }

    /** Counts for nobody but the caller. */
    public static FileReports uncounted() {
        return new FileReports(
                new SimpleCounter(), new SimpleCounter(), new SimpleCounter(), line -> {});
    }

    public long grownFiles() {
        return grown.getCount();
    }

    public long missingFiles() {
        return missing.getCount();
    }

    public long longLines() {
        return longLines.getCount();
    }

    /** A file has become longer since it was listed; that is no error. */
    public void grown(String file, long listedBytes, long bytes) {
        if (!file.equals(lastGrown)) {
            lastGrown = file;
            grown.inc();
            LOG.debug(
                    "an input file grew since it was listed: file={}, listedBytes={}, bytes={}",
                    file,
                    listedBytes,
                    bytes);
        }
    }

    /** The last line of a file that grows has no end yet, so it is left out. */
    public void withheld(String file, long offsetBytes) {
        LOG.warn(
                "the last line of an input file that is being written has no end and is left out:"
                        + " file={}, offsetBytes={}; read the file when it is complete, or use"
                        + " monitorEvery(..), which reads on",
                file,
                offsetBytes);
    }

    /**
     * What is left of a file is skipped, if the policy has it so.
     *
     * @throws MissingFileException if not
     */
    public void missing(MissingFileException found, FilePolicy policy) throws MissingFileException {
        if (policy.missingFile() == MissingFile.FAIL) {
            throw found;
        }
        if (!found.file().equals(lastMissing)) {
            lastMissing = found.file();
            missing.inc();
            LOG.warn("skipped: {}", found.getMessage());
        }
    }

    /**
     * What stands in place of a line that is too long.
     *
     * @param isTerminated whether that ends with {@code '\n'}
     * @return nothing if the line is left out, with its end
     * @throws IOException if such a line fails the job
     */
    public static byte[] insteadOf(TooLongLine line, boolean isTerminated, FilePolicy policy)
            throws IOException {
        return switch (policy.longLine()) {
            case FAIL ->
                    throw Errors.io(
                            "a line is longer than allowed: file=%s, offsetBytes=%s, lineBytes=%s,"
                                    + " maxLineBytes=%s; is this a text file? Use"
                                    + " LineFiles.maxLineBytes(bytes, LongLine.LABEL) or SKIP, in SQL"
                                    + " 'long-line' = 'label' or 'skip', or allow more bytes",
                            line.file(),
                            line.offsetBytes(),
                            line.lineBytes(),
                            policy.maxLineBytes());
            case LABEL ->
                    (isTerminated ? FilePolicy.LABEL + '\n' : FilePolicy.LABEL)
                            .getBytes(StandardCharsets.US_ASCII);
            case SKIP -> NOTHING;
        };
    }

    /** The error of a record that is over a limit, or of lines whose record was given out without them. */
    public static IOException tooLongRecord(
            String file, long offsetBytes, RecordLimits limits, boolean isLate) {
        return isLate
                ? Errors.io(
                        "lines came after their record, which had waited for them: file=%s,"
                                + " offsetBytes=%s, maxWait=%s; allow more time, or use"
                                + " RecordLimits.onLonger(LongLine.LABEL) or SKIP",
                        file, offsetBytes, limits.maxWait())
                : Errors.io(
                        "a record is longer than allowed: file=%s, offsetBytes=%s, maxBytes=%s,"
                                + " maxLines=%s; does the pattern match the first line of each"
                                + " record? Use RecordLimits.onLonger(LongLine.LABEL) or SKIP, or"
                                + " allow more",
                        file, offsetBytes, limits.maxBytes(), limits.maxLines());
    }

    /** Something else is used in place of a record that is over a limit, or of lines that came late. */
    public void longRecord(
            String file, long offsetBytes, long bytes, RecordLimits limits, boolean isLate) {
        longLines.inc();
        if (!file.equals(lastLong)) {
            lastLong = file;
            LOG.warn(
                    "a record is over a limit, perhaps others of its file are too: file={},"
                            + " offsetBytes={}, bytes={}, cameLate={}, limits={}",
                    file,
                    offsetBytes,
                    bytes,
                    isLate,
                    limits);
        }
    }

    /** Something else is used in place of a line that is too long. */
    public void tooLong(TooLongLine line, FilePolicy policy) {
        longLines.inc();
        if (!line.file().equals(lastLong)) {
            lastLong = line.file();
            LOG.warn(
                    "a line is longer than allowed, perhaps others of its file are too: file={},"
                            + " offsetBytes={}, lineBytes={}, maxLineBytes={}, done={}",
                    line.file(),
                    line.offsetBytes(),
                    line.lineBytes(),
                    policy.maxLineBytes(),
                    policy.longLine());
        }
        places.accept(line);
    }
}
