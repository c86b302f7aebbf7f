package io.flinkgpu.applications.kafka;

import org.apache.flink.util.FileUtils;

import org.apache.kafka.clients.admin.Admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One Kafka broker, its own controller, as a process on the loopback interface. What it keeps is in a
 * folder, so it can be killed and started again. Not thread-safe.
 */
final class KafkaBroker implements AutoCloseable {

    private static final int START_SECONDS = 120;

    private final Path folder;
    private final Path properties;
    private final int port;
    private final boolean temporary;
    private Process process;

    private KafkaBroker(Path folder, boolean temporary) throws IOException {
        this.folder = folder;
        this.temporary = temporary;
        this.port = freePort();
        this.properties = folder.resolve("server.properties");
        Files.writeString(properties, properties(port, freePort(), folder.resolve("data")));
        Files.writeString(folder.resolve("log4j2.properties"), LOGGING);
    }

    /** A broker in a new folder that goes when it is closed. */
    static KafkaBroker startTemporary() throws IOException, InterruptedException {
        return started(new KafkaBroker(Files.createTempDirectory("kafka-redaction"), true));
    }

    /**
     * A broker that leaves its folder alone.
     *
     * @param folder is there, and empty
     */
    static KafkaBroker start(Path folder) throws IOException, InterruptedException {
        return started(new KafkaBroker(folder, false));
    }

    private static KafkaBroker started(KafkaBroker broker)
            throws IOException, InterruptedException {
        try {
            broker.restart();
            return broker;
        } catch (IOException | InterruptedException | RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    long pid() {
        return process.pid();
    }

    /** Starts the broker that was killed, on the same port with the same data; returns when it answers. */
    void restart() throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms128m",
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlog4j2.configurationFile=" + folder.resolve("log4j2.properties"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerMain.class.getName(),
                        properties.toString());
        builder.redirectErrorStream(true);
        builder.redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve("broker.log").toFile()));
        process = builder.start();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException(
                        "the Kafka broker did not start: "
                                + Files.readString(folder.resolve("broker.log")));
            }
        }
    }

    private boolean answers() throws InterruptedException {
        if (!process.waitFor(100, TimeUnit.MILLISECONDS) && listens()) {
            try (Admin admin = Topics.admin(bootstrapServers())) {
                admin.describeCluster().nodes().get(5, TimeUnit.SECONDS);
                return true;
            } catch (ExecutionException | TimeoutException e) {
                return false;
            }
        }
        return false;
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends it at once, as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        if (temporary) {
            try {
                FileUtils.deleteDirectory(folder.toFile());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A port of the loopback interface that nothing uses. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String properties(int port, int controllerPort, Path data) {
        return String.join(
                "\n",
                List.of(
                        "process.roles=broker,controller",
                        "node.id=1",
                        "controller.quorum.voters=1@127.0.0.1:" + controllerPort,
                        "controller.listener.names=CONTROLLER",
                        "listeners=PLAINTEXT://127.0.0.1:"
                                + port
                                + ",CONTROLLER://127.0.0.1:"
                                + controllerPort,
                        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "advertised.listeners=PLAINTEXT://127.0.0.1:" + port,
                        "log.dirs=" + data,
                        // By the time of records, which may be long ago.
                        "log.retention.ms=-1",
                        "auto.create.topics.enable=false",
                        "offsets.topic.num.partitions=1",
                        "offsets.topic.replication.factor=1",
                        "transaction.state.log.num.partitions=1",
                        "transaction.state.log.replication.factor=1",
                        "transaction.state.log.min.isr=1",
                        "group.initial.rebalance.delay.ms=0",
                        ""));
    }

    private static final String LOGGING =
            """
            rootLogger.level = WARN
            rootLogger.appenderRef.out.ref = out
            appender.out.type = Console
            appender.out.name = out
            appender.out.layout.type = PatternLayout
            appender.out.layout.pattern = %d %p %c - %m%n
            """;
}
