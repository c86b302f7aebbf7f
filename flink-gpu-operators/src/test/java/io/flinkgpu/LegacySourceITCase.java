package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Redaction behind a source that emits on a thread of its own, as a text socket does.
 *
 * <p>Covers: GpuStreams.
 */
@Timeout(120)
class LegacySourceITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = new MiniClusterExtension();

    private static final RuleSet RULES =
            RuleSet.of(Rule.of("secret", "secret", Action.label("[X]")));
    private static final int RECORDS = 1000;

    @Test
    @SuppressWarnings("deprecation") // Legacy sources are what is tested.
    void redactsInOrder() throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment().setParallelism(1);
        DataStream<String> texts = env.addSource(new Secrets(), "secrets", Types.STRING);
        // Every row is a batch, so that the operator has to wait for the backend.
        GpuOptions options =
                GpuOptions.DEFAULT
                        .withBackend(BackendChoice.CPU)
                        .withBatchPolicy(new BatchPolicy(1, 4096, Duration.ofMillis(20)));
        List<String> redacted =
                GpuStreams.redact(texts, text -> text, (record, text) -> text, RULES, options)
                        .executeAndCollect(RECORDS);
        assertThat(redacted)
                .isEqualTo(IntStream.range(0, RECORDS).mapToObj(i -> "[X] " + i).toList());
    }

    @SuppressWarnings("deprecation") // Legacy sources are what is tested.
    private static final class Secrets implements SourceFunction<String> {

        private static final long serialVersionUID = 1L;

        @Override
        public void run(SourceContext<String> context) {
            for (int i = 0; i < RECORDS; i++) {
                synchronized (context.getCheckpointLock()) {
                    context.collect("secret " + i);
                }
            }
        }

        @Override
        public void cancel() {}
    }
}
