package io.flinkgpu.applications.kafka;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What happens to a running job. */
enum Fault {
    TASK_MANAGER_KILLED("`kill -9` of a TaskManager, and another one started") {
        @Override
        void inject(Scene scene, Path state, Random random) throws Exception {
            scene.cluster().kill(anyTaskManager(scene, random));
            scene.cluster().startTaskManager();
        }
    },
    JOB_MANAGER_KILLED("`kill -9` of the JobManager, which finds its job in ZooKeeper") {
        @Override
        void inject(Scene scene, Path state, Random random) throws Exception {
            scene.cluster().kill("jobmanager");
            scene.cluster().startJobManager();
        }
    },
    BOTH_KILLED("`kill -9` of the JobManager and a TaskManager at once") {
        @Override
        void inject(Scene scene, Path state, Random random) throws Exception {
            String name = anyTaskManager(scene, random);
            scene.cluster().kill("jobmanager");
            scene.cluster().kill(name);
            scene.cluster().startTaskManager();
            scene.cluster().startJobManager();
        }
    },
    TASK_MANAGER_PAUSED("`SIGSTOP` of a TaskManager for 12 s, longer than the heartbeat's 8 s") {
        @Override
        void inject(Scene scene, Path state, Random random) throws Exception {
            String name = anyTaskManager(scene, random);
            scene.cluster().signal(name, "STOP");
            scene.read(Duration.ofSeconds(12));
            scene.cluster().signal(name, "CONT");
        }
    },
    BROKER_KILLED("`kill -9` of the broker, started again after 3 s") {
        @Override
        void inject(Scene scene, Path state, Random random) throws Exception {
            scene.broker().kill();
            scene.read(Duration.ofSeconds(3));
            scene.broker().restart();
        }
    },
    SLOW_SINK("the broker lets each client write 5 kB a second, for 15 s") {
        @Override
        void inject(Scene scene, Path state, Random random) throws Exception {
            quota(scene, 5_000.0);
            scene.read(Duration.ofSeconds(15));
            quota(scene, null);
        }
    },
    DISK_FULL("no byte left where checkpoints go, until ten have failed") {
        @Override
        void inject(Scene scene, Path state, Random random) throws Exception {
            long before = scene.job().failedCheckpoints();
            Path filler = state.resolve("filler");
            while (scene.job().failedCheckpoints() < before + 10) {
                // Old checkpoints go meanwhile, and leave room.
                fill(filler);
                scene.read(Duration.ofSeconds(1));
            }
            Files.delete(filler);
        }
    },
    SCALED_UP("savepoint, and on with 4 subtasks") {
        @Override
        void inject(Scene scene, Path state, Random random) throws Exception {
            scene.rescale(4);
        }
    },
    SCALED_DOWN("savepoint, and on with 1 subtask") {
        @Override
        void inject(Scene scene, Path state, Random random) throws Exception {
            scene.rescale(1);
        }
    },
    SCALED_BACK("savepoint, and on with 2 subtasks") {
        @Override
        void inject(Scene scene, Path state, Random random) throws Exception {
            scene.rescale(2);
        }
    };

    private final String description;

    Fault(String description) {
        this.description = description;
    }

    /** One line. */
    String description() {
        return description;
    }

    /**
     * Lets it happen, and undoes it; the job may still be recovering when this returns.
     *
     * @param state where checkpoints go
     */
    abstract void inject(Scene scene, Path state, Random random) throws Exception;

    /** One that runs the job. */
    private static String anyTaskManager(Scene scene, Random random) throws Exception {
        List<String> names = scene.job().taskManagers();
        return names.get(random.nextInt(names.size()));
    }

    private static void quota(Scene scene, Double bytesPerSecond) throws Exception {
        ClientQuotaEntity allClients =
                new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.CLIENT_ID, null));
        try (Admin admin = Topics.admin(scene.broker().bootstrapServers())) {
            admin.alterClientQuotas(
                            List.of(
                                    new ClientQuotaAlteration(
                                            allClients,
                                            List.of(
                                                    new ClientQuotaAlteration.Op(
                                                            "producer_byte_rate",
                                                            bytesPerSecond)))))
                    .all()
                    .get();
        }
    }

    private static void fill(Path filler) throws IOException {
        byte[] block = new byte[1 << 16];
        try (OutputStream out =
                Files.newOutputStream(
                        filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            // No space is left, as it should be.
        }
    }
}
