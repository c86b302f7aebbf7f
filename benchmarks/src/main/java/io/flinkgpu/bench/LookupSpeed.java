package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.lookup.MeasuredLink;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.embeddings.Elements;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.testkit.TestRequests;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The figures of {@link LookupBench}. One thread's. */
final class LookupSpeed {

    private static final int BATCH = 4_096;
    private static final int[] DEVICE_PERCENTS = {100, 5, 0};
    private static final int[] GATHER_THREADS = {1, 16};
    private static final int CHANGES = 1_000;
    private static final int CHANGES_PER_SECOND = 100_000;
    private static final double TURN_MICROS = 5e5;
    private static final int PERCENT = 100;
    private static final int UPDATES_PERCENT = 5;
    private static final int STREAM_PARTS = 20;

    /** Vectors of a table that is loaded for each share of it in device memory. */
    private static final long MOST_LOADED_TWICE = 100_000_000;

    private static final int BATCHES = 8;

    private final LookupOptions options;
    private final KeysReport report;
    private final List<BackendChoice> backends;
    private final Map<String, Long> answers = new LinkedHashMap<>();

    LookupSpeed(LookupOptions options, KeysReport report, List<BackendChoice> backends) {
        this.options = options;
        this.report = report;
        this.backends = backends;
    }

    private boolean hasGpu() {
        return backends.contains(BackendChoice.CUDA);
    }

    private void add(
            String axis, String engine, Map<String, Long> at, String unit, double... values)
            throws IOException {
        report.add(Figure.of("lookup-" + axis, engine, at, unit, values));
    }

    /** Lines read by a kernel beside plain copies. */
    void link() throws Exception {
        if (hasGpu()) {
            new LookupParts(options, report).link();
        } else {
            report.say("axis link needs a GPU");
        }
    }

    /**
     * What is looked up in a set of tables.
     *
     * @param at where figures of it are
     */
    private record Point(int requests, double skew, Map<String, Long> at) {}

    /** The batch with all vectors in device memory. */
    void device() throws Exception {
        inFolder(
                folder ->
                        lookups(
                                "batch",
                                made(() -> LookupData.criteo(folder, options.parts(1))),
                                List.of(batchPoint()),
                                new int[] {PERCENT}));
    }

    private Point batchPoint() {
        int requests = options.quick() ? 64 : BATCH;
        return new Point(requests, LookupData.USUAL_SKEW, Map.of("requests", (long) requests));
    }

    /** A batch of a model with the features of Criteo's. */
    void batch() throws Exception {
        List<Point> points = List.of(batchPoint());
        int requests = points.get(0).requests;
        inFolder(
                folder -> {
                    LookupData data = made(() -> LookupData.criteo(folder, options.parts(1)));
                    lookups("batch", data, points, DEVICE_PERCENTS);
                    if (hasGpu()) {
                        new LookupParts(options, report)
                                .stages(
                                        "batch",
                                        data,
                                        requests,
                                        LookupData.USUAL_SKEW,
                                        points.get(0).at);
                    }
                    gathers("batch", data, points);
                });
    }

    void rows() throws Exception {
        ElementType type = options.type();
        for (long rows : options.rows()) {
            Map<String, Long> at = new LinkedHashMap<>(Map.of("rows", rows));
            int[] percents = rows > MOST_LOADED_TWICE ? new int[] {5} : new int[] {100, 5};
            if (type != ElementType.F32) {
                at.put("vectorBytes", (long) type.vectorBytes(LookupData.DIMENSION));
                percents = new int[] {PERCENT};
            }
            Point point = new Point(options.batchIds(), LookupData.USUAL_SKEW, at);
            int[] all = percents;
            inFolder(
                    folder ->
                            lookups(
                                    "rows",
                                    made(() -> LookupData.of(folder, type, rows)),
                                    List.of(point),
                                    all));
        }
    }

    void ids() throws Exception {
        List<Point> points = new ArrayList<>();
        for (long ids : options.ids()) {
            points.add(new Point(Math.toIntExact(ids), LookupData.USUAL_SKEW, Map.of("ids", ids)));
        }
        inFolder(
                folder -> {
                    LookupData data = made(() -> LookupData.of(folder, options.table()));
                    lookups("ids", data, points, DEVICE_PERCENTS);
                    gathers("ids", data, points);
                });
    }

    void skew() throws Exception {
        List<Point> points = new ArrayList<>();
        for (double skew : options.skews()) {
            points.add(
                    new Point(
                            options.batchIds(),
                            skew,
                            Map.of("skewPercent", Math.round(PERCENT * skew))));
        }
        inFolder(
                folder ->
                        lookups(
                                "skew",
                                made(() -> LookupData.of(folder, options.table())),
                                points,
                                DEVICE_PERCENTS));
    }

