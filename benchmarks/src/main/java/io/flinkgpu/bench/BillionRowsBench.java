package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.util.Collector;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Minimum, mean and maximum of 413 stations in a file of measurements: the straightforward DataStream job
 * (lines of text, split, keyBy, aggregate) against lines that are aggregated from their bytes, both in
 * this process, parallelism 2, object reuse on. CPU time is that of the whole process, JIT and garbage
 * collection included; nothing is subtracted. What a row costs beyond the start of a job is told by two
 * runs on files of different size.
 *
 * <p>Arguments: {@code [rows of ours] [rows of the peer] [cpu|cuda|auto] [ranges|chunks]}, by default 50
 * million, a tenth of that, cpu, ranges. No rows of the peer leave it out.
 */
public final class BillionRowsBench {

    private static final int PARALLELISM = Integer.getInteger("parallelism", 2);
    static final int STATIONS = 413;
    private static final int STEADY_FILES = 3;
    private static final TypeInformation<Tuple4<String, Long, Long, BigDecimal>> RESULT =
            TypeInformation.of(new TypeHint<>() {});

    private BillionRowsBench() {}

    /** What a run took. */
    private record Cost(long rows, double wallSeconds, double cpuSeconds) {

        double nanosPerRow() {
            return cpuSeconds * 1e9 / rows;
        }

        double nanosPerRowBeyond(Cost smaller) {
            return (cpuSeconds - smaller.cpuSeconds) * 1e9 / (rows - smaller.rows);
        }
    }

    /** A way to get at the results. */
    @FunctionalInterface
    interface Engine {

        DataStream<Tuple4<String, Long, Long, BigDecimal>> results(
                StreamExecutionEnvironment environment, Path file);
    }

    public static void main(String[] args) throws Exception {
        long rows = args.length > 0 ? Long.parseLong(args[0]) : 50_000_000;
        long peerRows = args.length > 1 ? Long.parseLong(args[1]) : rows / 10;
        BackendChoice backend =
                BackendChoice.valueOf((args.length > 2 ? args[2] : "cpu").toUpperCase(Locale.ROOT));
        boolean ranges = args.length < 4 || args[3].equals("ranges");
        Engine ours = (environment, file) -> ours(environment, file, backend, ranges);
        Cost peer = null;
        if (peerRows > 0) {
            checkSameResults(ours);
            File peersLarge = generated(peerRows);
            peer = measured("peer", BillionRowsBench::peer, peersLarge, peerRows);
            peersLarge.delete();
        }
        File large = generated(rows);
        Cost cost = measured("ours", ours, large, rows);
        printSteady(ours, large, rows);
        large.delete();
        if (peer != null) {
            System.out.printf(
                    Locale.ROOT,
                    "the peer takes %.1f times the CPU time of ours a row, start of the job included%n",
                    peer.nanosPerRow() / cost.nanosPerRow());
        }
        System.exit(0);
    }

    private static Cost measured(String name, Engine engine, File large, long rows)
            throws Exception {
        File small = generated(rows / 10);
        Cost first = run(engine, small, rows / 10);
        print(name + ", first", first);
        Cost second = run(engine, small, rows / 10);
        print(name + ", again", second);
        small.delete();
        Cost cost = run(engine, large, rows);
        print(name, cost);
        System.out.printf(
                Locale.ROOT,
                "%-12s %.1f ns of CPU for each row more%n",
                name,
                cost.nanosPerRowBeyond(second));
        return cost;
    }

    /** What a row costs once the JIT is done with Flink's own code: the file once, and three times. */
    private static void printSteady(Engine engine, File large, long rows) throws Exception {
        java.nio.file.Path folder = Files.createTempDirectory("billion-rows");
        for (int i = 0; i < STEADY_FILES; i++) {
            Files.createLink(folder.resolve(i + ".txt"), large.toPath());
        }
        Cost once = run(engine, large, rows);
        print("ours, steady", once);
        Cost more = run(engine, folder.toFile(), STEADY_FILES * rows);
        print("ours, steady", more);
        for (int i = 0; i < STEADY_FILES; i++) {
            Files.delete(folder.resolve(i + ".txt"));
        }
        Files.delete(folder);
        System.out.printf(
                Locale.ROOT,
                "ours, steady %.1f ns of CPU for each row more%n",
                more.nanosPerRowBeyond(once));
    }

