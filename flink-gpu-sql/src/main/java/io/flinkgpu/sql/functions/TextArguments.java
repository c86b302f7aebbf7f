package io.flinkgpu.sql.functions;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.ArgumentCount;
import org.apache.flink.table.types.inference.CallContext;
import org.apache.flink.table.types.inference.ConstantArgumentCount;
import org.apache.flink.table.types.inference.InputTypeStrategy;
import org.apache.flink.table.types.inference.Signature;
import org.apache.flink.table.types.inference.TypeInference;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The arguments of a function that makes a text of a text: the first is the text, and the result is a
 * {@code STRING} that is null where the text is. What an option is has to be written into the query.
 */
@Internal
final class TextArguments implements InputTypeStrategy {

    /** An argument; those after the first are options, constants. */
    record Argument(String name, DataType type) {

        static Argument text(String name) {
            return new Argument(name, DataTypes.STRING().bridgedTo(StringData.class));
        }

        static Argument number(String name) {
            return new Argument(name, DataTypes.INT());
        }

        private LogicalTypeFamily family() {
            return type.getLogicalType().is(LogicalTypeFamily.CHARACTER_STRING)
                    ? LogicalTypeFamily.CHARACTER_STRING
                    : LogicalTypeFamily.INTEGER_NUMERIC;
        }

        private boolean accepts(DataType actual) {
            return actual.getLogicalType().is(family())
                    || actual.getLogicalType().is(LogicalTypeRoot.NULL);
        }
    }

    /** Checks the options of a call, which are constants. */
    @FunctionalInterface
    interface Check {
        /** Throws an {@link IllegalArgumentException} that names option and remedy. */
        void check(CallContext call);
    }

    private final List<Argument> arguments;
    private final Check check;

    private TextArguments(List<Argument> arguments, Check check) {
        this.arguments = arguments;
        this.check = check;
    }

    /**
     * The inference of a function of a text and options, which may be left out.
     *
     * @param arguments all that there may be; the first is the text
     */
    static TypeInference inference(List<Argument> arguments, Check check) {
        return TypeInference.newBuilder()
                .inputTypeStrategy(new TextArguments(List.copyOf(arguments), check))
                .outputTypeStrategy(
                        call -> {
                            DataType text = DataTypes.STRING().bridgedTo(StringData.class);
                            boolean nullable =
                                    call.getArgumentDataTypes()
                                            .get(0)
                                            .getLogicalType()
                                            .isNullable();
                            return Optional.of(nullable ? text : text.notNull());
                        })
                .build();
    }

    @Override
    public ArgumentCount getArgumentCount() {
        return ConstantArgumentCount.between(1, arguments.size());
    }

    @Override
    public Optional<List<DataType>> inferInputTypes(CallContext call, boolean throwOnFailure) {
        List<DataType> actual = call.getArgumentDataTypes();
        List<DataType> expected = new ArrayList<>();
        for (int i = 0; i < actual.size(); i++) {
            Argument argument = arguments.get(i);
            if (!argument.accepts(actual.get(i))) {
                return call.fail(
                        throwOnFailure,
                        "argument '%s' is a %s: %s; cast it",
                        argument.name(),
                        argument.type().getLogicalType(),
                        actual.get(i).getLogicalType());
            }
            if (i > 0 && (!call.isArgumentLiteral(i) || call.isArgumentNull(i))) {
                return call.fail(
                        throwOnFailure,
                        "argument '%s' is an option and must be a constant that is not NULL: write"
                                + " its value into the query",
                        argument.name());
            }
            boolean nullable = actual.get(i).getLogicalType().isNullable();
            expected.add(nullable ? argument.type().nullable() : argument.type().notNull());
        }
        try {
            check.check(call);
        } catch (IllegalArgumentException e) {
            return call.fail(throwOnFailure, "%s", e.getMessage());
        }
        return Optional.of(expected);
    }

    @Override
    public List<Signature> getExpectedSignatures(FunctionDefinition definition) {
        List<Signature> signatures = new ArrayList<>();
        for (int count = 1; count <= arguments.size(); count++) {
            signatures.add(
                    Signature.of(
                            arguments.subList(0, count).stream()
                                    .map(a -> Signature.Argument.of(a.name(), a.type().toString()))
                                    .toList()));
        }
        return signatures;
    }
}
