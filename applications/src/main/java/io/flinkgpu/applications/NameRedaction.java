package io.flinkgpu.applications;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.TextExpression;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.CloseableIterator;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.when;

/**
 * An expression over the records of a stream: names, shown by who may see them. Exit codes: 0 done, 1
 * the job failed, 2 the caller's mistake.
 */
public final class NameRedaction {

    private static final String NAME = "name-redaction";
    private static final int SHOWN_ROWS = 10;

    private static final Columns<Person> PEOPLE =
            Columns.<Person>empty()
                    .text("name", Person::name)
                    .text("visibility", Person::visibility);

    /** Also there ready-made, as {@code Redactions.nameByVisibility()}. */
    private static final TextExpression SHOWN_NAME =
            when(col("visibility").equalTo("public"))
                    .then(concat(col("name").after(" ").left(1), lit(" "), col("name").before(" ")))
                    .otherwise(lit("X X"));

    private NameRedaction() {}

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    /**
     * Runs the whole example.
     *
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return CommandLine.run(NAME, out, err, () -> redact(NameOptions.parse(args), out));
    }

    private static void redact(NameOptions options, PrintStream out) throws Exception {
        // No checkpoints: a collected result would wait for the next one.
        StreamExecutionEnvironment env =
                Environments.of(new Configuration(), options.parallelism(), 0);
        try (LocalBackend backend = LocalBackend.of(env, options.backend())) {
            redact(env, backend, options, out);
        }
    }

    private static void redact(
            StreamExecutionEnvironment env,
            LocalBackend backend,
            NameOptions options,
            PrintStream out)
            throws Exception {
        DataStream<Person> people =
                env.fromSequence(0, options.rows() - 1L)
                        .map(new People())
                        .returns(TypeInformation.of(Person.class));
        DataStream<RedactedPerson> redacted =
                GpuStreams.on(people)
                        .withOptions(GpuOptions.DEFAULT.withBackend(backend.choice()))
                        .transform(
                                PEOPLE,
                                List.of(SHOWN_NAME.as("shownName")),
                                (person, row) ->
                                        new RedactedPerson(person, row.getFieldAs("shownName")),
                                TypeInformation.of(RedactedPerson.class));
        redacted.sinkTo(new DiscardingSink<>());
        CloseableIterator<RedactedPerson> first =
                redacted.filter(row -> row.person().number() < SHOWN_ROWS).collectAsync();
        List<RedactedPerson> shown = new ArrayList<>();
        JobExecutionResult result;
        try {
            JobClient job = env.executeAsync(NAME);
            first.forEachRemaining(shown::add);
            result = job.getJobExecutionResult().get();
        } finally {
            first.close();
        }
        print(shown, out);
        Report.rows(result, options.rows(), backend.description(), env.getParallelism(), out);
    }

    private static void print(List<RedactedPerson> shown, PrintStream out) {
        shown.sort(Comparator.comparingLong(row -> row.person().number()));
        out.println();
        out.println("Before and after");
        for (RedactedPerson row : shown) {
            out.printf(
                    "  %-20s %-10s -> %s%n",
                    row.person().name(), row.person().visibility(), row.shownName());
        }
        out.println();
    }
}
