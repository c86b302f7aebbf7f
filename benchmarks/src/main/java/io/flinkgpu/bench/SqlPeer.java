package io.flinkgpu.bench;

import org.apache.flink.util.FileUtils;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * SQL by Flink's own plan and by ours: the programs {@code AggregateBench} and {@code CalcBench} of the planner's tests,
 * each in a process of its own, as Flink's planner and the one that Flink loads for its peers do not go together. Ours
 * is the CPU backend.
 */
final class SqlPeer {

    private static final String PROGRAMS = "io.flinkgpu.sql.planner.";
    private static final int LINES_BYTES = 4 << 20;

    /** {@code tumble, 413 keys, object reuse false, ns a row: Flink 545, ours 288, ratio 1.89}. */
    private static final Pattern AGGREGATION =
            Pattern.compile(
                    "(\\w+), (\\S+) keys, object reuse (\\w+), ns a row: Flink (\\S+), ours (\\S+), .*");

    /** {@code nested, object reuse false, on batches: 3,754 ns a row}. */
    private static final Pattern CALC =
            Pattern.compile(
                    "(\\w+), object reuse (\\w+), (on batches|Flink): (\\S+) ns a row");

    private final Lab lab;
    private final Path folder;

    /**
     * @param folder with {@code classes}, {@code test-classes} and {@code lib}, as the bundle has them
     */
    SqlPeer(Lab lab, Path folder) {
        this.lab = lab;
        this.folder = folder;
    }

    void run() throws Exception {
        aggregation();
        Path work = Files.createTempDirectory("sql");
        try {
            Path lines = work.resolve("lines");
            byte[] text = lab.input().lines(lab.settings().pick(LINES_BYTES, 1 << 14));
            // The program reads text: what is no UTF-8 is replaced.
            Files.writeString(lines, new String(text, StandardCharsets.UTF_8));
            calc(lines, "nested", lab.settings().pick(400_000, 200), lab.settings().pick(2_000, 20));
            int rows = lab.settings().pick(2_000_000, 200);
            calc(lines, "short", rows, rows);
        } finally {
            FileUtils.deleteDirectory(work.toFile());
        }
    }

    /** The first round is to warm up. */
    private void aggregation() throws Exception {
        String rows = lab.settings().quick() ? "2000" : "2000000";
        String rounds = lab.settings().quick() ? "2" : "3";
        String out = program("AggregateBench", "tumble", "413", rows, "100000", rounds);
        for (String reuse : List.of("false", "true")) {
            List<Matcher> found = lines(AGGREGATION, out, 3, reuse);
            List<Matcher> kept = found.subList(1, found.size());
            add("tumble", Engines.FLINK, reuse, kept.stream().mapToDouble(m -> number(m, 4)));
            add("tumble", Engines.OURS, reuse, kept.stream().mapToDouble(m -> number(m, 5)));
        }
    }

    private void calc(Path lines, String job, int rows, int rowsOfFlink) throws Exception {
        String out =
                program(
                        "CalcBench",
                        lines.toString(),
                        job,
                        String.valueOf(rows),
                        String.valueOf(rowsOfFlink));
        for (String reuse : List.of("false", "true")) {
            for (Matcher found : lines(CALC, out, 2, reuse)) {
                String engine = found.group(3).equals("Flink") ? Engines.FLINK : Engines.OURS;
                add(job, engine, reuse, DoubleStream.of(number(found, 4)));
            }
        }
    }

    private static List<Matcher> lines(Pattern pattern, String out, int group, String value) {
        List<Matcher> found =
                out.lines()
                        .map(pattern::matcher)
                        .filter(line -> line.matches() && line.group(group).equals(value))
                        .toList();
        if (found.isEmpty()) {
            throw new IllegalStateException("a program of SQL told no figures: it told " + out);
        }
        return found;
    }

    /** Without what groups digits. */
    private static double number(Matcher line, int group) {
        return Double.parseDouble(line.group(group).replaceAll("\\D", ""));
    }

    private void add(
            String job, String engine, String reuse, DoubleStream nanos)
            throws IOException {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("objectReuse", reuse.equals("true") ? 1L : 0L);
        lab.add(Figure.of("sql-" + job, engine, at, "ns CPU/row", nanos.toArray()));
    }

    private String program(String name, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // What the JIT compiles is then not of the half that is measured.
        command.addAll(List.of("-Xmx8g", "-XX:+UseSerialGC", "-XX:-BackgroundCompilation"));
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        String all = File.separator + "*";
        command.add("-cp");
        command.add(
                String.join(
                        File.pathSeparator,
                        folder.resolve("classes").toString(),
                        folder.resolve("test-classes").toString(),
                        folder.resolve("lib") + all,
                        folder.resolveSibling("lib") + all));
        command.add(PROGRAMS + name);
        command.addAll(List.of(arguments));
        Child child = Child.run(name, folder, command);
        child.out().lines().forEach(lab::say);
        return child.out();
    }
}
