package io.flinkgpu.applications;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;

/**
 * The Flink that several jobs run on, one after another: the cluster that the example was submitted to,
 * or an embedded one, started here.
 *
 * @param first an environment of the cluster, or like the embedded one's
 * @param startSeconds what the start of an embedded one took; 0 of a cluster
 */
record Session(
        StreamExecutionEnvironment first, Optional<EmbeddedFlink> embedded, double startSeconds)
        implements AutoCloseable {

    /**
     * @param job settings of all jobs
     * @param parallelism 0 for the environment's own
     */
    static Session open(Configuration job, int parallelism) throws Exception {
        StreamExecutionEnvironment first = Environments.of(job, parallelism, 0);
        if (!(first instanceof LocalStreamEnvironment)) {
            return new Session(first, Optional.empty(), 0);
        }
        long started = System.nanoTime();
        Configuration conf = new Configuration();
        conf.addAll((Configuration) first.getConfiguration());
        EmbeddedFlink flink = EmbeddedFlink.start(conf, first.getParallelism());
        return new Session(first, Optional.of(flink), (System.nanoTime() - started) / 1e9);
    }

    /** An environment for the next job. */
    StreamExecutionEnvironment newJob() {
        StreamExecutionEnvironment env = embedded.map(EmbeddedFlink::newJob).orElse(first);
        return env.setParallelism(first.getParallelism());
    }

    /** Tells how long the start took, if there was one. */
    void print(PrintStream err) {
        if (embedded.isPresent()) {
            err.printf(Locale.ROOT, "start of the embedded Flink, before: %.2f s%n", startSeconds);
        }
    }

    @Override
    public void close() {
        embedded.ifPresent(EmbeddedFlink::close);
    }
}
