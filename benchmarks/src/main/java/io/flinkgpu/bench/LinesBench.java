package io.flinkgpu.bench;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Lines parsed, grouped and aggregated by the CPU backend on one core, in batches of 4 MiB, and for
 * comparison by a plain loop over the same lines as strings. Prints CPU time, which other processes
 * disturb less than the clock: the least and the median of the runs.
 *
 * <p>Arguments: names of cases to run; all if there are none.
 */
public final class LinesBench {

    private static final int BATCH_BYTES = 4 << 20;
    private static final int BATCHES = 16;
    private static final int WARM_UP_RUNS = 8;
    private static final int RUNS = 15;
    private static final int PLAIN_RUNS = 3;
    private static final long SEED = 1;

    private static final Delimited STATIONS =
            Delimited.of(';').string("station").decimal("temp", 1);
    private static final Delimited TIMED =
            Delimited.of(',').epochMillis("t").string("key").decimal("price", 2);
    private static final Delimited DOUBLES = Delimited.of(',').string("key").doubleNumber("x");
    private static final Delimited WIDE =
            Delimited.of(',')
                    .skipped()
                    .string("key")
                    .skipped()
                    .longNumber("n")
                    .skipped()
                    .intNumber("m");
    private static final Delimited QUOTED =
            Delimited.of(',').quoted().string("key").decimal("price", 2);
    private static final Delimited ISO =
            Delimited.of(',').isoTimestamp("t").string("key").decimal("price", 2);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private LinesBench() {}

    /** Lines of a format. */
    private enum Case {
        STATIONS_413(STATIONS, 413),
        STATIONS_CRLF(STATIONS, 413),
        STATIONS_10K(STATIONS, 10_000),
        STATIONS_1M(STATIONS, 1_000_000),
        TIMED_413(TIMED, 413),
        ISO_413(ISO, 413),
        DOUBLES_413(DOUBLES, 413),
        WIDE_413(WIDE, 413),
        QUOTED_413(QUOTED, 413);

        private final Delimited format;
        private final int keys;

        Case(Delimited format, int keys) {
            this.format = format;
            this.keys = keys;
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("case | bytes a row | ns a row, least | median | plain loop, least");
        for (Case one : Case.values()) {
            if (args.length == 0 || Arrays.asList(args).contains(one.name())) {
                run(one, args.length == 0);
            }
        }
    }

    private static void run(Case one, boolean withPlain) throws Exception {
        try (CpuBackend backend = CpuBackend.open(TestRequests.of(4L << 30));
                CompiledProgram<LineGroups> program = backend.compile(plan(one.format))) {
            List<byte[]> texts = texts(one);
            List<ColumnBatch> batches = new ArrayList<>();
            for (byte[] text : texts) {
                batches.add(batch(backend.allocator(), text));
            }
            long rows = check(program, batches);
            long bytes = texts.stream().mapToLong(text -> text.length).sum();
            double[] nanos = measure(() -> aggregate(program, batches), WARM_UP_RUNS, RUNS);
            double plain =
                    withPlain && one.format == STATIONS
                            ? measure(() -> plainLoop(texts), 1, PLAIN_RUNS)[0] / rows
                            : Double.NaN;
            System.out.printf(
                    Locale.ROOT,
                    "%-12s | %4.1f | %6.2f | %6.2f | %6.1f%n",
                    one,
                    (double) bytes / rows,
                    nanos[0] / rows,
                    nanos[RUNS / 2] / rows,
                    plain);
            batches.forEach(ColumnBatch::close);
        }
    }

