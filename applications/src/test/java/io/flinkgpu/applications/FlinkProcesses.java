package io.flinkgpu.applications;

import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * A JobManager and a TaskManager as processes on the loopback interface, started as Flink's scripts do,
 * with the configuration of the Docker image, from the jars of the test's class path. {@link #close()}
 * ends whatever was started.
 */
final class FlinkProcesses implements AutoCloseable {

    private static final String PARAMS = "BASH_JAVA_UTILS_EXEC_RESULT:";
    private static final Path DOCKER = Path.of("../docker").toAbsolutePath().normalize();

    private final Path folder;
    private final Path conf;
    private final String classPath;
    private final List<String> openings;
    private final List<String> overrides;
    private final int restPort;
    private final List<Process> started = new ArrayList<>();

    /**
     * @param folder an empty folder for configuration, logs and temporary files
     */
    FlinkProcesses(Path folder) throws IOException {
        this.folder = folder;
        conf = Files.createDirectory(folder.resolve("conf"));
        Files.copy(DOCKER.resolve("config.yaml"), conf.resolve("config.yaml"));
        writeLogging("daemon", "INFO");
        // Flink's scripts send the log of the command line to a file.
        writeLogging("cli", "OFF");
        classPath = classPathWithoutExamples();
        openings = openings();
        restPort = freePort();
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        // What differs from containers: one host, few cores, little memory.
        overrides =
                Stream.of(
                                "jobmanager.rpc.address=127.0.0.1",
                                "jobmanager.rpc.port=" + freePort(),
                                "jobmanager.bind-host=127.0.0.1",
                                "jobmanager.memory.process.size=1200m",
                                "rest.address=127.0.0.1",
                                "rest.bind-address=127.0.0.1",
                                "rest.port=" + restPort,
                                "taskmanager.host=127.0.0.1",
                                "taskmanager.bind-host=127.0.0.1",
                                "taskmanager.memory.process.size=2500m",
                                "taskmanager.memory.managed.size=64m",
                                "io.tmp.dirs=" + temporary)
                        .flatMap(override -> Stream.of("-D", override))
                        .toList();
    }

    private void writeLogging(String name, String level) throws IOException {
        Files.writeString(
                conf.resolve("log4j-" + name + ".properties"),
                """
                rootLogger.level = %s
                rootLogger.appenderRef.out.ref = out
                appender.out.type = Console
                appender.out.name = out
                appender.out.layout.type = PatternLayout
                appender.out.layout.pattern = %%d %%p %%c - %%m%%n
                """
                        .formatted(level));
    }

    void start() throws IOException, InterruptedException {
        daemon(
                "jobmanager",
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                "GET_JM_RESOURCE_PARAMS");
        daemon(
                "taskmanager",
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "GET_TM_RESOURCE_PARAMS");
    }

    /** Runs the image's submit script; returns its exit code. Its output goes to submit.log. */
    int submit(String... args) throws IOException, InterruptedException {
        Path bin = Files.createDirectories(folder.resolve("flink/bin"));
        Path flink = bin.resolve("flink");
        Files.writeString(
                flink,
                "#!/bin/sh\nexec "
                        + shell(java("cli", List.of("-Xmx512m")))
                        + " org.apache.flink.client.cli.CliFrontend \"$@\"\n");
        if (!flink.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + flink + " executable");
        }
        List<String> command = new ArrayList<>();
        command.add("sh");
        command.add(DOCKER.resolve("run-job.sh").toString());
        command.addAll(Arrays.asList(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("FLINK_HOME", bin.getParent().toString());
        builder.environment().put("FLINK_CONF_DIR", conf.toString());
        builder.environment().put("JOB_JAR", jobJar().toString());
        builder.environment().put("JOBMANAGER", "127.0.0.1:" + restPort);
        Process process = start(builder, "submit");
        if (!process.waitFor(180, TimeUnit.SECONDS)) {
            throw new IOException("the job did not end in 180 s");
        }
        return process.exitValue();
    }

    /** What a process has printed; {@code jobmanager}, {@code taskmanager} or {@code submit}. */
    String log(String name) throws IOException {
        Path log = folder.resolve(name + ".log");
        return Files.exists(log) ? Files.readString(log) : "";
    }

    private void daemon(String name, String mainClass, String parameters)
            throws IOException, InterruptedException {
        List<String> memory = memoryParameters(parameters);
        List<String> command = new ArrayList<>(java("daemon", words(memory.get(0))));
        command.add(mainClass);
        command.addAll(List.of("--configDir", conf.toString()));
        command.addAll(words(memory.get(1)));
        command.addAll(overrides);
        start(new ProcessBuilder(command), name);
    }

    /** JVM flags, and options, that Flink derives from the configured memory. */
    private List<String> memoryParameters(String parameters)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(java("daemon", List.of()));
        command.add("org.apache.flink.runtime.util.bash.BashJavaUtils");
        command.addAll(List.of(parameters, "--configDir", conf.toString()));
        command.addAll(overrides);
        String name = parameters.toLowerCase(Locale.ROOT);
        Process process = start(new ProcessBuilder(command), name);
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("BashJavaUtils failed: " + log(name));
        }
        List<String> lines =
                log(name)
                        .lines()
                        .filter(line -> line.contains(PARAMS))
                        .map(line -> line.substring(line.indexOf(PARAMS) + PARAMS.length()))
                        .toList();
        if (lines.size() != 2) {
            throw new IOException("BashJavaUtils gave no parameters: " + log(name));
        }
        return lines;
    }

    private Process start(ProcessBuilder builder, String name) throws IOException {
        builder.redirectErrorStream(true);
        builder.redirectOutput(folder.resolve(name + ".log").toFile());
        Process process = builder.start();
        process.getOutputStream().close();
        started.add(process);
        return process;
    }

    private List<String> java(String logging, List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(openings);
        command.add(
                "-Dlog4j.configurationFile=" + conf.resolve("log4j-" + logging + ".properties"));
        command.add("-Djava.io.tmpdir=" + folder.resolve("tmp"));
        command.addAll(List.of("-cp", classPath));
        return command;
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.strip().split("\\s+")).filter(word -> !word.isEmpty()).toList();
    }

    private static String shell(List<String> words) {
        return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    }

    /** {@code env.java.opts.all}, which Flink's scripts give to every JVM. */
    private static List<String> openings() throws IOException {
        Object node =
                new Load(LoadSettings.builder().build())
                        .loadFromString(Files.readString(DOCKER.resolve("config.yaml")));
        for (String key : List.of("env", "java", "opts", "all")) {
            node = ((Map<?, ?>) node).get(key);
        }
        return words((String) node);
    }

    /** The class path as in {@code lib/}: the applications come with the job only. */
    private static String classPathWithoutExamples() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).startsWith(Path.of("target").toAbsolutePath()))
                .filter(entry -> !entry.contains("surefire") && !entry.contains("junit"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private Path jobJar() throws IOException {
        Path jar = folder.resolve("applications.jar");
        Path classes = Path.of("target/classes").toAbsolutePath();
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
                entries.putNextEntry(new ZipEntry(name));
                entries.write(Files.readAllBytes(file));
                entries.closeEntry();
            }
        }
        return jar;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        for (Process process : started) {
            process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        }
    }
}