    /** A network. */
    void dense() throws Exception {
        if (!hasGpu()) {
            report.say("axis dense needs a GPU");
            return;
        }
        new DenseSpeed(options, report).run();
    }

    /** Jobs that score samples. */
    void stream() throws Exception {
        inFolder(
                folder ->
                        new LookupStreamBench(
                                        options,
                                        report,
                                        made(
                                                () ->
                                                        LookupData.criteo(
                                                                folder,
                                                                options.parts(STREAM_PARTS))))
                                .run(backends));
    }

    /** How long changes take, and what lookups cost beside a stream of them. */
    void updates() throws Exception {
        inFolder(
                folder -> {
                    LookupData data = made(() -> LookupData.of(folder, options.table()));
                    for (BackendChoice backend : backends) {
                        try (LookupRig rig = open("updates", backend, data, UPDATES_PERCENT)) {
                            updates(rig, backend);
                            besideUpdates(rig, data, backend);
                        }
                    }
                });
    }

    private void updates(LookupRig rig, BackendChoice backend) throws Exception {
        double[] perChange = new double[options.repeats()];
        for (int i = 0; i < perChange.length; i++) {
            perChange[i] = rig.apply(changes(i)) / CHANGES;
        }
        add("updates", name(backend), Map.of("changes", (long) CHANGES), "us/change", perChange);
    }

    /** Lookups without and with changes at a rate, in turns: time goes on by what lookups and changes take. */
    private void besideUpdates(LookupRig rig, LookupData data, BackendChoice backend)
            throws Exception {
        List<ColumnBatch> batches = new ArrayList<>();
        try {
            for (int i = 0; i < BATCHES; i++) {
                batches.add(
                        rig.requests(data.requests(options.batchIds(), LookupData.USUAL_SKEW, i)));
            }
            turn(rig, batches, 0);
            turn(rig, batches, CHANGES_PER_SECOND);
            double[] without = new double[options.repeats()];
            double[] with = new double[options.repeats()];
            double[] cost = new double[options.repeats()];
            for (int i = 0; i < cost.length; i++) {
                without[i] = turn(rig, batches, 0);
                with[i] = turn(rig, batches, CHANGES_PER_SECOND);
                cost[i] = PERCENT * (1 - with[i] / without[i]);
            }
            Map<String, Long> at = Map.of("changesPerSecond", (long) CHANGES_PER_SECOND);
            add("updates", name(backend), Map.of("changesPerSecond", 0L), "ids/s", without);
            add("updates", name(backend), at, "ids/s", with);
            add("updates", name(backend), at, "% of lookups", cost);
        } finally {
            batches.forEach(ColumnBatch::close);
        }
    }

    /** How many ids are looked up a second. */
    private double turn(LookupRig rig, List<ColumnBatch> batches, int changesPerSecond)
            throws Exception {
        double most = options.quick() ? 1e4 : TURN_MICROS;
        double micros = 0;
        long ids = 0;
        int rounds = 0;
        for (int i = 0; micros < most; i++) {
            while ((double) rounds * CHANGES < micros / 1e6 * changesPerSecond) {
                micros += rig.apply(changes(rounds++));
            }
            micros += rig.micros(batches.get(i % BATCHES));
            ids += options.batchIds();
        }
        return ids / micros * 1e6;
    }

    private List<VectorChange> changes(int round) {
        List<VectorChange> changes = new ArrayList<>();
        SplitMix random = new SplitMix(round);
        for (int i = 0; i < CHANGES; i++) {
            float[] values = new float[LookupData.DIMENSION];
            Arrays.fill(values, random.below(1 << 20));
            long number = random.below(options.table());
            changes.add(
                    VectorChange.upsertElements(
                            "t0",
                            LookupData.id(0, number),
                            Elements.narrow(ElementType.F32, values)));
        }
        return changes;
    }

    /** What a gather on the host is called in figures. */
    static String gather(int threads) {
        return "gather-" + threads;
    }

    private static String name(BackendChoice backend) {
        return backend == BackendChoice.CUDA ? Engines.GPU : Engines.CPU;
    }

    private void lookups(String axis, LookupData data, List<Point> points, int[] devicePercents)
            throws Exception {
        for (BackendChoice backend : backends) {
            boolean isGpu = backend == BackendChoice.CUDA;
            for (int percent : isGpu ? devicePercents : new int[] {PERCENT}) {
                try (LookupRig rig = open(axis, backend, data, percent)) {
                    for (Point point : points) {
                        Map<String, Long> at = new LinkedHashMap<>(point.at);
                        if (isGpu) {
                            at.put("devicePercent", (long) percent);
                        }
                        lookups(axis, name(backend), rig, data, point, at);
                    }
                }
            }
        }
    }

