package io.flinkgpu.source;

import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a reader of files is told other than by Flink.
 *
 * <p>Covers: FileReaderContext, ChunkReader, NumberingContext.
 */
class FileReaderContextTest {

    /** As many chunks as there may be, and the ends of their splits and fetchers, fit in it. */
    @Test
    void theQueueIsLongAndAllElseIsAsConfigured() {
        FlinksContext flink = new FlinksContext();
        flink.config.set(SourceReaderOptions.ELEMENT_QUEUE_CAPACITY, 2);
        flink.config.set(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT, 7L);
        Configuration config = new FileReaderContext(flink).getConfiguration();
        assertThat(config.get(SourceReaderOptions.ELEMENT_QUEUE_CAPACITY))
                .isGreaterThan(100 * ChunkReader.MAX_CHUNKS);
        assertThat(config.get(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT)).isEqualTo(7L);
        assertThat(flink.config.get(SourceReaderOptions.ELEMENT_QUEUE_CAPACITY)).isEqualTo(2);
    }

    @Test
    void asksForSplitsOnlyWhenThereAreNone() {
        FlinksContext flink = new FlinksContext();
        FileReaderContext context = new FileReaderContext(flink);
        AtomicInteger unfinished = new AtomicInteger(2);
        context.setUnfinishedSplits(unfinished::get);
        context.sendSplitRequest();
        assertThat(flink.requests).isZero();
        unfinished.set(0);
        context.sendSplitRequest();
        assertThat(flink.requests).isEqualTo(1);
    }

    private static final class FlinksContext implements SourceReaderContext {

        private final Configuration config = new Configuration();
        private int requests;

        @Override
        public void sendSplitRequest() {
            requests++;
        }

        @Override
        public Configuration getConfiguration() {
            return config;
        }

        @Override
        public SourceReaderMetricGroup metricGroup() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String getLocalHostName() {
            return "localhost";
        }

        @Override
        public int getIndexOfSubtask() {
            return 0;
        }

        @Override
        public void sendSourceEventToCoordinator(SourceEvent event) {
            throw new UnsupportedOperationException();
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            throw new UnsupportedOperationException();
        }
    }
}
