package io.flinkgpu.source;

import org.apache.flink.api.common.watermark.Watermark;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

import java.util.function.IntSupplier;

/**
 * Has Flink's reader of files ask for splits only when it has none, as it may be given several; and gives
 * it a queue so long that it is never full; {@link LineChunkFormat} limits what is in memory. A fetcher of
 * Flink 2.3 ends with a marker that it puts into the queue, and waits until that was taken out. If the
 * queue is full and a wake-up was left over from an added split, the marker is lost, the fetcher waits for
 * ever, and the job for {@code source.reader.close.timeout}, 30 s.
 */
final class FileReaderContext implements SourceReaderContext {

    private static final int QUEUE_CAPACITY = 1024;

    private final SourceReaderContext context;
    private final Configuration config;
    private IntSupplier unfinishedSplits = () -> 0;

    FileReaderContext(SourceReaderContext context) {
        this.context = context;
        this.config = new Configuration(context.getConfiguration());
        config.set(SourceReaderOptions.ELEMENT_QUEUE_CAPACITY, QUEUE_CAPACITY);
    }

    /** How many splits the reader has that it has not read to their ends. */
    void setUnfinishedSplits(IntSupplier unfinishedSplits) {
        this.unfinishedSplits = unfinishedSplits;
    }

    @Override
    public void sendSplitRequest() {
        if (unfinishedSplits.getAsInt() == 0) {
            context.sendSplitRequest();
        }
    }

    @Override
    public Configuration getConfiguration() {
        return config;
    }

    @Override
    public SourceReaderMetricGroup metricGroup() {
        return context.metricGroup();
    }

    @Override
    public String getLocalHostName() {
        return context.getLocalHostName();
    }

    @Override
    public int getIndexOfSubtask() {
        return context.getIndexOfSubtask();
    }

    @Override
    public void sendSourceEventToCoordinator(SourceEvent event) {
        context.sendSourceEventToCoordinator(event);
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
        return context.getUserCodeClassLoader();
    }

    @Override
    public int currentParallelism() {
        return context.currentParallelism();
    }

    @Override
    public void emitWatermark(Watermark watermark) {
        context.emitWatermark(watermark);
    }
}
