package io.flinkgpu.files;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LongLine;
import io.flinkgpu.api.MissingFile;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Counts and logs what one reader of files finds that is not as it should be, or fails the job for it as the
 * user's policy says. Names files and places in them, and never what is there. What is found again right after
 * itself, of the same file, is counted and logged once. For one thread.
 */
@Internal
public final class FileReports {

    private static final Logger LOG = LoggerFactory.getLogger(FileReports.class);
    private static final byte[] LABEL = FilePolicy.LABEL.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};

    private final Counter grown;
    private final Counter missing;
    private final Counter longLines;
    private String lastGrown;
    private String lastMissing;
    private String lastLong;

    private FileReports(Counter grown, Counter missing, Counter longLines) {
        this.grown = grown;
        this.missing = missing;
        this.longLines = longLines;
    }

    /** Counts in the metrics of an operator. */
    public static FileReports of(MetricGroup operatorGroup) {
        MetricGroup group = operatorGroup.addGroup("gpu");
        return new FileReports(
                group.counter("grownFiles"),
                group.counter("missingFiles"),
                group.counter("longLines"));
    }

    /** Counts for nobody but the caller. */
    public static FileReports uncounted() {
        return new FileReports(new SimpleCounter(), new SimpleCounter(), new SimpleCounter());
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
     * A line is too long.
     *
     * @param lineBytes of the line without its {@code '\n'}
     * @return what stands in its place; none if the line is left out, with its end
     * @throws IOException if that fails the job
     */
    public byte[] tooLong(String file, long offsetBytes, long lineBytes, FilePolicy policy)
            throws IOException {
        if (policy.longLine() == LongLine.FAIL) {
            throw Errors.io(
                    "a line is longer than allowed: file=%s, offsetBytes=%s, lineBytes=%s,"
                            + " maxLineBytes=%s; is this a text file? Use"
                            + " LineFiles.maxLineBytes(bytes, LongLine.LABEL) or SKIP, or allow"
                            + " more bytes",
                    file, offsetBytes, lineBytes, policy.maxLineBytes());
        }
        longLines.inc();
        if (!file.equals(lastLong)) {
            lastLong = file;
            LOG.warn(
                    "a line is longer than allowed, perhaps others of its file are too: file={},"
                            + " offsetBytes={}, lineBytes={}, maxLineBytes={}, done={}",
                    file,
                    offsetBytes,
                    lineBytes,
                    policy.maxLineBytes(),
                    policy.longLine());
        }
        return policy.longLine() == LongLine.LABEL ? LABEL : NOTHING;
    }
}