    private static void print(String name, Cost cost) {
        System.out.printf(
                Locale.ROOT,
                "%-12s %,d rows: %.2f s, %.1f M rows/s; CPU %.2f s, %.1f ns a row%n",
                name,
                cost.rows,
                cost.wallSeconds,
                cost.rows / cost.wallSeconds / 1e6,
                cost.cpuSeconds,
                cost.nanosPerRow());
    }

    private static Cost run(Engine engine, File file, long rows) throws Exception {
        long wall = System.nanoTime();
        long cpu = cpuNanos();
        int stations = collected(engine, file).size();
        Cost cost = new Cost(rows, (System.nanoTime() - wall) / 1e9, (cpuNanos() - cpu) / 1e9);
        if (stations != STATIONS) {
            throw new IllegalStateException("not all stations came out: stations=" + stations);
        }
        return cost;
    }

    private static List<Tuple4<String, Long, Long, BigDecimal>> collected(Engine engine, File file)
            throws Exception {
        return collected(engine, file, PARALLELISM);
    }

    /** Runs a job, with a cluster of its own. */
    static List<Tuple4<String, Long, Long, BigDecimal>> collected(
            Engine engine, File file, int parallelism) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
        return engine.results(environment, Path.fromLocalFile(file)).executeAndCollect(1 << 20);
    }

    private static void checkSameResults(Engine ours) throws Exception {
        File file = generated(300_000);
        TreeMap<String, Object> a = new TreeMap<>();
        TreeMap<String, Object> b = new TreeMap<>();
        collected(BillionRowsBench::peer, file).forEach(row -> a.put(row.f0, row));
        collected(ours, file).forEach(row -> b.put(row.f0, row));
        file.delete();
        if (!a.equals(b)) {
            throw new IllegalStateException("different results: " + a + ", " + b);
        }
        System.out.println("same results: " + a.size() + " stations");
    }

    /** Station, minimum and maximum in tenths, mean with six digits. */
    static DataStream<Tuple4<String, Long, Long, BigDecimal>> ours(
            StreamExecutionEnvironment environment,
            Path file,
            BackendChoice backend,
            boolean ranges) {
        LineFiles files = LineFiles.of(file);
        DataStream<? extends Lines> lines =
                ranges
                        ? environment.fromSource(
                                files.ranges(), WatermarkStrategy.noWatermarks(), "ranges")
                        : environment.fromSource(
                                files.chunks(), WatermarkStrategy.noWatermarks(), "chunks");
        return GpuStreams.lines(lines, Delimited.of(';').string("station").decimal("temp", 1))
                .withOptions(GpuOptions.DEFAULT.withBackend(backend))
                .keyBy("station")
                .window(GlobalWindows.createWithEndOfStreamTrigger())
                .aggregate(
                        Aggregates.ofField("temp").min().max().mean(),
                        result ->
                                Tuple4.of(
                                        result.key(),
                                        result.values().getDecimal(0).unscaledValue().longValue(),
                                        result.values().getDecimal(1).unscaledValue().longValue(),
                                        result.values().getDecimal(2)),
                        RESULT);
    }

    /** What one writes by hand. */
    static DataStream<Tuple4<String, Long, Long, BigDecimal>> peer(
            StreamExecutionEnvironment environment, Path file) {
        return environment
                .fromSource(
                        FileSource.forRecordStreamFormat(new TextLineInputFormat(), file).build(),
                        WatermarkStrategy.noWatermarks(),
                        "lines")
                .map(BillionRowsBench::measurement)
                .returns(Types.TUPLE(Types.STRING, Types.LONG))
                .keyBy(measurement -> measurement.f0, Types.STRING)
                .window(GlobalWindows.createWithEndOfStreamTrigger())
                .aggregate(new PlainAggregate(), new AddStation());
    }

    private static Tuple2<String, Long> measurement(String line) {
        int separator = line.indexOf(';');
        int point = line.indexOf('.', separator);
        long whole = Long.parseLong(line, separator + 1, point, 10) * 10;
        int digit = line.charAt(point + 1) - '0';
        boolean negative = line.charAt(separator + 1) == '-';
        return Tuple2.of(line.substring(0, separator), negative ? whole - digit : whole + digit);
    }

    /** Measurements of 14 bytes a row. */
    static File generated(long rows) throws IOException {
        File file = Files.createTempFile("billion-rows", ".txt").toFile();
        file.deleteOnExit();
        SplittableRandom random = new SplittableRandom(1);
        byte[][] stations = new byte[STATIONS][];
        for (int i = 0; i < STATIONS; i++) {
            String name = "St" + i + "abcdefgh".substring(random.nextInt(9)) + ";";
            stations[i] = name.getBytes(StandardCharsets.UTF_8);
        }
        byte[][] temperatures = new byte[1_999][];
        for (int i = 0; i < temperatures.length; i++) {
            String text = BigDecimal.valueOf(i - 999, 1) + "\n";
            temperatures[i] = text.getBytes(StandardCharsets.UTF_8);
        }
        try (OutputStream out =
                new BufferedOutputStream(Files.newOutputStream(file.toPath()), 1 << 20)) {
            for (long row = 0; row < rows; row++) {
                long bits = random.nextLong();
                out.write(stations[(int) ((bits >>> 32) * STATIONS >>> 32)]);
                // The sum of two: few are far from the middle.
                int temperature = (int) ((bits & 0xffff) % 1_000 + (bits >>> 16 & 0xffff) % 1_000);
                out.write(temperatures[temperature]);
            }
        }
        return file;
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /** Count, sum, minimum, maximum. */
    private static final class PlainAggregate
            implements AggregateFunction<
                    Tuple2<String, Long>,
                    Tuple4<Long, Long, Long, Long>,
                    Tuple4<Long, Long, Long, Long>> {

        private static final long serialVersionUID = 1L;

        @Override
        public Tuple4<Long, Long, Long, Long> createAccumulator() {
            return Tuple4.of(0L, 0L, Long.MAX_VALUE, Long.MIN_VALUE);
        }

        @Override
        public Tuple4<Long, Long, Long, Long> add(
                Tuple2<String, Long> measurement, Tuple4<Long, Long, Long, Long> kept) {
            kept.f0++;
            kept.f1 += measurement.f1;
            kept.f2 = Math.min(kept.f2, measurement.f1);
            kept.f3 = Math.max(kept.f3, measurement.f1);
            return kept;
        }

        @Override
        public Tuple4<Long, Long, Long, Long> getResult(Tuple4<Long, Long, Long, Long> kept) {
            return kept;
        }

        @Override
        public Tuple4<Long, Long, Long, Long> merge(
                Tuple4<Long, Long, Long, Long> a, Tuple4<Long, Long, Long, Long> b) {
            return Tuple4.of(a.f0 + b.f0, a.f1 + b.f1, Math.min(a.f2, b.f2), Math.max(a.f3, b.f3));
        }
    }

    private static final class AddStation
            extends ProcessWindowFunction<
                    Tuple4<Long, Long, Long, Long>,
                    Tuple4<String, Long, Long, BigDecimal>,
                    String,
                    GlobalWindow> {

        private static final long serialVersionUID = 1L;

        @Override
        public void process(
                String station,
                Context context,
                Iterable<Tuple4<Long, Long, Long, Long>> values,
                Collector<Tuple4<String, Long, Long, BigDecimal>> out) {
            Tuple4<Long, Long, Long, Long> kept = values.iterator().next();
            BigDecimal mean =
                    BigDecimal.valueOf(kept.f1, 1)
                            .divide(BigDecimal.valueOf(kept.f0), 6, RoundingMode.HALF_UP);
            out.collect(Tuple4.of(station, kept.f2, kept.f3, mean));
        }
    }
}
