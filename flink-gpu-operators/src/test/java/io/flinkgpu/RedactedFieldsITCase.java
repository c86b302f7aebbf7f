package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.TextFields;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static io.flinkgpu.testkit.Clusters.list;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several fields of a record, redacted on a cluster in this process that fails once.
 *
 * <p>Covers: TextFields.
 */
@Timeout(300)
class RedactedFieldsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int RECORDS = 5_000;
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT
                    .withBackend(BackendChoice.CPU)
                    .withBatchPolicy(new BatchPolicy(100, 4096, Duration.ofMillis(20)));
    private static final RuleSet RULES =
            RuleSet.of(Rule.of("word", "secret[0-9]*", Action.label("[X]")));
    private static final TextFields<Log> FIELDS =
            TextFields.<Log>empty()
                    .text("message", Log::message, Log::withMessage)
                    .text("exception", Log::exception, Log::withException)
                    .text("context", Log::context, Log::withContext);

    /** Public, as Flink's serializer asks of records. */
    public record Log(long number, String message, String exception, String context) {

        static Log of(long number) {
            return new Log(
                    number,
                    "message " + (number % 2 == 0 ? "secret" + number : number),
                    number % 3 == 0 ? null : "exception secret" + number % 5 + ".",
                    number % 7 == 0 ? "secret" : "none");
        }

        static Log redacted(long number) {
            Log log = of(number);
            return new Log(
                    number, redacted(log.message), redacted(log.exception), redacted(log.context));
        }

        private static String redacted(String text) {
            return text == null ? null : text.replaceAll("secret[0-9]*", "[X]");
        }

        Log withMessage(String text) {
            return new Log(number, text, exception, context);
        }

        Log withException(String text) {
            return new Log(number, message, text, context);
        }

        Log withContext(String text) {
            return new Log(number, message, exception, text);
        }
    }

    @BeforeEach
    void forgetTheFailure() {
        FailsOnce.FAILED.set(false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void afterAFailureTheSameRecords(boolean objectReuse) throws Exception {
        Configuration config = FailsOnce.restarting(Duration.ofMillis(100), false);
        config.set(PipelineOptions.OBJECT_REUSE, objectReuse);
        config.set(PipelineOptions.GENERIC_TYPES, false);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(config).setParallelism(1);
        TypeInformation<Log> type = TypeInformation.of(Log.class);
        DataStream<Log> logs = env.fromSequence(0, RECORDS - 1).map(Log::of).returns(type);
        DataStream<Log> redacted =
                GpuStreams.redact(logs.rebalance(), FIELDS, RULES, OPTIONS)
                        .rebalance()
                        .map(new FailsOnce<>(50, RECORDS / 2))
                        .returns(type);
        List<Log> expected = new ArrayList<>();
        for (long number = 0; number < RECORDS; number++) {
            expected.add(Log.redacted(number));
        }
        // The collecting sink gives records of completed checkpoints only, so none twice.
        assertThat(list(redacted)).isEqualTo(expected);
        assertThat(FailsOnce.FAILED).isTrue();
    }
}
