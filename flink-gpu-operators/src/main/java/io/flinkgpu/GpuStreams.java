package io.flinkgpu;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.TextFields;
import io.flinkgpu.api.TextGetter;
import io.flinkgpu.api.TextSetter;
import io.flinkgpu.api.TooLongLine;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.column.BatchCodec;
import io.flinkgpu.column.LineChunkCodec;
import io.flinkgpu.column.StringFieldCodec;
import io.flinkgpu.column.StringFieldsCodec;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.lines.LineReading;
import io.flinkgpu.operator.lines.LineRedactSpec;
import io.flinkgpu.operator.redact.FindingOutput;
import io.flinkgpu.operator.redact.RedactSpec;
import io.flinkgpu.operator.transform.LineSpec;
import io.flinkgpu.program.Program;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Operators for a {@link DataStream}. */
@PublicEvolving
public final class GpuStreams {

    /** The column that expressions over the lines of chunks read. */
    public static final String LINE = "line";

    private static final String REDACT = "gpu-redact";

    /** The name of a record's text where it has one. */
    private static final String ONLY_TEXT = "";

    private GpuStreams() {}

    /**
     * Begins a chain that reads like Flink's: {@code on(stream).keyBy(..).window(..).aggregate(..)}, or
     * {@code on(stream).transform(columns, expressions)}.
     */
    public static <T> GpuStream<T> on(DataStream<T> stream) {
        return new GpuStream<>(JobChecks.present("stream", stream), GpuOptions.DEFAULT);
    }

    /**
     * Begins with the lines of files: {@code lines(stream, format).keyBy(..).window(..).aggregate(..)}.
     *
     * @param stream {@link LineChunk}s, or {@link io.flinkgpu.api.LineRange}s of files that the tasks'
     *     machines can read
     * @param format how lines are cut into fields
     * @throws IllegalArgumentException if the format has no field that is read, or its separator cuts
     *     timestamps
     */
    @SuppressWarnings("unchecked") // A stream of some lines is one of lines: they are only read.
    public static LineStream lines(DataStream<? extends Lines> stream, Delimited format) {
        JobChecks.present("stream", stream);
        LineStream.checkFormat(JobChecks.present("format", format));
        return new LineStream(
                (DataStream<Lines>) stream, LineReading.of(format), GpuOptions.DEFAULT);
    }

    /**
     * Redacts one text field of each record. Records leave in the order they came, with their
     * timestamps, and watermarks keep their places among them. A record whose text has no match is
     * passed on as the same object.
     *
     * @param getter reads the text, for example {@code LogRecord::message}; null is left alone
     * @param setter makes the record with another text, for example {@code LogRecord::withMessage}
     * @param rules what to redact
     * @param options backend, batches, memory, hash key
     * @return a stream of the same type, not keyed
     * @throws RuleException if a rule cannot be compiled, with the errors of all rules
     * @throws IllegalArgumentException if a hash rule has no key, the memory limit is too small for the
     *     batches, or a function cannot be serialized
     */
    public static <T> SingleOutputStreamOperator<T> redact(
            DataStream<T> stream,
            TextGetter<T> getter,
            TextSetter<T> setter,
            RuleSet rules,
            GpuOptions options) {
        return redact(stream, getter, setter, rules, options, (OutputTag<RefusedRecord>) null);
    }

    /**
     * Redacts one text field of each record, as {@link #redact(DataStream, TextGetter, TextSetter, RuleSet,
     * GpuOptions)} does, and goes on without a record that cannot be redacted, as {@link #redact(DataStream,
     * TextFields, RuleSet, GpuOptions, OutputTag)} does.
     *
     * @param quarantine as there
     */
    public static <T> SingleOutputStreamOperator<T> redact(
            DataStream<T> stream,
            TextGetter<T> getter,
            TextSetter<T> setter,
            RuleSet rules,
            GpuOptions options,
            OutputTag<RefusedRecord> quarantine) {
        JobChecks.present("options", options);
        StreamExecutionEnvironment environment =
                JobChecks.present("stream", stream).getExecutionEnvironment();
        BatchCodec<T> codec =
                new StringFieldCodec<>(
                        null,
                        JobChecks.cleaned(environment, "getter", getter),
                        JobChecks.cleaned(environment, "setter", setter),
                        options.errorValues());
        return redact(
                stream,
                stream.getType(),
                codec,
                rules,
                options,
                quarantine,
                List.of(ONLY_TEXT),
                null);
    }

