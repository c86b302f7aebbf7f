package io.flinkgpu.source;

import io.flinkgpu.files.FileReports;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.DynamicParallelismInference;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.base.source.reader.SourceReaderBase;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.PendingSplitsCheckpoint;
import org.apache.flink.core.io.SimpleVersionedSerializer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Flink's {@link FileSource} with our listing, splits and readers. It is a class of its own for what the
 * builder of {@code FileSource} has no place for: splits are cut by the number of readers, readers have
 * a longer queue ({@link FileReaderContext}), small splits are given out several at a time, and all are
 * confirmed ({@link ConfirmingEnumerator}).
 */
final class LineSource<T>
        implements Source<T, FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>>,
                ResultTypeQueryable<T>,
                DynamicParallelismInference {

    private static final long serialVersionUID = 1L;

    private final FileLister files;
    private final LineFormat<T> format;
    private final long minSplitBytes;
    private final long maxSplitBytes;
    private final Duration monitorInterval;

    LineSource(
            FileLister files,
            LineFormat<T> format,
            long minSplitBytes,
            long maxSplitBytes,
            Optional<Duration> monitorInterval) {
        this.files = files;
        this.format = format;
        this.minSplitBytes = minSplitBytes;
        this.maxSplitBytes = maxSplitBytes;
        this.monitorInterval = monitorInterval.orElse(null);
    }

    private FileSource<T> fileSource(int readers) {
        return fileSource(readers, format);
    }

    private FileSource<T> fileSource(int readers, LineFormat<T> used) {
        FileSource.FileSourceBuilder<T> builder =
                FileSource.forBulkFileFormat(used, files.paths())
                        .setFileEnumerator(() -> files)
                        .setSplitAssigner(
                                splits ->
                                        new SplitQueue(
                                                splits, readers, minSplitBytes, maxSplitBytes));
        if (monitorInterval != null) {
            builder.monitorContinuously(monitorInterval);
        }
        return builder.build();
    }

    @Override
    public Boundedness getBoundedness() {
        return fileSource(1).getBoundedness();
    }

    @Override
    public SourceReader<T, FileSourceSplit> createReader(SourceReaderContext context) {
        FileReaderContext files = new FileReaderContext(context);
        LineFormat<T> reporting = format.reporting(FileReports.of(context.metricGroup()));
        SourceReader<T, FileSourceSplit> reader = fileSource(1, reporting).createReader(files);
        files.setUnfinishedSplits(
                ((SourceReaderBase<?, ?, ?, ?>) reader)::getNumberOfCurrentlyAssignedSplits);
        return new ConfirmingReader<>(reader, context);
    }

    @Override
    public SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>>
            createEnumerator(SplitEnumeratorContext<FileSourceSplit> context) {
        FileSource<T> source = fileSource(context.currentParallelism());
        return new ConfirmingEnumerator(
                context,
                null,
                minSplitBytes,
                (numbering, none) -> source.createEnumerator(numbering));
    }

    @Override
    public SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>>
            restoreEnumerator(
                    SplitEnumeratorContext<FileSourceSplit> context,
                    PendingSplitsCheckpoint<FileSourceSplit> checkpoint) {
        return new ConfirmingEnumerator(
                context,
                checkpoint,
                minSplitBytes,
                fileSource(context.currentParallelism())::restoreEnumerator);
    }

    @Override
    public SimpleVersionedSerializer<FileSourceSplit> getSplitSerializer() {
        return fileSource(1).getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<PendingSplitsCheckpoint<FileSourceSplit>>
            getEnumeratorCheckpointSerializer() {
        return fileSource(1).getEnumeratorCheckpointSerializer();
    }

    @Override
    public TypeInformation<T> getProducedType() {
        return format.getProducedType();
    }

    @Override
    public int inferParallelism(Context context) {
        int most = context.getParallelismInferenceUpperBound();
        try {
            SplitQueue splits =
                    new SplitQueue(
                            files.enumerateSplits(files.paths(), most),
                            most,
                            minSplitBytes,
                            maxSplitBytes);
            return Math.max(1, Math.min(splits.remainingSplits().size(), most));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot list the files of a source: inputs="
                            + Arrays.toString(files.paths())
                            + "; make them readable where the JobManager runs: "
                            + e.getMessage(),
                    e);
        }
    }
}
