package io.flinkgpu.sql.script;

import org.apache.flink.annotation.PublicEvolving;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tells how the SQL scripts ({@code .sql}) and compiled plans ({@code .json}) of a folder would run: which nodes of
 * their plans in batches, which by Flink's own operators, and why. Nothing is run, and no cluster is needed. Exit
 * codes: 0 all was planned, 1 something could not be, 2 the caller's mistake.
 */
@PublicEvolving
public final class SqlQualify {

    private static final String USAGE =
            """
            Usage: examples/run sql-qualify FOLDER

            Tells of the SQL scripts (*.sql) and compiled plans (*.json) in FOLDER, and below it, or of one that
            is named in its place, which nodes of their plans would run in batches, which by Flink's own
            operators, and why. Nothing is run and no cluster is needed. Tables of connectors that
            are not there are planned without them.

              --help           print this
            """;

    private static final String REMEDY = "name a folder of SQL scripts, or one of them";

    private SqlQualify() {}

    /**
     * The program.
     *
     * @param args as the usage says
     */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            out.print(USAGE);
            return 0;
        }
        if (args.length != 1 || args[0].startsWith("-")) {
            return mistake(err, "one folder or file is needed: see --help");
        }
        Path folder = Path.of(args[0]);
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files =
                    all.filter(file -> isScript(file) || isPlan(file))
                            .filter(Files::isRegularFile)
                            .sorted()
                            .toList();
        } catch (IOException e) {
            return mistake(err, "cannot read '" + folder + "': " + REMEDY);
        }
        if (files.isEmpty()) {
            return mistake(err, "no *.sql or *.json in '" + folder + "': " + REMEDY);
        }
        Findings findings = new Findings(out, err);
        for (Path file : files) {
            String name = folder.relativize(file).toString();
            if (isPlan(file)) {
                ScriptPlans.ofPlan(name.isEmpty() ? args[0] : name, file, findings);
            } else {
                ScriptPlans.ofScript(name.isEmpty() ? args[0] : name, file, findings);
            }
        }
        findings.printTotals(files.size());
        return findings.hasErrors() ? 1 : 0;
    }

    private static boolean isScript(Path file) {
        return file.toString().endsWith(".sql");
    }

    private static boolean isPlan(Path file) {
        return file.toString().endsWith(".json");
    }

    private static int mistake(PrintStream err, String message) {
        err.println("sql-qualify: " + message);
        return 2;
    }
}