    /**
     * Redacts several text fields of each record, as {@link #redact(DataStream, TextGetter, TextSetter,
     * RuleSet, GpuOptions)} does one: a field is a text of its own, in which no match reaches into another.
     * A record none of whose fields has a match is passed on as the same object; setters of fields
     * without a match are not called.
     *
     * @param fields at least one
     * @throws RuleException as there
     * @throws IllegalArgumentException as there, and if there are no fields
     */
    public static <T> SingleOutputStreamOperator<T> redact(
            DataStream<T> stream, TextFields<T> fields, RuleSet rules, GpuOptions options) {
        return redact(stream, fields, rules, options, RedactionOutputs.none());
    }

    /**
     * Redacts several text fields of each record, as {@link #redact(DataStream, TextFields, RuleSet,
     * GpuOptions)} does, and goes on without a record that cannot be redacted, which would fail the job
     * after each restart: one whose getter or setter fails, or that is larger than the operator's memory, redacted or not.
     * The record does not leave.
     *
     * @param quarantine a side output of the result, which gets the place of each such record, and why; null
     *     if such a record fails the job
     */
    public static <T> SingleOutputStreamOperator<T> redact(
            DataStream<T> stream,
            TextFields<T> fields,
            RuleSet rules,
            GpuOptions options,
            OutputTag<RefusedRecord> quarantine) {
        return redact(stream, fields, rules, options, outputs(quarantine));
    }

    private static RedactionOutputs outputs(OutputTag<RefusedRecord> quarantine) {
        return quarantine == null
                ? RedactionOutputs.none()
                : RedactionOutputs.none().refused(quarantine);
    }

    /**
     * Redacts several text fields of each record, as {@link #redact(DataStream, TextFields, RuleSet,
     * GpuOptions)} does, with side outputs, for example of what was found.
     *
     * @throws IllegalArgumentException as there, and if findings are wanted and there is no hash key
     */
    public static <T> SingleOutputStreamOperator<T> redact(
            DataStream<T> stream,
            TextFields<T> fields,
            RuleSet rules,
            GpuOptions options,
            RedactionOutputs outputs) {
        JobChecks.present("outputs", outputs);
        JobChecks.present("options", options);
        if (JobChecks.present("fields", fields).fields().isEmpty()) {
            throw new IllegalArgumentException(
                    "a redaction needs a field: fields=[]; add one with TextFields.text(..)");
        }
        StreamExecutionEnvironment environment =
                JobChecks.present("stream", stream).getExecutionEnvironment();
        List<StringFieldCodec<T>> codecs = new ArrayList<>();
        for (TextFields.Field<T> field : fields.fields()) {
            String of = " of field '" + field.name() + "'";
            codecs.add(
                    new StringFieldCodec<>(
                            field.name(),
                            JobChecks.cleaned(environment, "getter" + of, field.getter()),
                            JobChecks.cleaned(environment, "setter" + of, field.setter()),
                            options.errorValues()));
        }
        return redact(
                stream,
                stream.getType(),
                new StringFieldsCodec<>(codecs),
                rules,
                options,
                outputs.refused(),
                fields.fields().stream().map(TextFields.Field::name).toList(),
                outputs.findingTarget());
    }

    /**
     * Redacts every line of each chunk. Chunks leave in the order they came; a chunk without a match
     * is passed on as the same object.
     *
     * @param rules what to redact
     * @param options backend, batches, memory, hash key
     * @throws RuleException if a rule cannot be compiled, with the errors of all rules; one that can
     *     never match is an error unless the set allows it
     * @throws IllegalArgumentException if a hash rule has no key, or the memory limit is too small for
     *     the batches
     */
    public static SingleOutputStreamOperator<LineChunk> redact(
            DataStream<LineChunk> stream, RuleSet rules, GpuOptions options) {
        return redact(stream, rules, options, RedactionOutputs.none());
    }

