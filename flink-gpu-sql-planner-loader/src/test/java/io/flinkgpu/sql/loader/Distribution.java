package io.flinkgpu.sql.loader;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * A JobManager and a TaskManager on the loopback interface, whose class path is a folder {@code lib}: the jars of the
 * test's class path but those of the test itself, and SQL Client. Not thread-safe.
 */
final class Distribution implements AutoCloseable {

    private static final Pattern OF_TESTS =
            Pattern.compile("(junit|assertj|byte-buddy|opentest4j|apiguardian).*");

    /** Jars that the build has put there, and that are not in the class path. */
    private static final Path MORE = Path.of("target", "distribution");

    private static final long MAX_SECONDS = 240;

    private final Path folder;
    private final Path lib;
    private final Path conf;
    private final Map<String, Process> processes = new LinkedHashMap<>();

    /**
     * Starts both.
     *
     * @param folder is there
     */
    Distribution(Path folder) throws IOException {
        this.folder = folder;
        lib = Files.createDirectory(folder.resolve("lib"));
        conf = Files.createDirectory(folder.resolve("conf"));
        fillLib();
        Files.writeString(conf.resolve("config.yaml"), config());
        Files.writeString(
                conf.resolve("log4j2.properties"),
                """
                rootLogger.level = INFO
                rootLogger.appenderRef.out.ref = out
                appender.out.type = Console
                appender.out.name = out
                appender.out.target = SYSTEM_ERR
                appender.out.layout.type = PatternLayout
                appender.out.layout.pattern = %d %p %c{1} - %m%n
                """);
        start(
                "jobmanager",
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                "--configDir",
                conf.toString());
        start(
                "taskmanager",
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "--configDir",
                conf.toString());
    }

    private void fillLib() throws IOException {
        int folders = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                if (!path.endsWith("test-classes")) {
                    jar(path, lib.resolve("flink-gpu-" + folders++ + ".jar"));
                }
            } else if (!OF_TESTS.matcher(path.getFileName().toString()).matches()) {
                link(path);
            }
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(MORE, "*.jar")) {
            for (Path jar : jars) {
                link(jar.toAbsolutePath());
            }
        }
    }

    private void link(Path jar) throws IOException {
        Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
    }

    private static void jar(Path classes, Path jar) throws IOException {
        int failed =
                ToolProvider.findFirst("jar")
                        .orElseThrow()
                        .run(
                                System.out,
                                System.err,
                                "-c",
                                "-0",
                                "-f",
                                jar.toString(),
                                "-C",
                                classes.toString(),
                                ".");
        if (failed != 0) {
            throw new IOException("no jar of " + classes);
        }
    }

    private String config() throws IOException {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("jobmanager.rpc.address", "127.0.0.1");
        options.put("jobmanager.rpc.port", freePort());
        options.put("jobmanager.bind-host", "127.0.0.1");
        options.put("rest.address", "127.0.0.1");
        options.put("rest.bind-address", "127.0.0.1");
        options.put("rest.port", freePort());
        options.put("taskmanager.host", "127.0.0.1");
        options.put("taskmanager.bind-host", "127.0.0.1");
        // All that Flink's scripts would derive from the size of a process.
        options.put("taskmanager.cpu.cores", 1);
        options.put("taskmanager.memory.framework.heap.size", "96m");
        options.put("taskmanager.memory.task.heap.size", "160m");
        options.put("taskmanager.memory.framework.off-heap.size", "64m");
        options.put("taskmanager.memory.task.off-heap.size", "1g");
        options.put("taskmanager.memory.network.min", "48m");
        options.put("taskmanager.memory.network.max", "48m");
        options.put("taskmanager.memory.managed.size", "64m");
        options.put("taskmanager.memory.jvm-metaspace.size", "192m");
        options.put("taskmanager.memory.jvm-overhead.min", "192m");
        options.put("taskmanager.memory.jvm-overhead.max", "192m");
        options.put("parallelism.default", 1);
        options.put("gpu.sql.backend", "cpu");
        options.put("io.tmp.dirs", Files.createDirectory(folder.resolve("tmp")));
        StringBuilder yaml = new StringBuilder();
        options.forEach((name, value) -> yaml.append(name + ": '" + value + "'\n"));
        return yaml.toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Runs a script; gives what is printed. */
    String sqlClient(Path script) throws IOException, InterruptedException {
        Process client =
                start(
                        "client",
                        "org.apache.flink.table.client.SqlClient",
                        "embedded",
                        "-f",
                        script.toString());
        if (!client.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || client.exitValue() != 0) {
            throw new IOException(
                    "the script did not end well: client="
                            + log("client")
                            + ", taskmanager="
                            + log("taskmanager"));
        }
        return log("client");
    }

    /** What a process has printed. */
    String log(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".log"));
    }

    private Process start(String name, String mainClass, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx384m");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseSerialGC");
        Stream.of("java.nio", "java.util", "java.lang", "java.net")
                .forEach(opened -> command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED"));
        command.add("-Dlog4j2.configurationFile=" + conf.resolve("log4j2.properties"));
        command.addAll(List.of("-cp", lib + "/*", mainClass));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("FLINK_CONF_DIR", conf.toString());
        builder.redirectOutput(folder.resolve(name + ".log").toFile());
        Process process = builder.start();
        processes.put(name, process);
        return process;
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
        for (Process process : processes.values()) {
            process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        }
    }
}
