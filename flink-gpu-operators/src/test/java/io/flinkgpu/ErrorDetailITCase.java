package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.TextFields;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.MalformedLine;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.FailingJobs;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.testkit.Clusters.list;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that fail because of a record say nothing of what is in it, unless asked to.
 *
 * <p>Covers: ErrorDetail.
 */
@Timeout(300)
class ErrorDetailITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final String SECRET = "hunter2secret";
    private static final String DIGITS = "411198765432101";
    private static final String LINE = "x|" + SECRET + DIGITS;
    private static final RuleSet RULES =
            RuleSet.of(Rule.of("digits", "[0-9]+", Action.label("[X]")));
    private static final Pattern HASH = Pattern.compile("hash ([0-9a-f]{12})\\)");
    private static final OutputTag<DeadLetter<String>> DEAD =
            new OutputTag<>("dead", TypeInformation.of(new TypeHint<DeadLetter<String>>() {}));
    private static final OutputTag<MalformedLine> MALFORMED =
            new OutputTag<>("malformed", TypeInformation.of(MalformedLine.class));

    /** A way in which a job fails on the record {@link #LINE}. */
    private enum Failure {
        REDACT_GETTER {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return GpuStreams.redact(
                        in, ErrorDetailITCase::thrown, (record, text) -> text, RULES, options);
            }
        },
        REDACT_SETTER {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return GpuStreams.redact(
                        in, record -> record, (record, text) -> thrown(record), RULES, options);
            }
        },
        REDACT_SETTER_THAT_SETS_NOTHING {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return GpuStreams.redact(
                        in, record -> record, (record, text) -> record, RULES, options);
            }
        },
        REDACT_FIELDS {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                TextFields<String> fields =
                        TextFields.<String>empty()
                                .text("first", record -> record, (record, text) -> text)
                                .text("second", record -> record, (record, text) -> LINE);
                return GpuStreams.redact(in, fields, RULES, options);
            }
        },
        TRANSFORM_GETTER {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                Columns<String> columns =
                        Columns.<String>empty().text("c", ErrorDetailITCase::thrown);
                return GpuStreams.on(in).withOptions(options).transform(columns, col("c").upper());
            }
        },
        TRANSFORM_GETTER_OF_A_BATCH {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                Columns<String> columns =
                        Columns.<String>empty().text("c", ErrorDetailITCase::thrown);
                return GpuStreams.on(in)
                        .withOptions(options)
                        .transform(columns, col("c").redact(RULES));
            }
        },
        TRANSFORM_VALUE {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                Columns<String> columns =
                        Columns.<String>empty().column("c", ColumnType.LONG, record -> record);
                return GpuStreams.on(in)
                        .withOptions(options)
                        .transform(columns, longCol("c").lessThan(5));
            }
        },
        TRANSFORM_MAPPER {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                Columns<String> columns =
                        Columns.<String>empty().text("c", (String record) -> record);
                return GpuStreams.on(in)
                        .withOptions(options)
                        .transform(
                                columns,
                                List.of(col("c").upper()),
                                (record, row) -> thrown(record),
                                Types.STRING);
            }
        },
        KEY {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return tumbling(in, options, ErrorDetailITCase::thrown).aggregate(count());
            }
        },
        TIMESTAMP {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return tumbling(untimed(in), options, record -> record).aggregate(count());
            }
        },
        VALUE_GETTER {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return tumbling(in, options, record -> record)
                        .aggregate(
                                Aggregates.of((String record) -> Long.parseLong(record))
                                        .named("n")
                                        .sum());
            }
        },
        VALUE_OF_TOO_MANY_DIGITS {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return tumbling(in, options, record -> record).aggregate(decimals());
            }
        },
        VALUE_IN_SESSIONS {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return GpuStreams.on(in)
                        .withOptions(options)
                        .keyBy(record -> record)
                        .window(EventTimeSessionWindows.withGap(Duration.ofSeconds(1)))
                        .aggregate(decimals());
            }
        },
        VALUE_WITHOUT_LOCAL_AGGREGATION {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return tumbling(in, options, record -> record)
                        .localAggregation(false)
                        .flinkState(true)
                        .aggregate(decimals());
            }
        },
        RUNNING_VALUE {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return GpuStreams.on(in)
                        .withOptions(options)
                        .keyBy(record -> record)
                        .every(Duration.ofSeconds(1))
                        .aggregate(decimals());
            }
        },
        SUM {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return tumbling(in, options, record -> record)
                        .aggregate(
                                Aggregates.of(
                                                (String record) ->
                                                        Long.MAX_VALUE - Long.parseLong(DIGITS))
                                        .sum());
            }
        },
        WINDOW_MAPPER {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                return tumbling(in, options, record -> record)
                        .aggregate(count(), result -> thrown(result.key()), Types.STRING);
            }
        },
        FLINK_OPERATOR {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                ExactAggregate<String> exact = new ExactAggregate<>(decimals());
                return in.keyBy(record -> record)
                        .window(TumblingEventTimeWindows.of(Duration.ofSeconds(1)))
                        .aggregate(
                                exact,
                                exact.toResult(),
                                exact.accumulatorType(),
                                exact.resultType(Types.STRING));
            }
        },
        LINE_OF_TOO_FEW_FIELDS {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                Delimited format = Delimited.of(';').string("a").string("b");
                return lines(in, format, options).rows();
            }
        },
        LINE_OF_TOO_MANY_FIELDS {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                Delimited format = Delimited.of('|').string("a");
                return lines(in, format, options).rows();
            }
        },
        LINE_WITH_A_BAD_NUMBER {
            @Override
            DataStream<?> job(DataStream<String> in, GpuOptions options) {
                Delimited format = Delimited.of('|').string("a").longNumber("n");
                return lines(in, format, options)
                        .keyBy("a")
                        .window(GlobalWindows.createWithEndOfStreamTrigger())
                        .aggregate(Aggregates.ofField("n").sum());
            }
        };

        abstract DataStream<?> job(DataStream<String> in, GpuOptions options);
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void nothingOfARecordIsInErrorsOrLogs(Failure failure) throws Exception {
        CapturedLog log = CapturedLog.startNew();
        Throwable thrown;
        try {
            thrown = fail(failure, GpuOptions.DEFAULT);
        } finally {
            log.detach();
        }
        String all = ExceptionUtils.stringifyException(thrown);
        assertThat(all)
                .as("the job failed of it")
                .containsPattern("hidden|the getter must read|a sum of|longs are");
        assertNothing(all);
        assertThat(log.lines()).isNotEmpty();
        assertNothing(String.join("\n", log.lines()));
    }

    @ParameterizedTest
    @EnumSource(
            value = Failure.class,
            names = {"REDACT_GETTER", "VALUE_GETTER", "TIMESTAMP", "LINE_WITH_A_BAD_NUMBER"})
    void everythingIsThereForThoseWhoAsk(Failure failure) throws Exception {
        Throwable thrown = fail(failure, GpuOptions.DEFAULT.withErrorDetail(ErrorDetail.FULL));
        assertThat(ExceptionUtils.stringifyException(thrown))
                .contains(SECRET)
                .doesNotContain("hidden");
    }

    @Test
    void theSameValueIsRecognisedInOneJobOnly() throws Exception {
        GpuOptions hashed = GpuOptions.DEFAULT.withErrorDetail(ErrorDetail.HASHED);
        String first = hash(fail(Failure.TIMESTAMP, hashed));
        assertThat(hash(fail(Failure.VALUE_OF_TOO_MANY_DIGITS, hashed))).isEqualTo(first);
        GpuOptions other = GpuOptions.DEFAULT.withErrorDetail(ErrorDetail.HASHED);
        assertThat(hash(fail(Failure.TIMESTAMP, other))).isNotEqualTo(first);
    }

    @Test
    void lettersAndResultsDoNotPrintWhatIsInThem() throws Exception {
        StreamExecutionEnvironment env = environment();
        SingleOutputStreamOperator<WindowResult<String>> results =
                tumbling(records(env), options(GpuOptions.DEFAULT), record -> record)
                        .deadLetters(DEAD)
                        .aggregate(decimals());
        List<DeadLetter<String>> letters = list(results.getSideOutput(DEAD));
        assertThat(letters).hasSize(2);
        assertThat(letters.get(0).record()).contains(SECRET);
        assertNothing(letters.toString());
        assertNothing(letters.get(0).reason());
        env = environment();
        List<WindowResult<String>> sums =
                list(
                        tumbling(records(env), options(GpuOptions.DEFAULT), record -> record)
                                .aggregate(
                                        Aggregates.of((String record) -> Long.parseLong(DIGITS))
                                                .sum()));
        assertThat(sums.get(0).key()).contains(SECRET);
        assertThat(sums.get(0).values().getLong("sum")).isEqualTo(2 * Long.parseLong(DIGITS));
        assertNothing(sums.toString());
        assertNothing(sums.get(0).values().toString());
        env = environment();
        List<MalformedLine> malformed =
                list(
                        lines(
                                        records(env),
                                        Delimited.of('|').string("a").longNumber("n"),
                                        options(GpuOptions.DEFAULT))
                                .malformed(MALFORMED)
                                .rows()
                                .getSideOutput(MALFORMED));
        assertThat(malformed).hasSize(2);
        assertNothing(malformed.toString());
        assertNothing(malformed.get(0).reason());
        assertNothing(chunk(LINE).toString());
    }

    private static Throwable fail(Failure failure, GpuOptions options) {
        return FailingJobs.failure(() -> failure.job(records(environment()), options(options)));
    }

    private static String hash(Throwable thrown) {
        String all = ExceptionUtils.stringifyException(thrown);
        assertNothing(all);
        Matcher matcher = HASH.matcher(all.substring(all.indexOf("key=(hidden: ")));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private static void assertNothing(String text) {
        assertThat(text).doesNotContain(SECRET, DIGITS, DIGITS.substring(4), SECRET.substring(1));
    }

    private static GpuOptions options(GpuOptions options) {
        return options.withBackend(BackendChoice.CPU);
    }

    private static StreamExecutionEnvironment environment() {
        Configuration config = new Configuration();
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        return StreamExecutionEnvironment.getExecutionEnvironment(config).setParallelism(1);
    }

    /** Two, so that a sum of them may not fit. */
    private static DataStream<String> records(StreamExecutionEnvironment env) {
        return env.fromSequence(0, 1)
                .map(number -> LINE)
                .returns(Types.STRING)
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<String>noWatermarks()
                                .withTimestampAssigner((record, timestamp) -> 1));
    }

    private static DataStream<String> untimed(DataStream<String> in) {
        return in.assignTimestampsAndWatermarks(
                WatermarkStrategy.<String>noWatermarks()
                        .withTimestampAssigner((record, timestamp) -> Long.MIN_VALUE));
    }

    private static WindowedGpuStream<String, String> tumbling(
            DataStream<String> in, GpuOptions options, KeySelector<String, String> selector) {
        return GpuStreams.on(in)
                .withOptions(options)
                .keyBy(selector, Types.STRING)
                .window(TumblingEventTimeWindows.of(Duration.ofSeconds(1)));
    }

    private static LineStream lines(DataStream<String> in, Delimited format, GpuOptions options) {
        DataStream<LineChunk> chunks =
                in.map(ErrorDetailITCase::chunk).returns(TypeInformation.of(LineChunk.class));
        return GpuStreams.lines(chunks, format).withOptions(options);
    }

    private static LineChunk chunk(String line) {
        return new LineChunk("f", 0, (line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static Aggregates<String> count() {
        return Aggregates.of((String record) -> 1L).count();
    }

    private static Aggregates<String> decimals() {
        return Aggregates.of((String record) -> new BigDecimal(DIGITS), ColumnType.decimal(6, 2))
                .named("price")
                .sum();
    }

    private static String thrown(String record) {
        throw new NumberFormatException("For input string: \"" + record + "\"");
    }
}
