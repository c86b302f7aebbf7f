package io.flinkgpu.applications.kafka;

import io.flinkgpu.applications.UsageException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * Where messages come from and go to.
 *
 * @param statistics counts of the redacted messages by key and window
 * @param deadLetters places of messages that could not be passed on
 */
record Topics(String input, String redacted, String statistics, String deadLetters)
        implements Serializable {

    static final Topics DEFAULT =
            new Topics("logs", "logs-redacted", "logs-statistics", "logs-dead-letters");

    List<String> names() {
        return List.of(input, redacted, statistics, deadLetters);
    }

    /** Two roles of one topic would feed the job with its own output. */
    boolean areDistinct() {
        return Stream.of(input, redacted, statistics, deadLetters).distinct().count() == 4;
    }

    /**
     * Makes those that are missing.
     *
     * @param partitions of input and redacted messages; the others have one
     * @throws UsageException if the broker does not answer
     */
    void create(String bootstrapServers, int partitions)
            throws UsageException, InterruptedException {
        try (Admin admin = admin(bootstrapServers)) {
            for (String name : names()) {
                int count = name.equals(input) || name.equals(redacted) ? partitions : 1;
                NewTopic topic = new NewTopic(name, Optional.of(count), Optional.empty());
                try {
                    admin.createTopics(List.of(topic)).all().get();
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof TopicExistsException)) {
                        throw new UsageException(
                                "no topic '"
                                        + name
                                        + "' at "
                                        + bootstrapServers
                                        + " ("
                                        + e.getCause().getMessage()
                                        + "): check --bootstrap-servers, and that the broker runs");
                    }
                }
            }
        }
    }

    static Admin admin(String bootstrapServers) {
        return Admin.create(
                Map.of(
                        AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                        AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 30_000,
                        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000));
    }
}
