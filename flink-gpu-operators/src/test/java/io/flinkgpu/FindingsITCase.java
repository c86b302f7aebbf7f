package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.Finding;
import io.flinkgpu.api.Form;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;
import io.flinkgpu.api.TextFields;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

import static io.flinkgpu.testkit.Clusters.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Findings of records and of lines of files, and forms and fields in a job.
 *
 * <p>Covers: Finding.
 */
class FindingsITCase {

    private static final OutputTag<Finding> FOUND = new OutputTag<>("found") {};
    private static final RuleSet RULES =
            RuleSet.of(
                            Rule.of("secret", "secret\\d+", Action.label("[S]")),
                            Rule.of("mail", "\\w+@\\w+", Action.label("[M]")))
                    .withForms(Form.PERCENT);
    private static final String KEY = "0123456789abcdef0123";

    @TempDir java.nio.file.Path directory;

    private GpuOptions options;

    /** Two texts. */
    record Pair(String a, String b) implements Serializable {

        Pair withA(String text) {
            return new Pair(text, b);
        }

        Pair withB(String text) {
            return new Pair(a, text);
        }
    }

    private static final TextFields<Pair> FIELDS =
            TextFields.<Pair>empty()
                    .text("a", Pair::a, Pair::withA)
                    .text("b", Pair::b, Pair::withB);

    @BeforeEach
    void writeKey() throws Exception {
        java.nio.file.Path key = Files.writeString(directory.resolve("key"), KEY);
        options =
                GpuOptions.DEFAULT
                        .withBackend(BackendChoice.CPU)
                        .withHashKey(HashKey.fromFile(key))
                        .withBatchPolicy(new BatchPolicy(3, 1 << 12, Duration.ofMillis(20)));
    }

    /** The rules, and so many more that they are several automata. */
    private static RuleSet many(RuleSet rules) {
        List<Rule> many = new ArrayList<>(rules.rules());
        for (int rule = 0; rule < 300; rule++) {
            many.add(Rule.of("r" + rule, "token" + rule + "x", Action.label("T")));
        }
        RuleSet all = RuleSet.of(many).withForms(rules.forms());
        return rules.structure().map(all::withStructure).orElse(all);
    }

    @Test
    void ofFieldsOfRecords() throws Exception {
        assertFindingsOfFields(RULES);
        assertFindingsOfFields(many(RULES));
    }

    private void assertFindingsOfFields(RuleSet rules) throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment().setParallelism(1);
        DataStream<Pair> pairs =
                env.fromData(
                        TypeInformation.of(Pair.class),
                        new Pair("nothing", "é secret1 secret22"),
                        new Pair("x", "y"),
                        new Pair("a%40b", "secret1"));
        SingleOutputStreamOperator<Pair> redacted =
                GpuStreams.redact(
                        pairs, FIELDS, rules, options, RedactionOutputs.none().findings(FOUND));
        List<Finding> findings = list(redacted.getSideOutput(FOUND));
        assertThat(findings)
                .extracting(
                        Finding::rule,
                        Finding::source,
                        Finding::record,
                        Finding::offsetBytes,
                        Finding::lengthBytes,
                        Finding::hash)
                .containsExactly(
                        tuple("secret", "b", 1L, 3, 7, hash("secret1")),
                        tuple("secret", "b", 1L, 11, 8, hash("secret22")),
                        tuple("mail", "a", 3L, 0, 5, hash("a@b")),
                        tuple("secret", "b", 3L, 0, 7, hash("secret1")));
        assertThat(findings.toString()).doesNotContain("secret1").doesNotContain("secret22");
    }

    @Test
    void ofLinesOfFiles() throws Exception {
        StringBuilder text = new StringBuilder();
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            if (i % 7 == 0) {
                expected.add((long) text.length());
            }
            text.append("line ").append(i).append(i % 7 == 0 ? " secret" + i : "").append('\n');
        }
        java.nio.file.Path file = Files.writeString(directory.resolve("x.log"), text);
        for (boolean chunks : new boolean[] {false, true}) {
            StreamExecutionEnvironment env =
                    StreamExecutionEnvironment.getExecutionEnvironment().setParallelism(1);
            LineFiles files = LineFiles.of(Path.fromLocalFile(file.toFile()));
            RedactionOutputs outputs = RedactionOutputs.none().findings(FOUND);
            SingleOutputStreamOperator<LineChunk> redacted =
                    chunks
                            ? GpuStreams.redact(
                                    env.fromSource(
                                            files.chunks(), WatermarkStrategy.noWatermarks(), "f"),
                                    RULES,
                                    options,
                                    outputs)
                            : GpuStreams.redactLines(
                                    env.fromSource(
                                            files.ranges(), WatermarkStrategy.noWatermarks(), "f"),
                                    many(RULES),
                                    options,
                                    outputs);
            List<Finding> findings = list(redacted.getSideOutput(FOUND));
            findings.sort(Comparator.comparingLong(Finding::record));
            assertThat(findings).extracting(Finding::record).isEqualTo(expected);
            assertThat(findings).allMatch(it -> it.source().endsWith("x.log"));
            assertThat(findings.get(2).offsetBytes()).isEqualTo("line 14 ".length());
        }
    }

    @Test
    void aSampleOfRecords() throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment().setParallelism(1);
        DataStream<String> texts =
                env.fromSequence(1, 100).map(i -> "secret" + i + " secret0").returns(String.class);
        SingleOutputStreamOperator<String> redacted =
                GpuStreams.redact(
                        texts,
                        TextFields.<String>empty().text("t", t -> t, (t, text) -> text),
                        RULES,
                        options,
                        RedactionOutputs.none().findings(FOUND, 10));
        assertThat(list(redacted.getSideOutput(FOUND))).hasSize(20);
    }

    @Test
    void formsAndFieldsInAJob() throws Exception {
        RuleSet rules =
                RuleSet.of(
                                Rule.of("mail", "\\w+@\\w+", Action.label("[M]")),
                                Rule.of("u", ".+", Action.label("[U]")))
                        .withForms(Form.PERCENT)
                        .withStructure(Structure.json().bind("u", "u"));
        for (RuleSet each : List.of(rules, many(rules))) {
            DataStream<String> texts =
                    StreamExecutionEnvironment.getExecutionEnvironment()
                            .setParallelism(1)
                            .fromData(
                                    "{\"a\":\"b%40c\",\"d\":1}",
                                    "no json b%40c", "{\"u\":\"x\"}", "x");
            assertThat(list(GpuStreams.redact(texts, t -> t, (t, text) -> text, each, options)))
                    .containsExactly("{\"a\":\"[M]\",\"d\":1}", "[U]", "{\"u\":\"[U]\"}", "[U]");
        }
    }

    @Test
    void aKeyIsNeeded() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        assertThatThrownBy(
                        () ->
                                GpuStreams.redact(
                                        env.fromData(new Pair("a", "b")),
                                        FIELDS,
                                        RULES,
                                        GpuOptions.DEFAULT,
                                        RedactionOutputs.none().findings(FOUND)))
                .hasMessageContaining("an output of findings needs a key: findings=found");
    }

    private static String hash(String text) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] all = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(all).substring(0, 32);
    }
}