    /** CPU time of each run in nanoseconds, ascending. */
    private static double[] measure(LongSupplier work, int warmUps, int runs) {
        for (int i = 0; i < warmUps; i++) {
            work.getAsLong();
        }
        double[] nanos = new double[runs];
        for (int i = 0; i < runs; i++) {
            long start = THREADS.getCurrentThreadCpuTime();
            work.getAsLong();
            nanos[i] = THREADS.getCurrentThreadCpuTime() - start;
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static long aggregate(CompiledProgram<LineGroups> program, List<ColumnBatch> batches) {
        long groups = 0;
        try {
            for (ColumnBatch batch : batches) {
                try (LineGroups result = program.submit(batch).await()) {
                    groups += result.groups().groups();
                }
            }
        } catch (BackendException e) {
            throw new IllegalStateException(e);
        }
        return groups;
    }

    /** How many lines there are, of which none may be refused. */
    private static long check(CompiledProgram<LineGroups> program, List<ColumnBatch> batches)
            throws BackendException {
        long rows = 0;
        for (ColumnBatch batch : batches) {
            try (LineGroups result = program.submit(batch).await()) {
                rows += result.lines();
                if (result.refused() > 0) {
                    throw new IllegalStateException("refused lines: " + result.refused());
                }
            }
        }
        return rows;
    }

    private static long plainLoop(List<byte[]> texts) {
        Map<String, double[]> stations = new HashMap<>();
        for (byte[] text : texts) {
            for (String line : new String(text, StandardCharsets.UTF_8).split("\n")) {
                String[] fields = line.split(";");
                double value = Double.parseDouble(fields[1]);
                double[] station =
                        stations.computeIfAbsent(
                                fields[0],
                                key ->
                                        new double[] {
                                            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, 0
                                        });
                station[0] = Math.min(station[0], value);
                station[1] = Math.max(station[1], value);
                station[2] += value;
                station[3]++;
            }
        }
        return stations.size();
    }

    private static List<byte[]> texts(Case one) {
        Random random = new Random(SEED);
        String[] names = new String[one.keys];
        for (int i = 0; i < names.length; i++) {
            names[i] = name(random, i, one.keys);
        }
        List<byte[]> texts = new ArrayList<>();
        long row = 0;
        for (int i = 0; i < BATCHES; i++) {
            StringBuilder text = new StringBuilder(BATCH_BYTES);
            while (text.length() < BATCH_BYTES * 0.97) {
                appendLine(text, one.format, names[random.nextInt(names.length)], random, row++);
                text.append(one == Case.STATIONS_CRLF ? "\r\n" : "\n");
            }
            texts.add(text.toString().getBytes(StandardCharsets.UTF_8));
        }
        return texts;
    }

    /** Of 3 to 26 letters, of which about one in fifty takes two bytes; 7.5 bytes in the mean. */
    private static String name(Random random, int number, int names) {
        int kind = random.nextInt(100);
        int length =
                kind < 45
                        ? 4 + random.nextInt(3)
                        : kind < 85
                                ? 6 + random.nextInt(4)
                                : kind < 97 ? 10 + random.nextInt(5) : 15 + random.nextInt(12);
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < length; i++) {
            name.append(random.nextInt(50) == 0 ? 'é' : (char) ('a' + random.nextInt(26)));
        }
        return names > 1000
                ? name.append(Integer.toString(number, 36)).toString()
                : name.toString();
    }

    private static void appendLine(
            StringBuilder text, Delimited format, String name, Random random, long row) {
        int tenths = (int) Math.round(150 + 180 * random.nextGaussian());
        if (format == STATIONS) {
            text.append(name).append(';').append(tenths / 10.0);
        } else if (format == TIMED) {
            text.append(1_700_000_000_000L + row).append(',').append(name).append(',');
            text.append(random.nextInt(100_000) / 100).append('.').append(10 + random.nextInt(90));
        } else if (format == ISO) {
            text.append(Instant.ofEpochMilli(1_700_000_000_001L + 2 * row));
            text.append(',').append(name).append(',').append(tenths / 10.0);
        } else if (format == DOUBLES) {
            text.append(name).append(',').append(random.nextInt(1_000_000) / 1000.0);
        } else if (format == QUOTED) {
            text.append('"').append(name).append("\",\"").append(tenths / 10.0).append('"');
        } else {
            text.append("some text,").append(name).append(",x,").append(random.nextInt(1 << 20));
            text.append(",2024-05-06T07:08:09,").append(random.nextInt(1000));
        }
    }

    private static LinePlan plan(Delimited format) {
        List<Integer> numbers = new ArrayList<>();
        List<ValueSpec> values = new ArrayList<>();
        TimeSlices time = null;
        List<Field> fields = format.fields();
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            if (field.isTimestamp()) {
                time = new TimeSlices(i, 60_000, 0);
            } else if (field.isNumber()) {
                numbers.add(i);
                values.add(
                        new ValueSpec(
                                field.name(),
                                field.valueType(),
                                List.of(Aggregate.MIN, Aggregate.MEAN, Aggregate.MAX)));
            }
        }
        int key = format.indexOf(format == STATIONS ? "station" : "key");
        return new LinePlan(format, key, time, numbers, values);
    }

    private static ColumnBatch batch(BufferAllocator allocator, byte[] text) {
        try (ArrowBuf offsets = allocator.buffer(2 * Integer.BYTES);
                ArrowBuf data = allocator.buffer(text.length)) {
            MemoryUtil.putInt(offsets.memoryAddress(), 0);
            MemoryUtil.putInt(offsets.memoryAddress() + Integer.BYTES, text.length);
            MemoryUtil.copyToMemory(text, 0, data.memoryAddress(), text.length);
            return TextColumns.of(allocator, 1, offsets, data, 0);
        }
    }
}
