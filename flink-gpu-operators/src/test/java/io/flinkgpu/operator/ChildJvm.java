package io.flinkgpu.operator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** A process of its own for what ends or limits a process. */
final class ChildJvm {

    /** What Flink's {@code Task} halts with. */
    static final int HALTED = 255;

    /** Flink's test jars bring settings by which nothing is logged. */
    private static final String LOGGING =
            """
            rootLogger.level = WARN
            rootLogger.appenderRef.console.ref = console
            appender.console.type = Console
            appender.console.name = console
            appender.console.layout.type = PatternLayout
            appender.console.layout.pattern = %p %c: %m%n
            """;

    private final List<String> wrapper;
    private final Map<String, String> environment;

    /** What came of one. */
    record Ended(int exitValue, String log) {}

    /**
     * @param wrapper words of a command before Java's; they run it
     * @param environment variables to set
     */
    ChildJvm(List<String> wrapper, Map<String, String> environment) {
        this.wrapper = wrapper;
        this.environment = environment;
    }

    /** With nothing changed. */
    static ChildJvm plain() {
        return new ChildJvm(List.of(), Map.of());
    }

    /** Runs a main class to its end; fails if that takes minutes. */
    Ended run(Class<?> main, List<String> args) throws IOException, InterruptedException {
        Path log = Files.createTempFile("child", ".log");
        Path settings = Files.writeString(Files.createTempFile("child", ".properties"), LOGGING);
        List<String> command = new ArrayList<>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx1g", "-XX:+UseParallelGC"));
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("-Dlog4j2.configurationFile=" + settings);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(main.getName());
        command.addAll(args);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(150, TimeUnit.SECONDS);
            String text = Files.readString(log);
            assertThat(ended).as(text).isTrue();
            return new Ended(process.exitValue(), text);
        } finally {
            process.destroyForcibly().onExit().join();
            Files.delete(log);
            Files.delete(settings);
        }
    }
}
