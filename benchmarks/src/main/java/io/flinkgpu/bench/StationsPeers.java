package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;

import org.apache.flink.util.FileUtils;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Minimum, mean and maximum of each station in a file: our job beside stand-alone programs, each a
 * process of its own, in turns, and libcudf's CSV reader and group-by. All must give our stations, minima
 * and maxima; libcudf our means as well.
 *
 * <p>Ours is {@code one-billion-rows} where it is on the class path, as in the bundle: a process that runs
 * the job some times in one Flink, each from its execution to its result. Of the first, whose code is
 * not compiled yet, and of those behind the third there is a figure each. A program counts from the start
 * of its process to its end, and libcudf's part without the start of its process.
 */
final class StationsPeers {

    private static final long ROWS = 100_000_000;
    private static final int QUICK_ROWS = 100_000;
    private static final String OURS = "io.flinkgpu.applications.OneBillionRows";
    private static final int JOBS = 7;
    private static final int JOBS_TO_WARM_UP = 3;
    private static final Pattern START_TO_RESULT =
            Pattern.compile(" in ([0-9.]+) s from start to result");

    private final Lab lab;
    private final Path file;
    private final Map<String, Long> at = new LinkedHashMap<>();
    private final Map<String, List<Double>> seconds = new LinkedHashMap<>();
    private Stations expected;

    private StationsPeers(Lab lab, Path file) throws IOException {
        this.lab = lab;
        this.file = file;
        at.put("fileBytes", Files.size(file));
    }

    /**
     * @param measurements a file; one of 100 million lines is made without it
     * @param programs what {@code one-brc.sh} made
     */
    static void run(
            Lab lab,
            Optional<Path> measurements,
            Optional<Path> programs,
            Optional<CudfProcess> cudf)
            throws Exception {
        if (measurements.isPresent()) {
            new StationsPeers(lab, measurements.get().toAbsolutePath()).run(programs, cudf);
            return;
        }
        Path made = BillionRowsBench.generated(lab.settings().quick() ? QUICK_ROWS : ROWS).toPath();
        try {
            new StationsPeers(lab, made).run(programs, cudf);
        } finally {
            Files.delete(made);
        }
    }

    private void run(Optional<Path> programs, Optional<CudfProcess> cudf) throws Exception {
        BackendChoice best = lab.best();
        StationsJob job = StationsJob.run(lab, best, file);
        expected = job.stations();
        boolean asProgram = isOnClassPath();
        if (!asProgram) {
            lab.say("stations: our job runs in this process; the bundle has it as a program");
        }
        for (int turn = 0; turn < lab.settings().runs(); turn++) {
            if (asProgram) {
                ours(best);
            } else {
                add(Engines.flink(best), StationsJob.run(lab, best, file).seconds());
            }
            for (String name : programs.isPresent() ? names(programs.get()) : List.<String>of()) {
                program(programs.get().toAbsolutePath(), name);
            }
        }
        for (Map.Entry<String, List<Double>> each : seconds.entrySet()) {
            double[] values = each.getValue().stream().mapToDouble(Double::doubleValue).toArray();
            lab.add(Figure.of("stations", each.getKey(), at, "s", values));
        }
        if (cudf.isPresent()) {
            csv(cudf.get());
        }
    }

    private static boolean isOnClassPath() {
        String resource = OURS.replace('.', '/') + ".class";
        return StationsPeers.class.getClassLoader().getResource(resource) != null;
    }

    private void add(String engine, double value) {
        seconds.computeIfAbsent(engine, name -> new ArrayList<>()).add(value);
    }

    private void ours(BackendChoice backend) throws Exception {
        int jobs = lab.settings().pick(JOBS, JOBS_TO_WARM_UP + 1);
        List<String> command =
                Child.java(
                        System.getProperty("java.class.path"),
                        OURS,
                        "--input",
                        file.toString(),
                        "--backend",
                        backend.name().toLowerCase(Locale.ROOT),
                        "--parallelism",
                        Integer.toString(StationsJob.parallelism(backend)),
                        "--runs",
                        Integer.toString(jobs));
        // The class path may be relative to where this runs.
        Child child = Child.run(OURS, Path.of("").toAbsolutePath(), command);
        Stations.printed(child.out()).check(OURS, expected);
        Matcher told = START_TO_RESULT.matcher(child.err());
        for (int i = 0; told.find(); i++) {
            double value = Double.parseDouble(told.group(1));
            if (i == 0) {
                add(Engines.flink(backend) + "-first", value);
            } else if (i >= JOBS_TO_WARM_UP) {
                add(Engines.flink(backend), value);
            }
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> classes = Files.list(folder.resolve("classes/dev/morling/onebrc"))) {
            return classes.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("CalculateAverage_") && !name.contains("$"))
                    .map(name -> name.replace(".class", ""))
                    .sorted()
                    .toList();
        }
    }

    /** Runs a program where it finds the file under the name that the challenge gives it. */
    private void program(Path folder, String name) throws Exception {
        Path work = Files.createTempDirectory("one-brc");
        try {
            Files.createSymbolicLink(work.resolve("measurements.txt"), file);
            List<String> command = new ArrayList<>();
            command.add(folder.resolve("jre/bin/java").toString());
            command.add("--sun-misc-unsafe-memory-access=allow");
            String options = Files.readString(folder.resolve(name + ".options")).strip();
            command.addAll(options.isEmpty() ? List.of() : List.of(options.split(" +")));
            command.addAll(List.of("-cp", folder.resolve("classes").toString()));
            command.add("dev.morling.onebrc." + name);
            Child child = Child.run(name, work, command);
            Stations.printed(child.out()).check(name, expected);
            add(name, child.seconds());
        } finally {
            FileUtils.deleteDirectory(work.toFile());
        }
    }

    private void csv(CudfProcess cudf) throws Exception {
        Path folder = Files.createTempDirectory("cudf-csv");
        try {
            CudfProcess.Said said = cudf.run(folder, "csv", file.toString());
            Stations.written(folder.resolve("groups")).check("libcudf", expected);
            double[] values = said.nanos().get("csv").clone();
            for (int i = 0; i < values.length; i++) {
                values[i] /= 1e9;
            }
            lab.add(Figure.of("stations", "libcudf-csv", at, "s", values));
        } finally {
            FileUtils.deleteDirectory(folder.toFile());
        }
    }
}
