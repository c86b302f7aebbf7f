package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.TextFields;
import io.flinkgpu.api.TextGetter;
import io.flinkgpu.api.TextSetter;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expressions;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What is checked while the job is built.
 *
 * <p>Covers: GpuStreams.
 */
class GpuStreamsTest {

    private static final RuleSet RULES = RuleSet.of(Rule.of("word", "secret", Action.label("X")));
    private static final RuleSet HASHED =
            RuleSet.of(Rule.of("id", "id[0-9]+", Action.hash("h:", 16, "")));

    private final StreamExecutionEnvironment env =
            StreamExecutionEnvironment.getExecutionEnvironment();

    @Test
    void keepsTheType() {
        assertThat(redact(RULES, GpuOptions.DEFAULT).getType()).isEqualTo(Types.STRING);
        DataStream<LineChunk> chunks = env.fromData(new LineChunk("f", 0, new byte[] {'\n'}));
        assertThat(GpuStreams.redact(chunks, RULES, GpuOptions.DEFAULT).getType())
                .isEqualTo(chunks.getType());
    }

    @Test
    void aHashRuleNeedsAKey() {
        assertThatThrownBy(() -> redact(HASHED, GpuOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a rule with a hash action needs a key: rule='id'; set one with"
                                + " GpuOptions.withHashKey(HashKey.fromFile(...))");
    }

    @Test
    void theKeyIsNotReadWhileTheJobIsBuilt() {
        HashKey absent = HashKey.fromFile(Path.of("no such file"));
        assertThat(redact(HASHED, GpuOptions.DEFAULT.withHashKey(absent))).isNotNull();
    }

    @Test
    void rulesAreCompiledWhileTheJobIsBuilt() {
        RuleSet reference = RuleSet.of(Rule.of("bad", "(a)\\1", Action.drop()));
        assertThatThrownBy(() -> redact(reference, GpuOptions.DEFAULT))
                .isInstanceOf(RuleException.class)
                .hasMessageContaining("bad");
    }

    @Test
    void rulesThatNeverMatchAreRefusedUnlessAllowed() {
        RuleSet shadowed =
                RuleSet.of(
                        Rule.of("all", "a+", Action.label("X")),
                        Rule.of("never", "aa", Action.label("Y")),
                        Rule.of("surrogate", "\\ud800", Action.label("Z")));
        String never =
                "it can never match: no text does, or an earlier rule always matches first; correct"
                        + " or remove it. Regex: ";
        assertThatThrownBy(() -> redact(shadowed, GpuOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        RuleException.class,
                        e ->
                                assertThat(e.errors())
                                        .containsExactly(
                                                "Redaction rule 'never' (#2): " + never + "aa",
                                                "Redaction rule 'surrogate' (#3): "
                                                        + never
                                                        + "\\ud800",
                                                "Rules that never match protect nothing: if that is"
                                                        + " meant, allow it with"
                                                        + " RuleSet.allowUnmatchable(), or in YAML"
                                                        + " with 'unmatchable: allow'"));
        assertThatThrownBy(
                        () ->
                                GpuStreams.on(env.fromData("x"))
                                        .transform(
                                                Columns.<String>empty().text("t", text -> text),
                                                Expressions.col("t").redact(shadowed)))
                .isInstanceOf(RuleException.class);
        assertThat(redact(shadowed.allowUnmatchable(), GpuOptions.DEFAULT)).isNotNull();
    }

    @Test
    void theMemoryLimitHoldsTheBatches() {
        GpuOptions small =
                GpuOptions.DEFAULT
                        .withMemoryLimitBytes(16 << 20)
                        .withBatchPolicy(BatchPolicy.DEFAULT.withMaxBytes(64 << 20));
        assertThatThrownBy(() -> redact(RULES, small))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memoryLimitBytes=16777216, needed=")
                .hasMessageContaining("raise the limit or lower the batch policy");
    }

    @Test
    void functionsAreSerializable() {
        Object notSerializable = new Object();
        assertThatThrownBy(
                        () ->
                                GpuStreams.redact(
                                        env.fromData("x"),
                                        text -> text + notSerializable,
                                        (record, text) -> text,
                                        RULES,
                                        GpuOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("getter=");
    }

    @Test
    void severalFieldsHaveNamesOfTheirOwn() {
        TextFields<String> text =
                TextFields.<String>empty().text("text", value -> value, (value, set) -> set);
        assertThat(redact(text).getType()).isEqualTo(Types.STRING);
        assertThatThrownBy(() -> text.text("text", value -> value, (value, set) -> set))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("two fields must not have one name: field='text'; rename one of them");
        assertThatThrownBy(() -> text.text(" ", value -> value, (value, set) -> set))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a field needs a name: name=' '");
        assertThatThrownBy(() -> redact(TextFields.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a redaction needs a field: fields=[]; add one with TextFields.text(..)");
        Object notSerializable = new Object();
        assertThatThrownBy(
                        () ->
                                redact(
                                        text.text(
                                                "other",
                                                value -> value + notSerializable,
                                                (value, set) -> set)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("getter of field 'other'=");
    }

    private DataStream<String> redact(TextFields<String> fields) {
        return GpuStreams.redact(env.fromData("x"), fields, RULES, GpuOptions.DEFAULT);
    }

    /** This class cannot be serialized, as no job's whose main class has a field of anything that cannot. */
    @Test
    void functionsLeaveTheEnclosingObjectThatTheyDoNotUseBehind() {
        TextGetter<String> getter =
                new TextGetter<>() {
                    @Override
                    public String get(String record) {
                        return record;
                    }
                };
        TextSetter<String> setter =
                new TextSetter<>() {
                    @Override
                    public String with(String record, String text) {
                        return text;
                    }
                };
        assertThat(GpuStreams.redact(env.fromData("x"), getter, setter, RULES, GpuOptions.DEFAULT))
                .isNotNull();
    }

    private DataStream<String> redact(RuleSet rules, GpuOptions options) {
        return GpuStreams.redact(
                env.fromData("x"), text -> text, (record, text) -> text, rules, options);
    }
}
