package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.InstantiationUtil;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The key of hash rules is nowhere but in its file and in the operators that are open.
 *
 * <p>Covers: HashKey.
 */
class HashKeySecrecyTest {

    private static final String KEY = "Correct7Horse+Battery/Staple";
    private static final RuleSet RULES =
            RuleSet.of(Rule.of("id", "id[0-9]+", Action.hash("[", 16, "]")));

    @TempDir private Path folder;
    private HashKey key;
    private GpuOptions options;

    @BeforeEach
    void writeKey() throws IOException {
        key = HashKey.fromFile(Files.writeString(folder.resolve("place-of-the-key"), KEY));
        // A key that is kept once it was read would be serialized and printed from here on.
        assertThat(key.load()).asString(StandardCharsets.US_ASCII).isEqualTo(KEY);
        options = GpuOptions.DEFAULT.withBackend(BackendChoice.CPU).withHashKey(key);
    }

    @Test
    void texts() {
        assertHasPlaceOnly(key.toString());
        assertHasPlaceOnly(options.toString());
        assertHasNo(KEY, RULES.toString());
        assertHasNo(KEY, RULES.rules().toString());
        assertHasNo(KEY, RuleCompiler.compile(RULES).toString());
    }

    @Test
    void jobGraphAndPlan() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        SingleOutputStreamOperator<String> redacted = redact(env);
        redacted.sinkTo(new DiscardingSink<>());
        assertHasPlaceOnly(bytes(factory(redacted)));
        assertHasPlaceOnly(bytes(env.getStreamGraph(false).getJobGraph()));
        assertHasNo(KEY, env.getExecutionPlan());
    }

    @Test
    void logOfAnOperator() throws Exception {
        OneInputStreamOperatorTestHarness<String, String> harness = harness();
        CapturedLog log = CapturedLog.startNew();
        try {
            harness.open();
            harness.processElement(new StreamRecord<>("by id17"));
            harness.endInput();
            assertThat(harness.getOutput()).hasSize(1);
            assertThat(harness.extractOutputValues().get(0)).matches("by \\[[0-9a-f]{16}]");
        } finally {
            harness.close();
            log.detach();
        }
        assertThat(log.lines()).as("the log is captured").isNotEmpty();
        assertHasNo(KEY, String.join("\n", log.lines()));
    }

    @Test
    void errorsAndLogOfAKeyThatIsTooShort() throws Exception {
        String shortKey = KEY.substring(0, HashKey.MIN_BYTES - 1);
        Files.writeString(folder.resolve("place-of-the-key"), shortKey + "\n");
        Throwable error;
        OneInputStreamOperatorTestHarness<String, String> harness = harness();
        CapturedLog log = CapturedLog.startNew();
        try {
            error = catchThrowable(harness::open);
        } finally {
            harness.close();
            log.detach();
        }
        String trace = ExceptionUtils.stringifyException(error);
        assertThat(trace).contains("place-of-the-key", "has 15 bytes");
        assertHasNo(shortKey, trace);
        assertHasNo(shortKey, String.join("\n", log.lines()));
    }

    private OneInputStreamOperatorTestHarness<String, String> harness() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        OneInputStreamOperatorTestHarness<String, String> harness =
                new OneInputStreamOperatorTestHarness<>(
                        factory(redact(env)), StringSerializer.INSTANCE);
        harness.setup(StringSerializer.INSTANCE);
        return harness;
    }

    private SingleOutputStreamOperator<String> redact(StreamExecutionEnvironment env) {
        return GpuStreams.redact(
                env.fromData("x"), text -> text, (record, text) -> text, RULES, options);
    }

    @SuppressWarnings("unchecked") // The stream was made with this type.
    private static OneInputStreamOperatorFactory<String, String> factory(
            SingleOutputStreamOperator<String> stream) {
        return (OneInputStreamOperatorFactory<String, String>)
                ((OneInputTransformation<String, String>) stream.getTransformation())
                        .getOperatorFactory();
    }

    private static String bytes(Object object) throws IOException {
        return new String(InstantiationUtil.serializeObject(object), StandardCharsets.ISO_8859_1);
    }

    /** The place shows that the text would have the key if the key went with it. */
    private static void assertHasPlaceOnly(String text) {
        assertThat(text).contains("place-of-the-key");
        assertHasNo(KEY, text);
    }

    private static void assertHasNo(String key, String text) {
        byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
        String list = Arrays.toString(bytes);
        assertThat(text)
                .doesNotContain(
                        key,
                        Base64.getEncoder().withoutPadding().encodeToString(bytes),
                        list.substring(1, list.length() - 1))
                .doesNotContainIgnoringCase(HexFormat.of().formatHex(bytes));
    }
}
