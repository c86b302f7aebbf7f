package io.flinkgpu.examples;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.TextExpression;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.when;

/** An expression over two columns: names as they may be shown, {@code D John} or {@code X X}. */
public final class TransformNames {

    public record Person(String name, String visibility) {}

    private TransformNames() {}

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        DataStream<Person> people =
                env.fromData(new Person("John Doe", "public"), new Person("Ada Ng", "friends"));
        Columns<Person> columns =
                Columns.<Person>empty()
                        .text("name", Person::name)
                        .text("visibility", Person::visibility);
        TextExpression shown =
                when(col("visibility").equalTo("public"))
                        .then(
                                concat(
                                        col("name").after(" ").left(1),
                                        lit(" "),
                                        col("name").before(" ")))
                        .otherwise(lit("X X"));
        GpuStreams.on(people).transform(columns, shown.as("shown"), col("visibility")).print();
        env.execute("transform names");
    }
}
