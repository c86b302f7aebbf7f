package io.flinkgpu.bench;

import org.apache.flink.util.FileUtils;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
            Pattern.compile("(\\w+), object reuse (\\w+), (on batches|Flink): (\\S+) ns a row");

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
        String readings = lab.settings().quick() ? "2000" : "4000000";
        String rounds = lab.settings().quick() ? "2" : "3";
        add(windows(program("AggregateBench", "tumble", "413", readings, "100000", rounds)));
        Path work = Files.createTempDirectory("sql");
        try {
            Path lines = work.resolve("lines");
            byte[] text = lab.input().lines(lab.settings().pick(LINES_BYTES, 1 << 14));
            // The program reads text: what is no UTF-8 is replaced.
            Files.writeString(lines, new String(text, StandardCharsets.UTF_8));
            String file = lines.toString();
            String rows = lab.settings().quick() ? "200" : "400000";
            String rowsOfFlink = lab.settings().quick() ? "20" : "2000";
            add(expressions(program("CalcBench", file, "nested", rows, rowsOfFlink)));
            String shorts = lab.settings().quick() ? "200" : "2000000";
            add(expressions(program("CalcBench", file, "short", shorts, shorts)));
        } finally {
            FileUtils.deleteDirectory(work.toFile());
        }
    }

    private void add(List<Figure> figures) throws IOException {
        for (Figure figure : figures) {
            lab.add(figure);
        }
    }

    /** What {@code AggregateBench} told; the first round of each way is to warm up. */
    static List<Figure> windows(String out) {
        List<Figure> figures = new ArrayList<>();
        for (String reuse : List.of("false", "true")) {
            List<Matcher> all = lines(AGGREGATION, out, 3, reuse);
            List<Matcher> rounds = all.subList(Math.min(1, all.size() - 1), all.size());
            String job = rounds.get(0).group(1);
            figures.add(figure(job, Engines.FLINK, reuse, rounds, 4));
            figures.add(figure(job, Engines.OURS, reuse, rounds, 5));
        }
        return figures;
    }

    /** What {@code CalcBench} told. */
    static List<Figure> expressions(String out) {
        List<Figure> figures = new ArrayList<>();
        for (String reuse : List.of("false", "true")) {
            for (Matcher found : lines(CALC, out, 2, reuse)) {
                String engine = found.group(3).equals("Flink") ? Engines.FLINK : Engines.OURS;
                figures.add(figure(found.group(1), engine, reuse, List.of(found), 4));
            }
        }
        return figures;
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

    private static Figure figure(
            String job, String engine, String reuse, List<Matcher> lines, int group) {
        Map<String, Long> at = Map.of("objectReuse", reuse.equals("true") ? 1L : 0L);
        double[] nanos =
                lines.stream()
                        // Without what groups digits.
                        .map(line -> line.group(group).replaceAll("\\D", ""))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
        return Figure.of("sql-" + job, engine, at, "ns CPU/row", nanos);
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
