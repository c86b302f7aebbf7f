package io.flinkgpu.bench;

import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.SerializationFeature;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Makes docs/performance.md: {@code Performance DOCS [REPORT.json ...]}. */
public final class Performance {

    static final String JSON = "performance.json";

    private static final String HELP =
            """
            usage: Performance DOCS [REPORT.json ...]
                   Performance DOCS --replace REPORT.json ...

            Makes DOCS/performance.md, its plots and the figures of README.md beside DOCS from DOCS/performance.json. Reports that bench, peers, keys, search
            and lookup wrote are put into that first: of reports with the same figure the one that is named first counts,
            and what none has stays with the commit that it is of. With --replace nothing stays: the page has what these
            reports have, and rows without a figure are not in it.
            """;

    private static final String REPLACE = "--replace";

    private Performance() {}

    /** Ends with 0 when the page is written, 1 when that failed, 2 for a mistake of the caller. */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length == 0 || List.of(args).contains("--help")) {
            out.print(HELP);
            return args.length == 0 ? 2 : 0;
        }
        try {
            Path docs = Path.of(args[0]);
            List<String> given = new ArrayList<>(List.of(args).subList(1, args.length));
            boolean replace = given.remove(REPLACE);
            if (replace && given.isEmpty()) {
                throw new IllegalArgumentException(
                        "nothing is left of the page without reports: add some behind " + REPLACE);
            }
            List<Report> reports = new ArrayList<>();
            for (String file : given) {
                reports.add(measured(Path.of(file)));
            }
            reports.addAll(replace ? List.of() : read(docs.resolve(JSON)));
            PerformancePage page = new PerformancePage(reports);
            Map<String, String> files = page.files();
            deleteOthers(docs.resolve(PerformancePage.PLOTS), files.keySet());
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = docs.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
            write(page.trimmed(), docs.resolve(JSON));
            Path readme = docs.resolve("../README.md");
            if (Files.exists(readme)) {
                Files.writeString(readme, page.readme(Files.readString(readme)));
            }
            out.println("performance: " + docs.resolve("performance.md"));
            return 0;
        } catch (IllegalArgumentException e) {
            err.println("performance: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            err.println("performance: " + e);
            return 1;
        }
    }

    /** Plots that the page no longer has. */
    private static void deleteOthers(Path plots, Set<String> made) throws IOException {
        if (!Files.isDirectory(plots)) {
            return;
        }
        try (Stream<Path> there = Files.list(plots)) {
            for (Path plot : there.toList()) {
                if (!made.contains(PerformancePage.PLOTS + "/" + plot.getFileName())) {
                    Files.delete(plot);
                }
            }
        }
    }

    private static Report measured(Path file) throws IOException {
        Report report = Report.read(file);
        if (report.quick()) {
            throw new IllegalArgumentException(
                    "a quick run's figures mean nothing: file="
                            + file
                            + "; run it without --quick");
        }
        if (report.commit().endsWith("-dirty")) {
            throw new IllegalArgumentException(
                    "figures need a commit that others can have: file="
                            + file
                            + ", commit="
                            + report.commit()
                            + "; measure what is committed");
        }
        // Where files were says nothing to others.
        return report.withCommand(PerformanceRuns.command(report));
    }

    static List<Report> read(Path json) throws IOException {
        return List.of(new ObjectMapper().readValue(json.toFile(), Report[].class));
    }

    static void write(List<Report> reports, Path json) throws IOException {
        Files.writeString(
                json,
                new ObjectMapper()
                                .enable(SerializationFeature.INDENT_OUTPUT)
                                .writeValueAsString(reports)
                        + "\n");
    }
}
