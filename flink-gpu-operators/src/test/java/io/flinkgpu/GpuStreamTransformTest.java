package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Redactions;
import io.flinkgpu.api.expression.TextExpression;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Row;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.doubleCol;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What is checked of expressions while the job is built, and the types of the results.
 *
 * <p>Covers: GpuStream.
 */
class GpuStreamTransformTest {

    private static final Columns<String> COLUMNS =
            Columns.<String>empty()
                    .text("text", text -> text)
                    .longs("chars", String::length)
                    .doubles("half", (String text) -> text.length() / 2.0);
    private static final RuleSet HASHED =
            RuleSet.of(Rule.of("id", "id[0-9]+", Action.hash("h:", 16, "")));
    private static final GpuOptions WITH_KEY =
            GpuOptions.DEFAULT.withHashKey(HashKey.fromFile(Path.of("no such file")));

    private final StreamExecutionEnvironment env =
            StreamExecutionEnvironment.getExecutionEnvironment();
    private final GpuStream<String> stream = GpuStreams.on(env.fromData("x"));

    @Test
    void rowsAreNamedAndTyped() {
        SingleOutputStreamOperator<Row> rows =
                stream.transform(
                        COLUMNS,
                        col("text").upper(),
                        col("text"),
                        longCol("chars").as("length"),
                        doubleCol("half"),
                        col("text").isEmpty());
        assertThat(rows.getType())
                .isEqualTo(
                        Types.ROW_NAMED(
                                new String[] {"f0", "text", "length", "half", "f4"},
                                Types.STRING,
                                Types.STRING,
                                Types.LONG,
                                Types.DOUBLE,
                                Types.BOOLEAN));
    }

    @Test
    void mappedRecordsAndChunksHaveTheirTypes() {
        assertThat(
                        stream.transform(
                                        COLUMNS,
                                        List.of(col("text")),
                                        (text, row) -> text.length(),
                                        Types.INT)
                                .getType())
                .isEqualTo(Types.INT);
        DataStream<LineChunk> chunks = env.fromData(new LineChunk("f", 0, new byte[] {'\n'}));
        assertThat(
                        GpuStreams.transform(
                                        chunks, col(GpuStreams.LINE).trim(), GpuOptions.DEFAULT)
                                .getType())
                .isEqualTo(LineChunkTypeInfo.INSTANCE);
    }

    @Test
    void resultNamesDiffer() {
        assertFails(
                () -> transform(col("text").left(1).as("text"), col("text")),
                "two results must not have one name: result='text', expression=",
                "; name it with as(..)");
        assertFails(
                () -> transform(longCol("chars").as("f1"), col("text").trim()),
                "two results must not have one name: result='f1'",
                "name it with as(..)");
    }

    @Test
    void columnsExistAndHaveTheirTypes() {
        assertFails(() -> transform(col("txt").trim()), "txt", "[text, chars, half]");
        assertFails(() -> transform(col("chars").trim()), "chars", "longCol");
        DataStream<LineChunk> chunks = env.fromData(new LineChunk("f", 0, new byte[] {'\n'}));
        assertFails(
                () -> GpuStreams.transform(chunks, col("text"), GpuOptions.DEFAULT),
                "text",
                "[line]");
    }

    @Test
    void expressionsReadAColumn() {
        assertFails(
                () -> stream.transform(COLUMNS),
                "a transform needs an expression: expressions=[]",
                "pass at least one");
        assertFails(
                () -> transform(lit("x")),
                "a transform must read a column: expressions=[",
                "columns=[text, chars, half]; add an expression that reads one");
        assertFails(() -> GpuStreams.explain(COLUMNS, lit("x")), "a transform must read a column");
        assertThatThrownBy(() -> transform(col("text"), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an argument must not be null: expression=null; give one");
    }

    @Test
    void hashesNeedAKeyWhichIsNotReadYet() {
        TextExpression nested = col("text").trim().hashHmac().left(4);
        assertFails(
                () -> transform(nested),
                "hashHmac() needs a key: expression=",
                "set one with GpuOptions.withHashKey(HashKey.fromFile(...))");
        assertFails(
                () -> transform(col("text").redact(HASHED)),
                "a rule with a hash action needs a key: rule='id'",
                "set one with GpuOptions.withHashKey(HashKey.fromFile(...))");
        assertThat(
                        stream.withOptions(WITH_KEY)
                                .transform(COLUMNS, nested, col("text").redact(HASHED)))
                .isNotNull();
    }

    @Test
    void rulesAreCompiledWhileTheJobIsBuilt() {
        RuleSet reference = RuleSet.of(Rule.of("bad", "(a)\\1", Action.drop()));
        assertThatThrownBy(() -> transform(col("text").redact(reference)))
                .isInstanceOf(RuleException.class)
                .hasMessageContaining("bad");
    }

    @Test
    void theMemoryLimitHoldsTheBatches() {
        GpuOptions small =
                GpuOptions.DEFAULT
                        .withMemoryLimitBytes(16 << 20)
                        .withBatchPolicy(BatchPolicy.DEFAULT.withMaxBytes(64 << 20));
        assertFails(
                () -> stream.withOptions(small).transform(COLUMNS, col("text").trim()),
                "memoryLimitBytes=16777216, needed=",
                "raise the limit or lower the batch policy");
    }

    @Test
    void functionsAreSerializable() {
        Object notSerializable = new Object();
        Columns<String> columns =
                Columns.<String>empty().text("bad", text -> text + notSerializable);
        assertFails(
                () -> stream.transform(columns, col("bad")),
                "getter of column 'bad'=",
                "must be serializable");
        assertFails(
                () ->
                        stream.transform(
                                COLUMNS,
                                List.of(col("text")),
                                (text, row) -> text + notSerializable,
                                Types.STRING),
                "mapper=",
                "must be serializable");
    }

    @Test
    void theDocsShowTheProgramThatIsRun() throws IOException {
        Columns<String> columns =
                Columns.<String>empty().text("name", text -> text).text("visibility", text -> text);
        assertThat(Files.readString(Path.of("../docs/expressions.md")))
                .contains(
                        "```\n"
                                + GpuStreams.explain(columns, Redactions.nameByVisibility())
                                + "```\n");
    }

    private void transform(Expression... expressions) {
        stream.transform(COLUMNS, expressions);
    }

    private static void assertFails(ThrowingCallable building, String... parts) {
        assertThatThrownBy(building)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(parts)
                .hasMessageNotContaining("\n");
    }
}
