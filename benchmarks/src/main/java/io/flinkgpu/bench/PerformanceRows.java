package io.flinkgpu.bench;

import java.util.List;

/** What docs/performance.md tells: figures where we are ahead or behind, in the order of its tables. */
final class PerformanceRows {

    private static final long MIB_4 = 4L << 20;

    private static final Pick REDACTION = Pick.of("devices", Engines.GPU_THREADS, "GB/s");
    private static final Pick FILES = Pick.of("files", Engines.FLINK_GPU, "GB/s").at("toFiles", 1);
    private static final Pick LINES = lines(Engines.OURS_CUDA);
    private static final Pick LOOKUP =
            Pick.of("lookup-batch", Engines.GPU, "us device").at("devicePercent", 100);

    private PerformanceRows() {}

    private static Pick lines(String engine) {
        return Pick.of("lines-by-keys", engine, "s/100 M lines").at("warm", 1);
    }

    /** A file of a billion lines. */
    private static Pick stations(String engine) {
        return Pick.of("stations", engine, "s").at("fileBytes", 14_040_000_000L);
    }

    private static Pick window(String cell, String engine) {
        return Pick.of("windows " + cell, engine, "us CPU/row");
    }

    private static Pick search(String axis, String engine) {
        return Pick.of("search-" + axis, engine, "ms").at("documents", 7_853_052);
    }

    /** Those of the main table that README.md shows on its first screen. */
    static List<PerformanceRow> first() {
        return List.of(allCores(), batches(), windows(), billionLines());
    }

