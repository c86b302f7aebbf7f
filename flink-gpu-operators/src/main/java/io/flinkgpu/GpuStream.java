package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.TransformMapper;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.operator.transform.RowSpec;
import io.flinkgpu.operator.window.StateKeys;
import io.flinkgpu.program.Program;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.InvalidProgramException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.types.Row;

import java.util.Arrays;
import java.util.List;

/** A stream whose next operators are ours. */
@PublicEvolving
public final class GpuStream<T> {

    private final DataStream<T> stream;
    private final GpuOptions options;

    GpuStream(DataStream<T> stream, GpuOptions options) {
        this.stream = stream;
        this.options = options;
    }

    /** Backend, batches and memory of the operators; {@link GpuOptions#DEFAULT} if not called. */
    public GpuStream<T> withOptions(GpuOptions options) {
        return new GpuStream<>(stream, JobChecks.present("options", options));
    }

    /**
     * Groups records by a key, as {@link DataStream#keyBy(KeySelector)} does. Keys may also be enums
     * and byte arrays, which Flink's keyBy refuses; they are compared by name and by content.
     *
     * @throws IllegalArgumentException if the selector cannot be serialized
     * @throws InvalidProgramException for another type of keys that Flink's keyBy refuses
     */
    public <K> KeyedGpuStream<T, K> keyBy(KeySelector<T, K> selector) {
        JobChecks.present("selector", selector);
        return keyBy(selector, TypeExtractor.getKeySelectorTypes(selector, stream.getType()));
    }

    /**
     * Groups records by a key of a type that cannot be inferred.
     *
     * @throws IllegalArgumentException if the selector cannot be serialized
     * @throws InvalidProgramException for a type of keys that Flink's keyBy refuses, as above
     */
    public <K> KeyedGpuStream<T, K> keyBy(KeySelector<T, K> selector, TypeInformation<K> keyType) {
        KeySelector<T, K> cleaned = cleaned("selector", selector);
        StateKeys<K, ?> keys = StateKeys.of(JobChecks.present("keyType", keyType));
        requireKeyType(cleaned, keys);
        return new KeyedGpuStream<>(stream, options, cleaned, keys);
    }

    /**
     * Groups records by the keyed hash of a text, such as a user's name: state, checkpoints and results hold the hash,
     * never the text. It is the HMAC-SHA-256 of the text in UTF-8 under the options' {@link HashKey}, in lower-case hex,
     * so the same text has the same digits here and where a rule's hash action or {@code hashHmac()} replaced it. As
     * with {@code keyBy} the selector must not give null.
     *
     * @param hexDigits digits that are kept, 16 to 64; two texts whose digits agree are one key
     * @throws IllegalArgumentException if the options have no key, the number of digits is another, or the selector
     *     cannot be serialized
     */
    public KeyedGpuStream<T, String> keyByHash(KeySelector<T, String> selector, int hexDigits) {
        KeySelector<T, String> cleaned = cleaned("selector", selector);
        JobChecks.requireHashKey("keyByHash", "hexDigits=" + hexDigits, options);
        // The same limits as those of the action that makes the same hashes.
        new Action.Hash("", hexDigits, "");
        HashKey hashKey = options.hashKey().orElseThrow();
        return keyBy(new HashedKeySelector<>(cleaned, hashKey, hexDigits), Types.STRING);
    }

    /**
     * Computes expressions of each record, in one pass over the columns they read. Rows leave in the
     * order the records came, with their timestamps, and watermarks keep their places among them.
     *
     * @param columns how the columns are read from records
     * @param expressions what is computed
     * @return rows of the results, which are found by position and by name: that given with {@code
     *     as(..)}, else that of a column which is a result as it is, else {@code f} and its position.
     *     Texts are {@code String}, numbers {@code Long} or {@code Double}, conditions {@code Boolean};
     *     all may be null
     * @throws RuleException if a rule of an expression cannot be compiled
     * @throws IllegalArgumentException if an expression cannot be compiled, two results have one name, a
     *     hash has no key, the memory limit is too small for the batches, or a getter cannot be
     *     serialized
     */
    public SingleOutputStreamOperator<Row> transform(
            Columns<T> columns, Expression... expressions) {
        JobChecks.present("columns", columns);
        List<Expression> list = Arrays.asList(JobChecks.present("expressions", expressions));
        Program program = Transforms.compile(columns.types(), list, options);
        List<String> names = Transforms.resultNames(list);
        TypeInformation<Row> type =
                Types.ROW_NAMED(names.toArray(new String[0]), Transforms.types(program));
        return transform(columns, program, names, (record, row) -> row, type);
    }

    /**
     * Records made of others and of expressions of them.
     *
     * @param mapper gets the record and the row of its results
     * @throws IllegalArgumentException as above, and if the mapper cannot be serialized
     */
    public <R> SingleOutputStreamOperator<R> transform(
            Columns<T> columns,
            List<? extends Expression> expressions,
            TransformMapper<T, R> mapper,
            TypeInformation<R> type) {
        JobChecks.present("columns", columns);
        JobChecks.present("expressions", expressions);
        JobChecks.present("type", type);
        Program program = Transforms.compile(columns.types(), expressions, options);
        return transform(
                columns,
                program,
                Transforms.resultNames(expressions),
                cleaned("mapper", mapper),
                type);
    }

    private <R> SingleOutputStreamOperator<R> transform(
            Columns<T> columns,
            Program program,
            List<String> names,
            TransformMapper<T, R> mapper,
            TypeInformation<R> type) {
        for (String column : columns.types().keySet()) {
            cleaned("getter of column '" + column + "'", columns.getter(column));
        }
        return Transforms.transform(
                stream, program, new RowSpec<>(columns, program, names, mapper), type, options);
    }

    private <F> F cleaned(String name, F function) {
        return JobChecks.cleaned(stream.getExecutionEnvironment(), name, function);
    }

    /** Lets Flink check the type now, where the user has named it. */
    private <K, S> void requireKeyType(KeySelector<T, K> selector, StateKeys<K, S> keys) {
        stream.keyBy(keys.selector(selector), keys.stateType());
    }
}
