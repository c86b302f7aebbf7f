package io.flinkgpu.bench;

import org.slf4j.Logger;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * libcudf in a process of its own: its classes, and those of {@code benchmarks/src/cudf/java/CudfPeer.java}, which
 * says what a workload reads and writes, are on no class path of ours, and two libraries that drive a
 * device do not get into each other's way.
 */
final class CudfProcess {

    /** Names the folder with the compiled classes of {@code benchmarks/src/cudf/java/Cudf*.java}. */
    static final String CLASSES = "bench.cudf";

    private static final String MAIN = "CudfPeer";

    private final Lab lab;
    private final String classPath;

    /**
     * @param jar of {@code ai.rapids:cudf}
     */
    CudfProcess(Lab lab, Path jar) throws URISyntaxException {
        this.lab = lab;
        Path classes = Path.of(System.getProperty(CLASSES, ""));
        if (!Files.exists(classes.resolve(MAIN + ".class"))) {
            throw new IllegalArgumentException(
                    "libcudf's side was not compiled: folder="
                            + classes
                            + "; build the bundle with gpu-bundle.sh --cudf JAR, or set -D"
                            + CLASSES);
        }
        Path slf4j =
                Path.of(Logger.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        classPath =
                String.join(
                        File.pathSeparator,
                        jar.toAbsolutePath().toString(),
                        slf4j.toString(),
                        classes.toAbsolutePath().toString());
    }

    /**
     * What a workload said.
     *
     * @param nanos of each run, by the name of what was timed
     * @param accepted positions of the rules that were taken; empty if there were none
     */
    record Said(Map<String, double[]> nanos, List<Integer> accepted) {

        /** An amount by each time; one a nanosecond is one. */
        double[] rates(String name, double amount) {
            return Arrays.stream(nanos.get(name)).map(time -> amount / time).toArray();
        }
    }

    /** Runs a workload on what the folder has; its result is there when this returns. */
    Said run(Path folder, String... workload) throws Exception {
        List<String> arguments = new ArrayList<>();
        arguments.add(MAIN);
        arguments.add(folder.toAbsolutePath().toString());
        arguments.add(Integer.toString(lab.settings().runs()));
        arguments.addAll(List.of(workload));
        Child child =
                Child.run(
                        "libcudf, " + workload[0],
                        folder,
                        Child.java(classPath, arguments.toArray(new String[0])));
        Map<String, double[]> nanos = new HashMap<>();
        List<Integer> accepted = new ArrayList<>();
        for (String line : child.out().lines().toList()) {
            List<String> words = List.of(line.split(" "));
            if (words.get(0).equals("time")) {
                nanos.put(
                        words.get(1),
                        words.stream().skip(2).mapToDouble(Double::parseDouble).toArray());
            } else if (words.get(0).equals("accepted")) {
                words.stream().skip(1).map(Integer::valueOf).forEach(accepted::add);
            } else {
                lab.say("libcudf, " + workload[0] + ": " + line);
            }
        }
        return new Said(nanos, accepted);
    }
}