    /** The main table. */
    static List<PerformanceRow> all() {
        return List.of(
                allCores(),
                PerformanceRow.of(
                                "{rules} rules, batches of 4 MiB from host to host, 8 threads, one GPU",
                                REDACTION.at("batchBytes", MIB_4).at("threads", 8).at("devices", 1),
                                "2026-11-26-67-rules.md")
                        .limitedBy("half of the link's both ways", h -> h.bothGbPerS() / 2)
                        .target(40),
                batches(),
                PerformanceRow.of(
                                "{rules} rules, lines on the device, kernels alone",
                                Pick.of("redaction", Engines.KERNELS, "GB/s"),
                                "2026-11-22-peers.md")
                        .beside(
                                "libcudf, those rules that it takes in turn",
                                Pick.of("redaction", "libcudf-sequence", "GB/s")),
                PerformanceRow.of(
                                "redaction of files into files by a Flink job, 16 cores, one GPU",
                                FILES.at("parallelism", 16),
                                "2026-11-22-file-to-file.md")
                        .beside(
                                "the CPU backend on these cores",
                                Pick.of("files", Engines.FLINK_CPU, "GB/s").at("parallelism", 16))
                        .target(8),
                PerformanceRow.of(
                                "operator over an empty map, a record, CPU backend",
                                Pick.of("records", "flink-cpu-over-map", "ns/record"),
                                "2026-11-22-targets.md")
                        .target(150),
                PerformanceRow.of(
                                "p99 of a record at half load, delay of 5 ms, one GPU",
                                Pick.of("latency", "flink-gpu-p99", "ms").at("loadPercent", 50),
                                "2026-11-21-operators.md")
                        .beside(
                                "the CPU backend at its half load",
                                Pick.of("latency", "flink-cpu-p99", "ms").at("loadPercent", 50))
                        .target(15),
                PerformanceRow.of(
                                "`MIN`, `AVG`, `MAX` of 100 million lines, 413 keys, one GPU",
                                LINES.at("keys", 413),
                                "2026-11-23-any-number-of-keys.md")
                        .shownAs("s", 1)
                        .beside("DuckDB, 16 threads", lines(Engines.DUCKDB).at("keys", 413))
                        .limitedBy("the link", h -> 1.44 / h.toDeviceGbPerS())
                        .target(0.5),
                PerformanceRow.of(
                                "the same, 10 million keys, one GPU",
                                LINES.at("keys", 10_000_000),
                                "2026-11-23-any-number-of-keys.md")
                        .shownAs("s", 1)
                        .beside("DuckDB, 16 threads", lines(Engines.DUCKDB).at("keys", 10_000_000))
                        .target(1.4),
                billionLines(),
                windows(),
                PerformanceRow.of(
                                "the same, RocksDB",
                                window("tumbling-100000-rocksdb", Engines.OURS),
                                "2026-11-23-any-number-of-keys.md")
                        .shownAs("us", 1)
                        .beside("Flink", window("tumbling-100000-rocksdb", Engines.FLINK))
                        .beside("Flink SQL", window("tumbling-100000-rocksdb", Engines.FLINK_SQL)),
                PerformanceRow.of(
                                "count windows of 10,000 keys, heap, CPU time a row",
                                window("count-10000-heap", Engines.OURS),
                                "2026-11-23-any-number-of-keys.md")
                        .shownAs("us", 1)
                        .beside("Flink", window("count-10000-heap", Engines.FLINK)),
                PerformanceRow.of(
                                "SQL: TUMBLE of 413 keys in tables, CPU time a row",
                                Pick.of("sql-tumble", Engines.OURS, "ns CPU/row"),
                                "2026-11-26-sql-aggregation.md")
                        .shownAs("ns", 1)
                        .beside("Flink's plan", Pick.of("sql-tumble", Engines.FLINK, "ns CPU/row")),
                PerformanceRow.of(
                                "SQL: 18 nested `REGEXP_REPLACE`, CPU time a row",
                                Pick.of("sql-nested", Engines.OURS, "ns CPU/row"),
                                "2026-11-26-sql-calc.md")
                        .shownAs("ns", 1)
                        .beside("Flink's plan", Pick.of("sql-nested", Engines.FLINK, "ns CPU/row"))
                        .target(2500),
                PerformanceRow.of(
                                "an expression over 10 million rows, kernel alone",
                                Pick.of("names", Engines.KERNELS, "M rows/s")
                                        .at("rows", 10_000_000),
                                "2026-11-21-expressions-gpu.md")
                        .beside(
                                "libcudf, five calls",
                                Pick.of("names", "libcudf", "M rows/s").at("rows", 10_000_000)),
                PerformanceRow.of(
                                "the 100 most alike of 7,853,052 sets for 2,000 queries, skew 1, one GPU",
                                search("champion", Engines.GPU).at("skewPercent", 100),
                                "2026-11-26-set-search.md")
                        .beside(
                                "a contest's CUDA champion",
                                search("champion", "champion").at("skewPercent", 100))
                        .target(24),
                PerformanceRow.of(
                                "4,096 requests for an id in each of 26 tables, kernels, all in device memory",
                                LOOKUP,
                                "2026-11-26-lookup.md")
                        .shownAs("us", 1)
                        .target(40),
                PerformanceRow.of(
                                "samples scored as a stream by 8 subtasks, deep & cross network, one GPU",
                                Pick.of("lookup-stream", Engines.FLINK_GPU, "samples/s")
                                        .at("parallelism", 8),
                                "2026-11-27-lookup-in-one-launch.md")
                        .shownAs("thousand/s", 1e-3)
                        .beside(
                                "batches that a job gathers on the host for the same kernels",
                                Pick.of("lookup-stream", Engines.FLINK_GATHER, "samples/s")
                                        .at("parallelism", 8))
                        .beside(
                                "a `HashMap` in a map function",
                                Pick.of("lookup-stream", Engines.FLINK_MAP, "samples/s")));
    }

