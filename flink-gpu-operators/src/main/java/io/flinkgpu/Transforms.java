package io.flinkgpu;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Operation;
import io.flinkgpu.operator.BatchOperatorFactory;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.transform.RowSpec;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;
import io.flinkgpu.program.RedactStep;
import io.flinkgpu.program.Step;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the operators of expressions; what can be wrong with them is found here. */
final class Transforms {

    private static final String TRANSFORM = "gpu-transform";

    private Transforms() {}

    /**
     * Compiles expressions.
     *
     * @throws IllegalArgumentException for expressions that cannot be compiled or read no column
     */
    static Program compile(
            Map<String, ColumnType> columns, List<? extends Expression> expressions) {
        expressions.forEach(expression -> JobChecks.present("expression", expression));
        if (expressions.isEmpty()) {
            throw new IllegalArgumentException(
                    "a transform needs an expression: expressions=[]; pass at least one");
        }
        Program program = ProgramCompiler.compile(columns, expressions);
        if (program.columns().isEmpty()) {
            throw Errors.argument(
                    "a transform must read a column: expressions=%s, columns=%s; add an expression"
                            + " that reads one",
                    expressions.stream().map(Expression::shown).toList(), columns.keySet());
        }
        return program;
    }

    /**
     * Compiles expressions for batches of these options.
     *
     * @throws IllegalArgumentException as above, and for a hash without a key, or too small a memory
     *     limit
     */
    static Program compile(
            Map<String, ColumnType> columns,
            List<? extends Expression> expressions,
            GpuOptions options) {
        Program program = compile(columns, expressions);
        expressions.forEach(expression -> requireHashKey(expression, options));
        JobChecks.requireMemory(options, RowSpec.neededBytes(options.batchPolicy(), program));
        for (Step step : program.steps()) {
            if (step instanceof RedactStep redact) {
                JobChecks.warn(redact.rules().requireMatchable());
            }
        }
        return program;
    }

    /**
     * The names of results: those given to the expressions, else that of a column which is a result as
     * it is, else {@code f} and its number.
     *
     * @throws IllegalArgumentException if two have the same
     */
    static List<String> resultNames(List<? extends Expression> expressions) {
        List<String> names = new ArrayList<>();
        for (Expression expression : expressions) {
            String name =
                    expression.name().or(() -> columnName(expression)).orElse("f" + names.size());
            if (names.contains(name)) {
                throw Errors.argument(
                        "two results must not have one name: result='%s', expression=%s; name it"
                                + " with as(..)",
                        name, expression.shown());
            }
            names.add(name);
        }
        return names;
    }

    /** The type of a row of results. */
    static TypeInformation<?>[] types(Program program) {
        return program.resultTypes().stream()
                .map(
                        type ->
                                switch (type.kind()) {
                                    case TEXT -> Types.STRING;
                                    case LONG -> Types.LONG;
                                    case DOUBLE -> Types.DOUBLE;
                                    case BOOLEAN -> Types.BOOLEAN;
                                    case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                                            throw type.refusedBy("a result");
                                })
                .toArray(TypeInformation<?>[]::new);
    }

    /**
     * The operator of a program.
     *
     * @param spec runs the program
     */
    static <IN, OUT> SingleOutputStreamOperator<OUT> transform(
            DataStream<IN> stream,
            Program program,
            BatchSpec<IN, OUT, ?> spec,
            TypeInformation<OUT> type,
            GpuOptions options) {
        BatchOperatorFactory<IN, OUT> operators = Backends.operators(spec, options);
        if (program.steps().stream().noneMatch(RedactStep.class::isInstance)) {
            return stream.transform(TRANSFORM, type, operators);
        }
        DataStream<IN> input = RawRecords.aligned(stream);
        return RawRecords.watched(input, input.transform(TRANSFORM, type, operators));
    }

    private static Optional<String> columnName(Expression expression) {
        return expression.operation() == Operation.COLUMN
                ? Optional.of((String) expression.arguments().get(0))
                : Optional.empty();
    }

    private static void requireHashKey(Expression expression, GpuOptions options) {
        if (expression.operation() == Operation.HASH_HMAC) {
            JobChecks.requireHashKey("hashHmac()", "expression=" + expression.shown(), options);
        } else if (expression.operation() == Operation.REDACT) {
            JobChecks.requireHashKey((RuleSet) expression.arguments().get(0), options);
        }
        expression.operands().forEach(operand -> requireHashKey(operand, options));
    }
}
