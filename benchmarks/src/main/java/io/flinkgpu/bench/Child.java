package io.flinkgpu.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program in a process of its own, when it has ended.
 *
 * @param out what it printed
 * @param err what it told
 * @param seconds from its start to its end
 */
record Child(String out, String err, double seconds) {

    private static final int TOLD_CHARACTERS = 2_000;

    /**
     * Runs a command in a folder and waits for its end.
     *
     * @throws IllegalStateException unless its exit code is 0, with the end of what it told
     */
    static Child run(String name, Path folder, List<String> command)
            throws IOException, InterruptedException {
        Path told = Files.createTempFile("peer", ".err");
        long start = System.nanoTime();
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(told.toFile())
                        .start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        double seconds = (System.nanoTime() - start) / 1e9;
        String err = Files.readString(told);
        Files.delete(told);
        if (code != 0) {
            throw new IllegalStateException(
                    "a peer's program failed: program="
                            + name
                            + ", exit code="
                            + code
                            + ", it told: "
                            + err.substring(Math.max(0, err.length() - TOLD_CHARACTERS)));
        }
        return new Child(out, err, seconds);
    }

    /** A command for the Java that runs this. */
    static List<String> java(String classPath, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx8g", "-XX:+UseParallelGC"));
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.addAll(List.of("-cp", classPath));
        command.addAll(List.of(arguments));
        return command;
    }
}