    /** Where something else is faster, or hardly slower: the peer comes first in the text. */
    static List<PerformanceRow> slower() {
        return List.of(
                PerformanceRow.of(
                                "batches of 4 KiB, {rules} rules: one GPU from one thread",
                                Pick.of("batch", Engines.GPU, "GB/s").at("batchBytes", 4 << 10),
                                "2026-11-22-targets.md")
                        .shownAs("MB/s", 1e3)
                        .beside(
                                "one CPU core",
                                Pick.of("batch", Engines.CPU, "GB/s").at("batchBytes", 4 << 10)),
                PerformanceRow.of(
                                "65,536 numeric rows of 413 keys, host to host: one GPU from one thread",
                                Pick.of("aggregate", Engines.GPU, "M rows/s")
                                        .at("rows", 1 << 16)
                                        .at("keys", 413)
                                        .at("hotPercent", 0),
                                "2026-11-21-aggregation-gpu.md")
                        .beside(
                                "all cores",
                                Pick.of("aggregate", Engines.ALL_CORES, "M rows/s")
                                        .at("rows", 1 << 16)
                                        .at("keys", 413)
                                        .at("hotPercent", 0)),
                PerformanceRow.of(
                                "records of 100,000 keys into windows, CPU time a row: with a GPU",
                                window("tumbling-100000-heap", Engines.OURS_GPU),
                                "2026-11-23-any-number-of-keys.md")
                        .shownAs("us", 1)
                        .beside("our CPU backend", window("tumbling-100000-heap", Engines.OURS)),
                PerformanceRow.of(
                                "a billion lines, the first job of its process",
                                stations("flink-gpu-first"),
                                "2026-11-22-peers.md")
                        .beside(
                                "a stand-alone Java program",
                                stations("CalculateAverage_artsiomkorzun")),
                PerformanceRow.of(
                                "an expression of two fields over single records, CPU",
                                Pick.of("expression-records", Engines.CPU, "ns/record"),
                                "2026-11-21-expressions-cpu.md")
                        .beside(
                                "methods of `String`",
                                Pick.of("expression-records", "java", "ns/record")),
                PerformanceRow.of(
                                "SQL: UPPER, TRIM, CONCAT on batches, rows copied (the planner leaves them to Flink)",
                                Pick.of("sql-short", Engines.OURS, "ns CPU/row"),
                                "2026-11-26-sql-calc.md")
                        .shownAs("ns", 1)
                        .beside("Flink's plan", Pick.of("sql-short", Engines.FLINK, "ns CPU/row")),
                PerformanceRow.of(
                                "p50 of a scored sample at 20,000 a second, one GPU (2 ms are the batch's delay)",
                                Pick.of("lookup-stream", Engines.FLINK_GPU, "ms p50"),
                                "2026-11-26-lookup.md")
                        .shownAs("ms", 1)
                        .beside(
                                "a `HashMap` in a map function",
                                Pick.of("lookup-stream", Engines.FLINK_MAP, "ms p50")));
    }

    private static PerformanceRow allCores() {
        return PerformanceRow.of(
                        "redaction, {rules} rules, 16 CPU cores",
                        Pick.of("regex", Engines.ALL_CORES, "GB/s"),
                        "2026-11-21-redaction-one-core.md")
                .shownAs("MB/s", 1e3)
                .beside(
                        "one alternation in `java.util.regex`",
                        Pick.of("regex", "java.util.regex-all-cores", "GB/s"));
    }

    private static PerformanceRow batches() {
        return PerformanceRow.of(
                        "{rules} rules, batches of 4 MiB from host to host, one thread, one GPU",
                        Pick.of("batch", Engines.GPU, "GB/s").at("batchBytes", MIB_4),
                        "2026-11-22-targets.md")
                .beside(
                        "all its cores",
                        Pick.of("batch", Engines.ALL_CORES, "GB/s").at("batchBytes", MIB_4))
                .limitedBy("half of the link's both ways", h -> h.bothGbPerS() / 2)
                .target(40);
    }

    private static PerformanceRow billionLines() {
        return PerformanceRow.of(
                        "a billion lines to 413 groups, job, start to result, warm, one GPU",
                        stations(Engines.FLINK_GPU),
                        "2026-11-22-peers.md")
                .beside(
                        "the best stand-alone Java program tried",
                        stations("CalculateAverage_artsiomkorzun"))
                .beside("libcudf from CSV", stations("libcudf-csv"))
                .limitedBy("the link", h -> 14.04 / h.toDeviceGbPerS())
                .target(0.6);
    }

    private static PerformanceRow windows() {
        return PerformanceRow.of(
                        "tumbling windows of 100,000 keys, heap, CPU time a row",
                        window("tumbling-100000-heap", Engines.OURS),
                        "2026-11-23-any-number-of-keys.md")
                .shownAs("us", 1)
                .beside("Flink", window("tumbling-100000-heap", Engines.FLINK))
                .beside("Flink SQL", window("tumbling-100000-heap", Engines.FLINK_SQL));
    }
}