    /**
     * Redacts every line of each chunk, as {@link #redact(DataStream, RuleSet, GpuOptions)} does, and goes on
     * without a chunk that is larger than the operator's memory, redacted or not, which would fail the job
     * after each restart. None of its lines leave.
     *
     * @param quarantine a side output of the result, which gets the file and the offset of each such chunk;
     *     null if such a chunk fails the job
     */
    public static SingleOutputStreamOperator<LineChunk> redact(
            DataStream<LineChunk> stream,
            RuleSet rules,
            GpuOptions options,
            OutputTag<RefusedRecord> quarantine) {
        return redact(stream, rules, options, outputs(quarantine));
    }

    /**
     * Redacts every line of each chunk, as {@link #redact(DataStream, RuleSet, GpuOptions)} does, with side
     * outputs, for example of what was found.
     *
     * @throws IllegalArgumentException as there, and if findings are wanted and there is no hash key
     */
    public static SingleOutputStreamOperator<LineChunk> redact(
            DataStream<LineChunk> stream,
            RuleSet rules,
            GpuOptions options,
            RedactionOutputs outputs) {
        JobChecks.present("outputs", outputs);
        return redact(
                stream,
                LineChunkTypeInfo.INSTANCE,
                new LineChunkCodec(),
                rules,
                options,
                outputs.refused(),
                List.of(),
                outputs.findingTarget());
    }

    /**
     * Replaces every line of each chunk. Chunks leave in the order they came, with their timestamps; one
     * that no line is left of is passed on without bytes. A {@code '\r'} before the end of a line belongs
     * to the line.
     *
     * @param expression what a line becomes, of the column {@value #LINE}; a line it is null for is left
     *     out, and a {@code '\n'} in what it gives ends a line there
     * @param options backend, batches, memory, hash key
     * @throws RuleException if a rule of the expression cannot be compiled
     * @throws IllegalArgumentException if the expression cannot be compiled, a hash has no key, or the
     *     memory limit is too small for the batches
     */
    public static SingleOutputStreamOperator<LineChunk> transform(
            DataStream<LineChunk> stream, TextExpression expression, GpuOptions options) {
        Program program =
                Transforms.compile(
                        Map.of(LINE, ColumnType.TEXT), Arrays.asList(expression), options);
        return Transforms.transform(
                stream, program, new LineSpec(program), LineChunkTypeInfo.INSTANCE, options);
    }

    /**
     * The program that expressions are compiled to, for a person to read; docs/expressions.md says how.
     *
     * @throws IllegalArgumentException if an expression cannot be compiled, or none reads a column
     */
    public static String explain(Columns<?> columns, Expression... expressions) {
        JobChecks.present("columns", columns);
        JobChecks.present("expressions", expressions);
        return Transforms.compile(columns.types(), Arrays.asList(expressions)).explain();
    }

    /**
     * Redacts every line of ranges of files, which the operator reads straight into its column memory, or
     * of chunks. Each leaves as a chunk, in the order they came, without a timestamp; one without lines
     * leaves nothing. A file's last line that has no {@code '\n'} gets one if its range says so. Watermarks
     * wait for what was before them.
     *
     * @param stream {@link io.flinkgpu.api.LineRange}s of files that the tasks' machines can read, or {@link
     *     LineChunk}s
     * @param rules what to redact
     * @param options backend, batches, memory, hash key
     * @throws RuleException if a rule cannot be compiled, with the errors of all rules; one that can
     *     never match is an error unless the set allows it
     * @throws IllegalArgumentException if a hash rule has no key, or the memory limit is too small for
     *     the batches
     */
    public static SingleOutputStreamOperator<LineChunk> redactLines(
            DataStream<? extends Lines> stream, RuleSet rules, GpuOptions options) {
        return redactLines(stream, rules, options, RedactionOutputs.none());
    }

