package io.flinkgpu.testkit;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.ExceptionUtils;

import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Runs jobs that have to fail. Two races of Flink 2.3 would otherwise fail the test in place of the job's own error. A
 * task that fails while an event of its source's coordinator is on the way is reported as that event's
 * loss. A collecting sink that is cancelled before it was opened throws, which ends the TaskManager and
 * lets the jobs after it wait for slots, so nothing is collected here.
 */
public final class FailingJobs {

    private static final int MAX_RUNS = 20;

    private FailingJobs() {}

    /**
     * Why the job of a stream fails.
     *
     * @param stream gives what to run, once per run
     */
    public static Throwable failure(Supplier<? extends DataStream<?>> stream) {
        Throwable thrown = run(stream.get());
        for (int run = 1; run < MAX_RUNS && isOfLostEvent(thrown); run++) {
            thrown = run(stream.get());
        }
        return thrown;
    }

    private static Throwable run(DataStream<?> stream) {
        stream.sinkTo(new DiscardingSink<>());
        Throwable thrown = catchThrowable(() -> stream.getExecutionEnvironment().execute());
        assertThat(thrown).as("the job fails").isNotNull();
        return thrown;
    }

    private static boolean isOfLostEvent(Throwable thrown) {
        return ExceptionUtils.findThrowableWithMessage(
                        thrown, "An OperatorEvent from an OperatorCoordinator to a task was lost")
                .isPresent();
    }
}
