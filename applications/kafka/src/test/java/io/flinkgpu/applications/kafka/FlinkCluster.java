package io.flinkgpu.applications.kafka;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * ZooKeeper, a JobManager and TaskManagers as processes on the loopback interface, from the jars of the
 * test's class path. The JobManager keeps its jobs in ZooKeeper, so it may be killed. Not thread-safe.
 */
final class FlinkCluster implements AutoCloseable {

    private static final int SLOTS = 2;

    private final Path folder;
    private final Path conf;
    private final int restPort = KafkaBroker.freePort();
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private int taskManagers;

    /**
     * Starts ZooKeeper and the JobManager.
     *
     * @param folder is there, and empty
     * @param state where checkpoints go
     */
    FlinkCluster(Path folder, Path state) throws IOException {
        this.folder = folder;
        conf = Files.createDirectory(folder.resolve("conf"));
        Files.writeString(conf.resolve("log4j2.properties"), LOGGING);
        int zooKeeperPort = KafkaBroker.freePort();
        Path zooKeeper = Files.createDirectory(folder.resolve("zookeeper"));
        Path zoo =
                Files.writeString(
                        conf.resolve("zoo.cfg"),
                        """
                        tickTime=1000
                        dataDir=%s
                        clientPort=%d
                        clientPortAddress=127.0.0.1
                        admin.enableServer=false
                        4lw.commands.whitelist=srvr
                        """
                                .formatted(zooKeeper, zooKeeperPort));
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("jobmanager.rpc.address", "127.0.0.1");
        options.put("jobmanager.rpc.port", KafkaBroker.freePort());
        options.put("jobmanager.bind-host", "127.0.0.1");
        options.put("jobmanager.execution.failover-strategy", "region");
        options.put("rest.address", "127.0.0.1");
        options.put("rest.bind-address", "127.0.0.1");
        options.put("rest.port", restPort);
        options.put("taskmanager.host", "127.0.0.1");
        options.put("taskmanager.bind-host", "127.0.0.1");
        options.put("taskmanager.numberOfTaskSlots", SLOTS);
        // So that a job of two subtasks does not sit in one TaskManager.
        options.put("taskmanager.load-balance.mode", "SLOTS");
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
        options.put("high-availability.type", "zookeeper");
        options.put("high-availability.zookeeper.quorum", "127.0.0.1:" + zooKeeperPort);
        options.put(
                "high-availability.storageDir",
                Files.createDirectory(folder.resolve("jobs")).toUri());
        options.put("high-availability.zookeeper.client.session-timeout", "6 s");
        options.put("heartbeat.interval", "1 s");
        options.put("heartbeat.timeout", "8 s");
        options.put("execution.checkpointing.dir", state.toUri());
        options.put("io.tmp.dirs", Files.createDirectory(folder.resolve("tmp")));
        StringBuilder yaml = new StringBuilder();
        options.forEach((name, value) -> yaml.append(name + ": '" + value + "'\n"));
        Files.writeString(conf.resolve("config.yaml"), yaml);
        start(
                "zookeeper",
                "64m",
                "org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer",
                "--zkConfigFile",
                zoo.toString(),
                "--peerId",
                "1");
        startJobManager();
    }

    int restPort() {
        return restPort;
    }

    void startJobManager() throws IOException {
        start(
                "jobmanager",
                "384m",
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                "--configDir",
                conf.toString());
    }

    /** Starts another TaskManager; returns its name. */
    String startTaskManager() throws IOException {
        String name = "taskmanager-" + ++taskManagers;
        start(
                name,
                "256m",
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "--configDir",
                conf.toString(),
                "-D",
                "taskmanager.resource-id=" + name);
        return name;
    }

    /** Ends a process at once, as {@code kill -9} does. */
    void kill(String name) {
        processes.get(name).destroyForcibly().onExit().join();
    }

    /** Sends a signal to a process, {@code STOP} or {@code CONT}. */
    void signal(String name, String signal) throws IOException, InterruptedException {
        long pid = processes.get(name).pid();
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
        if (kill.waitFor() != 0) {
            throw new IOException("no signal " + signal + " to " + name);
        }
    }

    /** What a process has printed. */
    String log(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".log"));
    }

    private void start(String name, String heap, String mainClass, String... args)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heap);
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseSerialGC");
        command.add("-XX:MaxDirectMemorySize=256m");
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.util=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        command.add("-Dlog4j2.configurationFile=" + conf.resolve("log4j2.properties"));
        command.add("-Djava.io.tmpdir=" + folder.resolve("tmp"));
        command.addAll(List.of("-cp", classPath()));
        command.add(mainClass);
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        File log = folder.resolve(name + ".log").toFile();
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        processes.put(name, builder.start());
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
        for (Process process : processes.values()) {
            process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        }
    }

    private static final String LOGGING =
            """
            rootLogger.level = INFO
            rootLogger.appenderRef.out.ref = out
            logger.kafka.name = org.apache.kafka
            logger.kafka.level = ERROR
            logger.pekko.name = org.apache.pekko
            logger.pekko.level = ERROR
            logger.zookeeper.name = org.apache.flink.shaded.zookeeper3
            logger.zookeeper.level = OFF
            logger.curator.name = org.apache.flink.shaded.curator5
            logger.curator.level = OFF
            logger.metrics.name = org.apache.flink.runtime.metrics
            logger.metrics.level = ERROR
            logger.groups.name = org.apache.flink.metrics
            logger.groups.level = ERROR
            appender.out.type = Console
            appender.out.name = out
            appender.out.layout.type = PatternLayout
            appender.out.layout.pattern = %d %p %c{1} - %m%n
            """;
}
