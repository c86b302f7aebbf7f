package io.flinkgpu.operator.transform;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.TransformMapper;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.backend.ScriptedBackend.Script;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.List;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.doubleCol;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;

/** Expressions over people, in Flink's operator harness. */
final class PersonHarness {

    record Person(String name, Integer age, double weight) {}

    static final TypeSerializer<Person> PERSON =
            TypeInformation.of(Person.class).createSerializer(new SerializerConfigImpl());
    static final Columns<Person> PEOPLE =
            Columns.<Person>empty()
                    .text("name", Person::name)
                    .longs("age", Person::age)
                    .doubles("weight", Person::weight);
    static final List<Expression> RESULTS =
            List.of(
                    concat(lit("<"), col("name"), lit(">")).as("name"),
                    longCol("age").as("age"),
                    longCol("age").lessThan(18).as("minor"),
                    doubleCol("weight").as("weight"));

    private PersonHarness() {}

    /** The names in angle brackets. */
    static TransformHarness<Person, String> ofNames(GpuOptions options, Script script)
            throws Exception {
        return of(RESULTS, (person, row) -> row.getFieldAs("name"), Types.STRING, options, script);
    }

    /** The only result of an expression of people's names. */
    static TransformHarness<Person, String> ofNames(TextExpression expression, GpuOptions options)
            throws Exception {
        return of(
                List.of(expression.as("name")),
                (person, row) -> row.getFieldAs("name"),
                Types.STRING,
                options,
                Script.NONE);
    }

    static <R> TransformHarness<Person, R> of(
            List<Expression> expressions,
            TransformMapper<Person, R> mapper,
            TypeInformation<R> type,
            GpuOptions options,
            Script script)
            throws Exception {
        return TransformHarness.of(
                PERSON, PEOPLE, expressions, mapper, type, options, script, Script.NONE);
    }
}
