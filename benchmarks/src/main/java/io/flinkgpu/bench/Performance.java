package io.flinkgpu.bench;

import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.SerializationFeature;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Makes docs/performance.md: {@code Performance DOCS [REPORT.json ...]}. */
public final class Performance {

    static final String JSON = "performance.json";

    private static final String HELP =
            """
            usage: Performance DOCS [REPORT.json ...]

            Makes DOCS/performance.md and its plots from DOCS/performance.json. Reports that bench, peers, keys, search
            and lookup wrote are put into that first: a figure that a newer report has replaces the older one, and what no
            report has stays with the commit that it is of.
            """;

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
            List<Report> reports = new ArrayList<>(read(docs.resolve(JSON)));
            for (String file : List.of(args).subList(1, args.length)) {
                reports.add(measured(Path.of(file)));
            }
            PerformancePage page = new PerformancePage(newestFirst(reports));
            for (Map.Entry<String, String> file : page.files().entrySet()) {
                Path path = docs.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
            write(page.trimmed(), docs.resolve(JSON));
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
        return report;
    }

    static List<Report> newestFirst(List<Report> reports) {
        return reports.stream().sorted(Comparator.comparing(Report::started).reversed()).toList();
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