    /**
     * Does what {@link #redactLines(DataStream, RuleSet, GpuOptions)} does, and says where lines are that are
     * too long, if {@link io.flinkgpu.source.LineFiles#maxLineBytes} has a label in their place or leaves
     * them out.
     *
     * @param stream {@link io.flinkgpu.api.LineRange}s; the lines of chunks were read by their source
     * @param longLines a side output of the result, which gets the place of each such line; null if nothing
     *     does
     */
    public static SingleOutputStreamOperator<LineChunk> redactLines(
            DataStream<? extends Lines> stream,
            RuleSet rules,
            GpuOptions options,
            OutputTag<TooLongLine> longLines) {
        return redactLines(stream, rules, options, longOnes(longLines));
    }

    private static RedactionOutputs longOnes(OutputTag<TooLongLine> longLines) {
        return longLines == null
                ? RedactionOutputs.none()
                : RedactionOutputs.none().longLines(longLines);
    }

    /**
     * Does what {@link #redactLines(DataStream, RuleSet, GpuOptions)} does, with side outputs, for example of what
     * was found.
     *
     * @throws IllegalArgumentException as there, and if findings are wanted and there is no hash key, or the places
     *     of records are that cannot be redacted
     */
    public static SingleOutputStreamOperator<LineChunk> redactLines(
            DataStream<? extends Lines> stream,
            RuleSet rules,
            GpuOptions options,
            RedactionOutputs outputs) {
        return redactLines(stream, rules, options, false, outputs);
    }

    /**
     * Does what {@link #redactLines(DataStream, RuleSet, GpuOptions)} does, and writes the lines from the column memory that they were
     * redacted in: no array is made of them. A sink that is not chained, for example one of another
     * parallelism, gets copies.
     *
     * @param sink one of {@link io.flinkgpu.source.LineFileSinks}, or another that is done with a chunk when
     *     it has written it
     * @return the sink; {@code uid("x")} also names the redaction, {@code x-redaction}
     */
    public static RedactedLineSink redactLinesTo(
            DataStream<? extends Lines> stream,
            RuleSet rules,
            GpuOptions options,
            FileSink<LineChunk> sink) {
        return redactLinesTo(stream, rules, options, sink, RedactionOutputs.none());
    }

    /**
     * Does what {@link #redactLinesTo(DataStream, RuleSet, GpuOptions, FileSink)} does, and says where lines
     * are that are too long, as {@link #redactLines(DataStream, RuleSet, GpuOptions, OutputTag)} does.
     *
     * @param longLines as there; {@link RedactedLineSink#getSideOutput} has it
     */
    public static RedactedLineSink redactLinesTo(
            DataStream<? extends Lines> stream,
            RuleSet rules,
            GpuOptions options,
            FileSink<LineChunk> sink,
            OutputTag<TooLongLine> longLines) {
        return redactLinesTo(stream, rules, options, sink, longOnes(longLines));
    }

    /**
     * Does what {@link #redactLinesTo(DataStream, RuleSet, GpuOptions, FileSink)} does, with side outputs, which
     * {@link RedactedLineSink#getSideOutput} has.
     *
     * @throws IllegalArgumentException as {@link #redactLines(DataStream, RuleSet, GpuOptions, RedactionOutputs)}
     */
    public static RedactedLineSink redactLinesTo(
            DataStream<? extends Lines> stream,
            RuleSet rules,
            GpuOptions options,
            FileSink<LineChunk> sink,
            RedactionOutputs outputs) {
        JobChecks.present("sink", sink);
        SingleOutputStreamOperator<LineChunk> redacted =
                redactLines(stream, rules, options, true, outputs);
        return new RedactedLineSink(redacted, redacted.sinkTo(sink));
    }

    /**
     * Searches documents, which change, for those whose sets are most like the sets of queries: {@code
     * search(queries, q -> SetQuery.of(10, q.tags()), documents, d -> SetChange.upsert(d.id(), d.tags()),
     * options).results()}.
     *
     * @param query what a record of {@code queries} asks for
     * @param change what a record of {@code changes} does to a document
     * @param options backend, batches, memory
     * @throws IllegalArgumentException if a function cannot be serialized
     */
    public static <Q, C> SearchStream<Q, C> search(
            DataStream<Q> queries,
            ValueGetter<Q, SetQuery> query,
            DataStream<C> changes,
            ValueGetter<C, SetChange> change,
            GpuOptions options) {
        JobChecks.present("options", options);
        return SearchStream.of(queries, query, changes, change, options, Backends.of(options));
    }

