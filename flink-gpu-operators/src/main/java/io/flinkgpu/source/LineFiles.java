package io.flinkgpu.source;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.LongLine;
import io.flinkgpu.api.MissingFile;
import io.flinkgpu.api.RecordLimits;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.core.fs.Path;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Text files as a source of whole lines. Immutable: each method gives a copy with one thing changed.
 *
 * <pre>{@code
 * env.fromSource(LineFiles.ofGlob("/logs/*.log").chunks(), WatermarkStrategy.noWatermarks(), "logs")
 * }</pre>
 *
 * <p>Files are cut into splits, and splits into chunks or ranges; lines are never cut. Each line is read
 * once, also after a failure. With parallelism 1 lines come in order: inputs as given, files of a
 * directory by path, lines as they are. Files in a directory whose names start with {@code '.'} or
 * {@code '_'} are left out, and so are such directories; one that is named itself is read. Of
 * what is appended to a file after it was listed only the end of its last line is read. A file that became
 * shorter or is gone fails the job, and so does a line of more than 256 MiB, unless {@link #onMissingFile} and
 * {@link #maxLineBytes} say otherwise.
 */
@PublicEvolving
public final class LineFiles {

    /** 4 MiB: one default batch, and small enough that Flink's network stack keeps it in memory. */
    public static final int DEFAULT_CHUNK_BYTES = 4 << 20;

    /**
     * The last line of a range ends past its end. With this margin a range's lines still fit into the
     * memory of a chunk; Arrow doubles what is larger.
     */
    public static final int DEFAULT_RANGE_BYTES = DEFAULT_CHUNK_BYTES - (64 << 10);

    /** 64 MiB. */
    public static final long DEFAULT_SPLIT_BYTES = 64L << 20;

    private static final int MAX_CHUNK_BYTES = 1 << 28;
    private static final Duration MIN_INTERVAL = Duration.ofMillis(1);
    private static final Duration MAX_INTERVAL = Duration.ofDays(36_500);

    private final FileLister files;
    private final long splitBytes;
    private final Optional<Integer> chunkBytes;
    private final FilePolicy policy;
    private final Optional<Duration> monitorInterval;
    private final Optional<RecordStart> recordStart;

    private LineFiles(
            FileLister files,
            long splitBytes,
            Optional<Integer> chunkBytes,
            FilePolicy policy,
            Optional<Duration> monitorInterval,
            Optional<RecordStart> recordStart) {
        this.files = files;
        this.splitBytes = splitBytes;
        this.chunkBytes = chunkBytes;
        this.policy = policy;
        this.monitorInterval = monitorInterval;
        this.recordStart = recordStart;
    }

    /** Files, and directories with all below them. A file that is in several is read once. */
    public static LineFiles of(Path... paths) {
        Errors.present("paths", paths);
        return of(FileLister.of(Arrays.stream(paths).map(FileInput::of).toList()));
    }

    /**
     * Files by name: {@code ?} is any character of a name, {@code *} any number of them, {@code **} any
     * number of directories, {@code [a-z]} and {@code [!a-z]} one character, {@code {a,b}} one of several
     * texts, and <code>\</code> takes the meaning from what follows. A directory that matches is not
     * read; its files are, if they match.
     *
     * @throws IllegalArgumentException for a bracket or brace that does not end
     */
    public static LineFiles ofGlob(String... globs) {
        Errors.present("globs", globs);
        return of(FileLister.of(Arrays.stream(globs).map(FileInput::ofGlob).toList()));
    }

    private static LineFiles of(FileLister files) {
        return new LineFiles(
                files,
                DEFAULT_SPLIT_BYTES,
                Optional.empty(),
                FilePolicy.DEFAULT,
                Optional.empty(),
                Optional.empty());
    }

    /**
     * The most bytes of a file that a reader is given at a time, by default {@link
     * #DEFAULT_SPLIT_BYTES}. The last splits are smaller, so that readers end together.
     */
    public LineFiles splitBytes(long splitBytes) {
        if (splitBytes < 1) {
            throw new IllegalArgumentException(
                    "a split has at least a byte: splitBytes=" + splitBytes);
        }
        return new LineFiles(files, splitBytes, chunkBytes, policy, monitorInterval, recordStart);
    }

    /**
     * The most bytes of a chunk, where a longer line is a chunk of its own, or the bytes of a range. By
     * default {@link #DEFAULT_CHUNK_BYTES} or {@link #DEFAULT_RANGE_BYTES}.
     */
    public LineFiles chunkBytes(int chunkBytes) {
        if (chunkBytes < 1 || chunkBytes > MAX_CHUNK_BYTES) {
            throw new IllegalArgumentException(
                    "a chunk has 1 byte to 256 MiB: chunkBytes=" + chunkBytes);
        }
        return new LineFiles(
                files, splitBytes, Optional.of(chunkBytes), policy, monitorInterval, recordStart);
    }

    /**
     * Follows symbolic links below an input folder, or leaves them out, which is the default. A link that leads
     * out of its input folder is left out in any case, and so is one to a folder that it is in; a file
     * that links lead to as well is read once. An input that is itself a link is followed.
     */
    public LineFiles followLinks(boolean follow) {
        return new LineFiles(
                files.followsLinks(follow),
                splitBytes,
                chunkBytes,
                policy,
                monitorInterval,
                recordStart);
    }

    /** Adds the {@code '\n'} that a file's last line may lack to its chunk, or has what reads its range do so. */
    public LineFiles terminateLastLines() {
        return with(policy.withLastLinesTerminated(true));
    }

    /**
     * Says what becomes of a file that is deleted, cut short or written anew after it was listed and before it
     * was read, as log rotation does. By default the job fails.
     */
    public LineFiles onMissingFile(MissingFile missing) {
        return with(policy.withMissingFile(missing));
    }

    /**
     * Says how long a line may be, and what becomes of a longer one. By default a line of more than 256 MiB
     * fails the job. Chunks and ranges are no larger than that, so some KiB at least are better.
     *
     * @param maxLineBytes of a line without its {@code '\n'}
     */
    public LineFiles maxLineBytes(int maxLineBytes, LongLine longer) {
        return with(policy.withMaxLineBytes(maxLineBytes, longer));
    }

    private LineFiles with(FilePolicy newPolicy) {
        return new LineFiles(
                files, splitBytes, chunkBytes, newPolicy, monitorInterval, recordStart);
    }

    /**
     * Never ends, and checks at this interval for new files and for those that have grown: their new lines are
     * read once they have ends. A file that got shorter, or was replaced, is read from its start. A compressed
     * file is read once: put it there by renaming it, when it is complete.
     */
    public LineFiles monitorEvery(Duration interval) {
        Errors.present("interval", interval);
        if (interval.compareTo(MIN_INTERVAL) < 0 || interval.compareTo(MAX_INTERVAL) > 0) {
            throw Errors.argument(
                    "files are looked for at most every millisecond, and every 36,500 days at"
                            + " least: interval=%s; use for example Duration.ofSeconds(10)",
                    interval);
        }
        return new LineFiles(
                files, splitBytes, chunkBytes, policy, Optional.of(interval), recordStart);
    }

    /** Does what {@link #startOfRecord(String, RecordLimits)} does, with {@link RecordLimits#DEFAULT}. */
    public LineFiles startOfRecord(String pattern) {
        return startOfRecord(pattern, RecordLimits.DEFAULT);
    }

    /**
     * Joins lines to records, such as stack traces and keys in PEM: a line starts one if some beginning of it, by
     * itself, is what the pattern matches, and lines up to the next such line are of the same record. {@link #chunks}
     * gives a chunk for each, which a redaction takes as one text. A file is read by one reader, and {@link
     * #splitBytes} and {@link #maxLineBytes} have no effect.
     *
     * <p>A last record of a file that is {@link #monitorEvery followed} waits for the start of the next one, or for
     * {@code limits.maxWait()} without a change of the file.
     *
     * @param pattern of the syntax that rules have, for example {@code \d{4}-\d\d-\d\d}
     * @throws io.flinkgpu.api.RuleException if the pattern has an error
     * @throws IllegalArgumentException if it matches every line
     */
    public LineFiles startOfRecord(String pattern, RecordLimits limits) {
        return new LineFiles(
                files,
                splitBytes,
                chunkBytes,
                policy,
                monitorInterval,
                Optional.of(RecordStart.of(pattern, limits)));
    }

    /** The lines, as bytes. Compressed files (gz and what else Flink knows by suffix) are one split each. */
    public Source<LineChunk, ?, ?> chunks() {
        int bytes = chunkBytes.orElse(DEFAULT_CHUNK_BYTES);
        if (recordStart.isEmpty()) {
            return source(new LineChunkFormat(bytes, policy), bytes);
        }
        boolean follows = monitorInterval.isPresent();
        return source(
                new RecordFormat(
                        new RecordReader.Options(bytes, policy, recordStart.get(), follows)),
                bytes);
    }

    /**
     * Where the lines are; no byte of a file is read by this source. For operators that read files
     * themselves, on machines that have them.
     *
     * <p>A compressed file fails the job, as it cannot be read in ranges.
     *
     * @throws IllegalStateException with {@link #startOfRecord(String) records} of several lines
     */
    public Source<LineRange, ?, ?> ranges() {
        if (recordStart.isPresent()) {
            throw Errors.state(
                    "records of several lines are read by their source: startOfRecord='%s'; use"
                            + " chunks()",
                    recordStart.get().matcher().regex());
        }
        int bytes = chunkBytes.orElse(DEFAULT_RANGE_BYTES);
        return source(new LineRangeFormat(bytes, policy), bytes);
    }

    private <T> LineSource<T> source(LineFormat<T> format, int minBytes) {
        return new LineSource<>(
                files.emptyIsFine(monitorInterval.isPresent()),
                format,
                Math.min(minBytes, splitBytes),
                splitBytes,
                monitorInterval);
    }
}
