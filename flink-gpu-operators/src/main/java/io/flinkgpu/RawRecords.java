package io.flinkgpu;

import io.flinkgpu.api.LineRange;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.flink.streaming.api.transformations.WithBoundedness;
import org.apache.flink.streaming.runtime.partitioner.ForwardPartitioner;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keeps records on their way to a redaction out of the files that Flink makes of what is between its
 * tasks: of unaligned checkpoints, and of shuffles in batch execution. Where the API of streams has no way
 * to, it warns while the job is built.
 */
final class RawRecords {

    private static final Logger LOG = LoggerFactory.getLogger(RawRecords.class);

    private RawRecords() {}

    /**
     * The input of a redaction, with barriers aligned in all shuffles before it: an unaligned checkpoint
     * would take raw records out of them. A shuffle that Flink would add because the redaction has
     * another parallelism is made explicit for that where the job has unaligned checkpoints.
     */
    static <T> DataStream<T> aligned(DataStream<T> stream) {
        Transformation<T> input = stream.getTransformation();
        if (!isText(input)) {
            return stream;
        }
        for (Transformation<?> before : input.getTransitivePredecessors()) {
            if (before instanceof PartitionTransformation<?> shuffle) {
                align(shuffle);
            }
        }
        StreamExecutionEnvironment environment = stream.getExecutionEnvironment();
        if (!isUnaligned(environment)
                || hasShuffle(input)
                || addedShuffles(input, environment.getParallelism()).isEmpty()) {
            return stream;
        }
        DataStream<T> rebalanced = stream.rebalance();
        align((PartitionTransformation<?>) rebalanced.getTransformation());
        return rebalanced;
    }

    /** Lets no checkpoint take what is on its way through a shuffle. */
    static void align(PartitionTransformation<?> shuffle) {
        shuffle.getPartitioner().disableUnalignedCheckpoints();
    }

    /**
     * The redaction of an input, which warns of raw records that will be on disks.
     *
     * @param redaction reads {@code input}, as {@link #aligned} returned it
     */
    static <T> SingleOutputStreamOperator<T> watched(
            DataStream<?> input, SingleOutputStreamOperator<T> redaction) {
        Watched<T> watched = new Watched<>(input, redaction);
        watched.warn();
        return watched;
    }

    /**
     * What a person has to know of raw records on disks.
     *
     * @param parallelism of the redaction that reads the input
     */
    static List<String> warnings(DataStream<?> input, int parallelism) {
        List<String> warnings = new ArrayList<>();
        Transformation<?> last = input.getTransformation();
        if (!isText(last)) {
            return warnings;
        }
        List<String> added = new ArrayList<>(addedShuffles(last, parallelism));
        List<String> asked = new ArrayList<>();
        for (Transformation<?> before : last.getTransitivePredecessors()) {
            if (before instanceof PartitionTransformation<?> shuffle) {
                if (!(shuffle.getPartitioner() instanceof ForwardPartitioner)) {
                    asked.add(shuffle.getPartitioner() + " after '" + producer(shuffle) + "'");
                }
            } else if (before instanceof PhysicalTransformation<?>) {
                before.getInputs().stream()
                        .map(from -> addedShuffles(from, before.getParallelism()))
                        .forEach(added::addAll);
            }
        }
        StreamExecutionEnvironment environment = input.getExecutionEnvironment();
        if (isBatch(environment, last)) {
            asked.addAll(added);
            if (!asked.isEmpty()) {
                warnings.add(
                        "records cross a shuffle before they are redacted: shuffles="
                                + asked
                                + "; in batch execution Flink writes them to files in io.tmp.dirs"
                                + " as they are: encrypt those folders, or redact before the"
                                + " shuffle");
            }
        } else if (isUnaligned(environment) && !added.isEmpty()) {
            warnings.add(
                    "records cross a shuffle before they are redacted that Flink adds where the"
                            + " parallelism changes: shuffles="
                            + added
                            + "; unaligned checkpoints contain them as they are: call rebalance()"
                            + " there, or leave out unaligned checkpoints");
        }
        return warnings;
    }

    /** Whether records have text in them, as ranges of files have not. */
    private static boolean isText(Transformation<?> input) {
        return input.getOutputType().getTypeClass() != LineRange.class;
    }

    private static boolean isUnaligned(StreamExecutionEnvironment environment) {
        return environment.getCheckpointConfig().isUnalignedCheckpointsEnabled();
    }

    private static boolean isBatch(
            StreamExecutionEnvironment environment, Transformation<?> input) {
        RuntimeExecutionMode mode =
                environment.getConfiguration().get(ExecutionOptions.RUNTIME_MODE);
        return mode == RuntimeExecutionMode.BATCH
                || mode == RuntimeExecutionMode.AUTOMATIC
                        && input.getTransitivePredecessors().stream()
                                .allMatch(
                                        before ->
                                                !(before instanceof WithBoundedness source)
                                                        || source.getBoundedness()
                                                                == Boundedness.BOUNDED);
    }

    /**
     * Whether there is a shuffle right before the reader of a stream. Barriers of all that the reader reads
     * are aligned if those of one shuffle are.
     */
    private static boolean hasShuffle(Transformation<?> stream) {
        return stream instanceof PartitionTransformation<?>
                || !(stream instanceof PhysicalTransformation<?>)
                        && stream.getInputs().stream().anyMatch(RawRecords::hasShuffle);
    }

    /** The shuffles that Flink adds between producers of a stream and a reader of a parallelism. */
    private static List<String> addedShuffles(Transformation<?> stream, int parallelism) {
        return added(stream, parallelism).toList();
    }

    private static Stream<String> added(Transformation<?> stream, int parallelism) {
        if (stream instanceof PartitionTransformation<?>) {
            return Stream.of();
        }
        if (stream instanceof PhysicalTransformation<?>) {
            return stream.getParallelism() == parallelism
                    ? Stream.of()
                    : Stream.of(
                            String.format(
                                    "from parallelism %s to %s after '%s'",
                                    stream.getParallelism(), parallelism, stream.getName()));
        }
        return stream.getInputs().stream().flatMap(input -> added(input, parallelism));
    }

    private static String producer(Transformation<?> virtual) {
        Transformation<?> producer = virtual;
        while (!(producer instanceof PhysicalTransformation<?>)) {
            producer = producer.getInputs().get(0);
        }
        return producer.getName();
    }

    /** A redaction whose parallelism decides whether there is a shuffle before it. */
    private static final class Watched<T> extends SingleOutputStreamOperator<T> {

        private final DataStream<?> input;
        private List<String> warned = List.of();

        Watched(DataStream<?> input, SingleOutputStreamOperator<T> redaction) {
            super(redaction.getExecutionEnvironment(), redaction.getTransformation());
            this.input = input;
        }

        @Override
        public SingleOutputStreamOperator<T> setParallelism(int parallelism) {
            SingleOutputStreamOperator<T> same = super.setParallelism(parallelism);
            warn();
            return same;
        }

        void warn() {
            List<String> warnings = warnings(input, getParallelism());
            if (!warnings.equals(warned)) {
                warnings.forEach(LOG::warn);
                warned = warnings;
            }
        }
    }
}
