package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.source.LineFileSinks;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.FileUtils;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Redaction of files into files by a Flink job, over parallelism; on the GPU also with the result thrown
 * away, which tells what writing costs. The job's time is as Flink has it, so with the start of its
 * tasks, in a process that has run such a job before.
 *
 * <p>Files are in {@value #MEMORY}, where it has room: {@code FileSink} waits for a disk, and the disk is
 * not meant here. The input is one file under as many names as give the bytes.
 */
final class FilesAxis {

    private static final String MEMORY = "/dev/shm";
    private static final int CHECKED_BYTES = 16 << 20;
    private static final long FILE_BYTES = 256L << 20;
    private static final int CPU_FILES_A_SUBTASK = 1;
    private static final int GPU_FILES_A_SUBTASK = 4;

    private final Lab lab;
    private final Path folder;
    private final Path repeated;

    private FilesAxis(Lab lab, Path folder) {
        this.lab = lab;
        this.folder = folder;
        repeated = folder.resolve("lines.log");
    }

    static void run(Lab lab) throws Exception {
        Path folder = workFolder(lab);
        try {
            new FilesAxis(lab, folder).run();
        } finally {
            FileUtils.deleteDirectory(folder.toFile());
        }
    }

    private static Path workFolder(Lab lab) throws IOException {
        long cores = Runtime.getRuntime().availableProcessors();
        // As much again for the output.
        long needed =
                lab.settings().quick() ? 1 << 20 : (1 + GPU_FILES_A_SUBTASK * cores) * FILE_BYTES;
        File memory = new File(MEMORY);
        if (memory.isDirectory() && memory.getUsableSpace() > needed) {
            return Files.createTempDirectory(memory.toPath(), "flink-files");
        }
        lab.say(
                "files: no room in "
                        + MEMORY
                        + ", so these figures are of a disk: bytes="
                        + needed);
        return Files.createTempDirectory("flink-files");
    }

    private void run() throws Exception {
        int cores = lab.settings().pick(Runtime.getRuntime().availableProcessors(), 1);
        for (BackendChoice backend : lab.choices()) {
            check(backend);
        }
        long bytes = write(repeated, lab.settings().quick() ? 1 << 20 : FILE_BYTES);
        for (int parallelism : new TreeSet<>(Arrays.asList(1, Math.min(4, cores), cores))) {
            for (BackendChoice backend : lab.choices()) {
                boolean gpu = backend == BackendChoice.CUDA;
                // These take long, and the GPU on all cores is what a target is for.
                int fewer = lab.settings().pick(2, 1);
                int runs = gpu && parallelism == cores ? lab.settings().runs() : fewer;
                int names = parallelism * (gpu ? GPU_FILES_A_SUBTASK : CPU_FILES_A_SUBTASK);
                Path input = linked(names);
                measure(backend, parallelism, input, names * bytes, true, runs);
                if (gpu && parallelism == cores) {
                    measure(backend, parallelism, input, names * bytes, false, fewer);
                }
                FileUtils.deleteDirectory(input.toFile());
            }
        }
    }

    /** A folder with the file under so many names. */
    private Path linked(int names) throws IOException {
        Path input = Files.createDirectory(folder.resolve("in"));
        for (int i = 0; i < names; i++) {
            Files.createLink(input.resolve(i + ".log"), repeated);
        }
        return input;
    }

    private void measure(
            BackendChoice backend,
            int parallelism,
            Path input,
            long bytes,
            boolean toFiles,
            int runs)
            throws Exception {
        double[] rates = new double[runs];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = bytes / seconds(backend, parallelism, input, toFiles) / 1e9;
        }
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("bytes", bytes);
        at.put("parallelism", (long) parallelism);
        at.put("toFiles", toFiles ? 1L : 0L);
        lab.add(Figure.of("files", Engines.flink(backend), at, "GB/s", rates));
    }

    private double seconds(BackendChoice backend, int parallelism, Path file, boolean toFiles)
            throws Exception {
        StreamExecutionEnvironment environment = lab.jobs().environment(parallelism);
        Path output = folder.resolve("out");
        DataStream<LineRange> lines =
                environment.fromSource(
                        LineFiles.of(path(file)).ranges(),
                        WatermarkStrategy.noWatermarks(),
                        "lines");
        GpuOptions options = GpuOptions.DEFAULT.withBackend(backend);
        if (toFiles) {
            GpuStreams.redactLinesTo(
                    lines, lab.rules(), options, LineFileSinks.onePerSubtask(path(output)));
        } else {
            GpuStreams.redactLines(lines, lab.rules(), options).sinkTo(new DiscardingSink<>());
        }
        double seconds = Jobs.seconds(environment.execute("files"));
        FileUtils.deleteDirectory(output.toFile());
        return seconds;
    }

    /** Fails unless a job writes what the CPU backend makes of the same bytes; warms up as well. */
    private void check(BackendChoice backend) throws Exception {
        Path file = folder.resolve("checked.log");
        Path output = folder.resolve("checked");
        byte[] lines = lab.input().lines(lab.settings().pick(CHECKED_BYTES, 1 << 16));
        Files.write(file, lines);
        StreamExecutionEnvironment environment = lab.jobs().environment(1);
        GpuStreams.redactLinesTo(
                environment.fromSource(
                        LineFiles.of(path(file)).ranges(),
                        WatermarkStrategy.noWatermarks(),
                        "lines"),
                lab.rules(),
                GpuOptions.DEFAULT.withBackend(backend),
                LineFileSinks.onePerSubtask(path(output)));
        environment.execute("checked");
        int differs = Arrays.mismatch(written(output), redacted(lines));
        if (differs >= 0) {
            throw new IllegalStateException(
                    "the job's output is not the CPU backend's: backend="
                            + backend
                            + ", first difference at byte "
                            + differs);
        }
        FileUtils.deleteDirectory(output.toFile());
    }

    private byte[] redacted(byte[] lines) throws Exception {
        try (CompiledProgram<RedactedBatch> program =
                        lab.cpu().compile(new RedactPlan(lab.compiledRules()));
                ColumnBatch batch = BenchInput.batch(lab.cpu().allocator(), lines);
                RedactedBatch result = program.submit(batch).await()) {
            return result.text().copy(0, result.text().dataBytes());
        }
    }

    private static byte[] written(Path output) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Stream<Path> files = Files.list(output)) {
            for (Path file : files.sorted().toList()) {
                bytes.write(Files.readAllBytes(file));
            }
        }
        return bytes.toByteArray();
    }

    private long write(Path file, long bytes) throws IOException {
        byte[] lines = lab.input().lines((int) Math.min(bytes, 64 << 20));
        long written = 0;
        try (OutputStream out = Files.newOutputStream(file)) {
            while (written + lines.length <= bytes) {
                out.write(lines);
                written += lines.length;
            }
        }
        return written;
    }

    private static org.apache.flink.core.fs.Path path(Path file) {
        return new org.apache.flink.core.fs.Path(file.toUri());
    }
}