    /**
     * Looks ids up in tables of vectors, which change: {@code lookup(requests, r -> LookupRequest.of(Bag.of("users",
     * Combiner.SUM, r.users())), changes, c -> VectorChange.upsert("users", c.id(), c.vector()),
     * options).tables(EmbeddingTable.of("users", 32, ElementType.F32)).results()}.
     *
     * @param request what a record of {@code requests} asks for
     * @param change what a record of {@code changes} does to a vector
     * @param options backend, batches, memory
     * @throws IllegalArgumentException if a function cannot be serialized
     */
    public static <Q, C> LookupStream<Q, C> lookup(
            DataStream<Q> requests,
            ValueGetter<Q, LookupRequest> request,
            DataStream<C> changes,
            ValueGetter<C, VectorChange> change,
            GpuOptions options) {
        JobChecks.present("options", options);
        return LookupStream.of(requests, request, changes, change, options, Backends.of(options));
    }

    @SuppressWarnings("unchecked") // A stream of some lines is one of lines: they are only read.
    private static SingleOutputStreamOperator<LineChunk> redactLines(
            DataStream<? extends Lines> stream,
            RuleSet rules,
            GpuOptions options,
            boolean lendsLines,
            RedactionOutputs outputs) {
        JobChecks.present("outputs", outputs);
        if (outputs.longLines() != null) {
            JobChecks.requireRanges(stream);
        }
        if (outputs.refused() != null) {
            throw new IllegalArgumentException(
                    "records are refused, of lines those that are too long: refused="
                            + outputs.refused().getId()
                            + "; use RedactionOutputs.longLines");
        }
        CompiledRules compiled = compiled(rules, options);
        requireFindable(outputs.findingTarget(), options);
        return redacted(
                (DataStream<Lines>) stream,
                LineChunkTypeInfo.INSTANCE,
                new LineRedactSpec(
                        compiled,
                        lendsLines,
                        JobChecks.copyIfAny(outputs.longLines()),
                        outputs.findingTarget()),
                options);
    }

    private static CompiledRules compiled(RuleSet rules, GpuOptions options) {
        JobChecks.present("rules", rules);
        JobChecks.present("options", options);
        JobChecks.requireHashKey(rules, options);
        JobChecks.requireMemory(options, RedactSpec.neededBytes(options.batchPolicy()));
        CompiledRules compiled = RuleCompiler.compile(rules).requireMatchable();
        JobChecks.warn(compiled);
        return compiled;
    }

    private static <T> SingleOutputStreamOperator<T> redact(
            DataStream<T> stream,
            TypeInformation<T> type,
            BatchCodec<T> codec,
            RuleSet rules,
            GpuOptions options,
            OutputTag<RefusedRecord> quarantine,
            List<String> fields,
            FindingOutput.Target findings) {
        CompiledRules compiled = compiled(rules, options);
        requireFindable(findings, options);
        return redacted(
                stream,
                type,
                new RedactSpec<>(
                        codec, compiled, JobChecks.copyIfAny(quarantine), fields, findings),
                options);
    }

    private static void requireFindable(FindingOutput.Target findings, GpuOptions options) {
        if (findings != null) {
            JobChecks.requireHashKey(
                    "an output of findings", "findings=" + findings.tag().getId(), options);
        }
    }

    private static <IN, OUT> SingleOutputStreamOperator<OUT> redacted(
            DataStream<IN> stream,
            TypeInformation<OUT> type,
            BatchSpec<IN, OUT, ?> spec,
            GpuOptions options) {
        DataStream<IN> input = RawRecords.aligned(JobChecks.present("stream", stream));
        return RawRecords.watched(
                input, input.transform(REDACT, type, Backends.operators(spec, options)));
    }
}
