package io.flinkgpu.operator;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.column.StringFieldCodec;
import io.flinkgpu.operator.redact.RedactSpec;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Redacts numbered records into files, exactly once, and meets a fault of its device on the way. Exits with
 * 0 if all are redacted, with 1 if Flink takes a fault for the job's alone.
 */
final class FaultJob {

    private static final RuleSet RULES =
            RuleSet.of(Rule.of("secret", "secret", Action.label("[X]")));

    /** Set by the fault; read by the scripted backend. */
    private static volatile boolean isLost;

    private FaultJob() {}

    /**
     * The job's arguments.
     *
     * @param folder of checkpoints and output
     */
    record Settings(
            BackendChoice backend,
            DeviceFault fault,
            int records,
            int parallelism,
            java.nio.file.Path folder) {

        /** As arguments of {@link #main}, which goes on from the last checkpoint. */
        List<String> args() throws IOException {
            List<String> args =
                    new ArrayList<>(
                            List.of(
                                    backend.name(),
                                    fault.name(),
                                    Integer.toString(records),
                                    Integer.toString(parallelism),
                                    folder.toString()));
            lastCheckpoint(folder).ifPresent(path -> args.add(path.toUri().toString()));
            return args;
        }

        private static Settings of(String[] args) {
            return new Settings(
                    BackendChoice.valueOf(args[0]),
                    DeviceFault.valueOf(args[1]),
                    Integer.parseInt(args[2]),
                    Integer.parseInt(args[3]),
                    java.nio.file.Path.of(args[4]));
        }
    }

    public static void main(String[] args) throws Exception {
        Settings settings = Settings.of(args);
        if (settings.fault == DeviceFault.FULL_BEFORE_OPEN) {
            DeviceFault.fill(0);
        }
        Configuration config = new Configuration();
        // Flink would restart a job that cannot open for ever.
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
        config.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                settings.folder.resolve("checkpoints").toUri().toString());
        config.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        if (args.length > 5) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, args[5]);
        }
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(settings.parallelism, config);
        env.setMaxParallelism(16);
        redact(records(env, settings), settings)
                .map(new Faults(settings))
                .returns(Types.STRING)
                .uid("faults")
                .sinkTo(
                        FileSink.forRowFormat(
                                        new Path(settings.folder.resolve("output").toUri()),
                                        new SimpleStringEncoder<String>())
                                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                                .build())
                .uid("files");
        try {
            env.execute();
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    private static DataStream<String> records(StreamExecutionEnvironment env, Settings settings) {
        return env.fromSequence(1, settings.records)
                .uid("numbers")
                .map(new Numbered(settings.fault == DeviceFault.FULL_AFTER_OPEN))
                .returns(Types.STRING)
                .uid("records");
    }

    private static DataStream<String> redact(DataStream<String> records, Settings settings) {
        if (settings.fault != DeviceFault.SCRIPTED) {
            return GpuStreams.redact(
                            records,
                            text -> text,
                            (record, text) -> text,
                            RULES,
                            GpuOptions.DEFAULT.withBackend(settings.backend))
                    .uid("redaction");
        }
        BackendFactory losing =
                request ->
                        ScriptedBackend.openCpu(
                                request,
                                (call, rows) -> {
                                    if (call == Call.AWAIT && isLost) {
                                        throw new FatalDeviceException("made up");
                                    }
                                });
        return records.transform(
                        "redact",
                        Types.STRING,
                        new BatchOperatorFactory<>(
                                new RedactSpec<>(
                                        new StringFieldCodec<String>(
                                                text -> text, (record, text) -> text),
                                        RuleCompiler.compile(RULES),
                                        null,
                                        List.of(),
                                        null),
                                GpuOptions.DEFAULT,
                                losing,
                                losing))
                .uid("redaction");
    }

    /** What is wrong with the files that were committed, of so many records; empty if nothing is. */
    static String problem(java.nio.file.Path folder, int records) throws IOException {
        BitSet seen = new BitSet();
        int repeated = 0;
        int unredacted = 0;
        List<java.nio.file.Path> files;
        try (Stream<java.nio.file.Path> all = Files.walk(folder.resolve("output"))) {
            files =
                    all.filter(Files::isRegularFile)
                            .filter(file -> !file.getFileName().toString().startsWith("."))
                            .toList();
        }
        for (java.nio.file.Path file : files) {
            for (String line : Files.readAllLines(file)) {
                int number = Integer.parseInt(line.substring(line.indexOf(' ') + 1));
                repeated += seen.get(number) ? 1 : 0;
                unredacted += line.startsWith("[X] ") ? 0 : 1;
                seen.set(number);
            }
        }
        int lost = records - seen.cardinality();
        return lost + repeated + unredacted == 0
                ? ""
                : "lost=" + lost + ", repeated=" + repeated + ", unredacted=" + unredacted;
    }

    /** The newest checkpoint that is complete. */
    static Optional<java.nio.file.Path> lastCheckpoint(java.nio.file.Path folder)
            throws IOException {
        java.nio.file.Path checkpoints = folder.resolve("checkpoints");
        if (!Files.exists(checkpoints)) {
            return Optional.empty();
        }
        try (Stream<java.nio.file.Path> all = Files.walk(checkpoints, 2)) {
            return all.filter(path -> Files.exists(path.resolve("_metadata")))
                    .max(Comparator.comparingInt(path -> number(path.getFileName().toString())));
        }
    }

    private static int number(String checkpoint) {
        return Integer.parseInt(checkpoint.substring("chk-".length()));
    }

    /** Fills its device once all operators of its task are open, if it has to: that is before its own. */
    private static final class Numbered extends RichMapFunction<Long, String> {

        private static final long serialVersionUID = 1L;

        private final boolean fills;

        Numbered(boolean fills) {
            this.fills = fills;
        }

        @Override
        public void open(OpenContext context) throws InterruptedException {
            if (fills) {
                DeviceFault.fill(0);
            }
        }

        @Override
        public String map(Long number) {
            return "secret " + number;
        }
    }

    /**
     * Ruins the last subtask's device while batches are under way, once a checkpoint is complete, and at the
     * latest when it has half of its records.
     */
    private static final class Faults extends RichMapFunction<String, String>
            implements CheckpointListener {

        private static final long serialVersionUID = 1L;

        private final DeviceFault fault;
        private final int latest;
        private int seen;
        private boolean checkpointed;
        private boolean done;

        Faults(Settings settings) {
            this.fault = settings.fault;
            this.latest = settings.records / settings.parallelism / 2;
        }

        @Override
        public String map(String redacted) throws InterruptedException {
            seen++;
            if (!done && (checkpointed || seen > latest) && isLast()) {
                done = true;
                if (fault == DeviceFault.SCRIPTED) {
                    isLost = true;
                } else if (fault.ruins()) {
                    fault.ruin(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
                }
            }
            return redacted;
        }

        private boolean isLast() {
            return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask()
                    == getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks() - 1;
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            checkpointed = true;
        }
    }
}
