package io.flinkgpu.source;

import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a reader of files is told other than by Flink. */
class LongQueueContextTest {

    /** As many chunks as there may be, and the ends of their splits and fetchers, fit in it. */
    @Test
    void theQueueIsLongAndAllElseIsAsConfigured() {
        FlinksContext flink = new FlinksContext();
        flink.config.set(SourceReaderOptions.ELEMENT_QUEUE_CAPACITY, 2);
        flink.config.set(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT, 7L);
        Configuration config = new LongQueueContext(flink).getConfiguration();
        assertThat(config.get(SourceReaderOptions.ELEMENT_QUEUE_CAPACITY))
                .isGreaterThan(100 * ChunkReader.MAX_CHUNKS);
        assertThat(config.get(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT)).isEqualTo(7L);
        assertThat(flink.config.get(SourceReaderOptions.ELEMENT_QUEUE_CAPACITY)).isEqualTo(2);
    }

    private static final class FlinksContext implements SourceReaderContext {

        private final Configuration config = new Configuration();

        @Override
        public void sendSplitRequest() {
            throw new UnsupportedOperationException();
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
