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
import java.util.Collection;
import java.util.List;
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
                        .setSplitAssigner(splits -> queue(splits, readers));
        if (monitorInterval != null) {
            builder.monitorContinuously(monitorInterval);
        }
        return builder.build();
    }

    private SplitQueue queue(Collection<FileSourceSplit> splits, int readers) {
        return new SplitQueue(
                splits, readers, minSplitBytes, maxSplitBytes, format.recordStart() == null);
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
        return new ConfirmingEnumerator(
                context, null, minSplitBytes, (numbering, none) -> begin(numbering));
    }

    private SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>> begin(
            SplitEnumeratorContext<FileSourceSplit> context) {
        if (monitorInterval == null) {
            return fileSource(context.currentParallelism()).createEnumerator(context);
        }
        FollowingEnumerator enumerator = following(context, Optional.empty());
        try {
            enumerator.listFirst();
        } catch (IOException e) {
            throw cannotList(e);
        }
        return enumerator;
    }

    @Override
    public SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>>
            restoreEnumerator(
                    SplitEnumeratorContext<FileSourceSplit> context,
                    PendingSplitsCheckpoint<FileSourceSplit> checkpoint) {
        return new ConfirmingEnumerator(context, checkpoint, minSplitBytes, this::restore);
    }

    private SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>> restore(
            SplitEnumeratorContext<FileSourceSplit> context,
            PendingSplitsCheckpoint<FileSourceSplit> checkpoint) {
        return monitorInterval == null
                ? fileSource(context.currentParallelism())
                        .restoreEnumerator(
                                context,
                                PendingSplitsCheckpoint.fromCollectionSnapshot(
                                        FollowingEnumerator.withoutMarkers(checkpoint.getSplits()),
                                        checkpoint.getAlreadyProcessedPaths()))
                : following(context, Optional.of(checkpoint));
    }

    private FollowingEnumerator following(
            SplitEnumeratorContext<FileSourceSplit> context,
            Optional<PendingSplitsCheckpoint<FileSourceSplit>> checkpoint) {
        return new FollowingEnumerator(
                context,
                files,
                new FileFollower(format.recordStart()),
                monitorInterval,
                queue(List.of(), context.currentParallelism()),
                checkpoint);
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
            SplitQueue splits = queue(files.enumerateSplits(files.paths(), most), most);
            return Math.max(1, Math.min(splits.remainingSplits().size(), most));
        } catch (IOException e) {
            throw cannotList(e);
        }
    }

    private UncheckedIOException cannotList(IOException cause) {
        return new UncheckedIOException(
                "cannot list the files of a source: inputs="
                        + Arrays.toString(files.paths())
                        + "; make them readable where the JobManager runs: "
                        + cause.getMessage(),
                cause);
    }
}