    private void lookups(
            String axis,
            String engine,
            LookupRig rig,
            LookupData data,
            Point point,
            Map<String, Long> at)
            throws Exception {
        List<ColumnBatch> batches = new ArrayList<>();
        try {
            for (int i = 0; i < BATCHES; i++) {
                batches.add(rig.requests(data.requests(point.requests, point.skew, i)));
            }
            check(axis + " " + point.at, engine, rig.time(batches.get(0)).answer());
            WarmUp.run(BATCHES, options.quick(), i -> rig.time(batches.get(i % BATCHES)));
            long before = rig.gauge(TableGauge.LOOKUPS);
            long inDevice = rig.gauge(TableGauge.DEVICE_HITS);
            long inFiles = rig.gauge(TableGauge.DISK_HITS);
            long waited = rig.gauge(TableGauge.DISK_WAIT);
            double[] wall = new double[options.repeats()];
            double[] device = new double[options.repeats()];
            for (int i = 0; i < wall.length; i++) {
                LookupRig.Took took = rig.time(batches.get(i % BATCHES));
                wall[i] = took.wallMicros();
                device[i] = took.deviceMicros();
            }
            add(axis, engine, at, "us", wall);
            add(axis, engine, at, "us device", device);
            double looked = rig.gauge(TableGauge.LOOKUPS) - before;
            double hits = rig.gauge(TableGauge.DEVICE_HITS) - inDevice;
            add(axis, engine, at, "% in device", PERCENT * hits / looked);
            double reads = rig.gauge(TableGauge.DISK_HITS) - inFiles;
            if (reads > 0) {
                double waitedNanos = rig.gauge(TableGauge.DISK_WAIT) - waited;
                add(axis, engine, at, "us for files", waitedNanos / 1e3 / wall.length);
                add(axis, engine, at, "% in files", PERCENT * reads / looked);
            }
        } finally {
            batches.forEach(ColumnBatch::close);
        }
    }

    /** The same batches on the host. */
    private void gathers(String axis, LookupData data, List<Point> points) throws Exception {
        if (!hasGpu()) {
            try (BufferAllocator allocator = new RootAllocator()) {
                gathers(axis, data, points, allocator, null);
            }
            return;
        }
        try (CudaBackend gpu = CudaBackend.open(TestRequests.of(1L << 30));
                MeasuredLink link = new MeasuredLink(gpu)) {
            gathers(axis, data, points, gpu.allocator(), link);
        }
    }

    private void gathers(
            String axis,
            LookupData data,
            List<Point> points,
            BufferAllocator allocator,
            MeasuredLink link)
            throws Exception {
        for (int threads : GATHER_THREADS) {
            try (HostGather gather = new HostGather(data, threads, link)) {
                for (Point point : points) {
                    HostGather.Ids ids =
                            HostGather.Ids.of(data, data.requests(point.requests, point.skew, 0));
                    long bytes = (long) LookupData.VECTOR_BYTES * ids.ids().length;
                    try (ArrowBuf target = allocator.buffer(bytes)) {
                        WarmUp.run(
                                2,
                                options.quick(),
                                number -> gather.run(ids, target.memoryAddress()));
                        double[] micros = new double[options.repeats()];
                        for (int i = 0; i < micros.length; i++) {
                            micros[i] = gather.run(ids, target.memoryAddress());
                        }
                        add(axis, gather(threads), point.at, "us", micros);
                    }
                }
            }
        }
    }

    private void check(String what, String engine, long answer) {
        Long before = answers.putIfAbsent(what, answer);
        if (before != null && before != answer) {
            report.failed(
                    new IllegalStateException(
                            what + ", " + engine + ": answers are different from those before"));
        }
    }

    /** What is done with a folder. */
    @FunctionalInterface
    private interface Work {
        void run(Path folder) throws Exception;
    }

    /** Loads tables. */
    private LookupRig open(String axis, BackendChoice backend, LookupData data, int percent)
            throws Exception {
        long start = System.nanoTime();
        LookupRig rig = LookupRig.open(backend, data, data.bytes() * percent / PERCENT);
        Map<String, Long> at = new LinkedHashMap<>(Map.of("vectors", data.vectors()));
        if (backend == BackendChoice.CUDA) {
            at.put("devicePercent", (long) percent);
        }
        add(axis, name(backend), at, "s to load", (System.nanoTime() - start) / 1e9);
        return rig;
    }

    /** Makes data up. */
    @FunctionalInterface
    private interface Making {
        LookupData make() throws IOException;
    }

    private LookupData made(Making making) throws IOException {
        long start = System.nanoTime();
        LookupData data = making.make();
        report.say(
                "wrote base files of %,d vectors in %.1f s"
                        .formatted(data.vectors(), (System.nanoTime() - start) / 1e9));
        return data;
    }

    /** Does something with a folder of its own, which is deleted afterwards. */
    private void inFolder(Work work) throws Exception {
        Path folder = Files.createTempDirectory(options.folder(), "lookup");
        try {
            work.run(folder);
        } finally {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }
}
