package io.flinkgpu.applications.kafka;

import io.flinkgpu.api.GpuOptions;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/** What docs/cluster.md says of memory and commands. */
class ClusterDocTest {

    private static final Path DOC = Path.of("../../docs/cluster.md");
    private static final Pattern SIZES =
            Pattern.compile(
                    "(?m)^\\| (\\d+) GiB \\| (\\d+) \\| (\\w+) \\| (\\w+) \\| ([0-9.]+) \\| (\\d+) MiB \\|$");

    @Test
    void containersHoldWhatTheyAreSaidToHold() throws IOException {
        List<MatchResult> rows = SIZES.matcher(Files.readString(DOC)).results().toList();
        assertThat(rows).hasSize(3);
        for (MatchResult row : rows) {
            int slots = Integer.parseInt(row.group(2));
            MemorySize process = MemorySize.parse(row.group(3));
            MemorySize offHeap = MemorySize.parse(row.group(4));
            assertThat(process.getBytes()).isLessThan(Long.parseLong(row.group(1)) << 30);
            assertThat(offHeap.getBytes()).isGreaterThanOrEqualTo(slots * slotBytes());
            Configuration conf = new Configuration();
            conf.set(TaskManagerOptions.TOTAL_PROCESS_MEMORY, process);
            conf.set(TaskManagerOptions.TASK_OFF_HEAP_MEMORY, offHeap);
            conf.set(TaskManagerOptions.NUM_TASK_SLOTS, slots);
            conf.set(TaskManagerOptions.MANAGED_MEMORY_FRACTION, Float.parseFloat(row.group(5)));
            assertThat(taskHeap(conf).getMebiBytes()).isEqualTo(Integer.parseInt(row.group(6)));
        }
    }

    @Test
    void commandsHaveOptionsThatExist() throws IOException {
        List<String> commands =
                Pattern.compile("(?m)(?:^|`)examples/run kafka-redaction([^`#\n]*)")
                        .matcher(
                                Files.readString(DOC)
                                        + Files.readString(Path.of("../../README.md")))
                        .results()
                        .map(match -> match.group(1).strip())
                        .toList();
        assertThat(commands).hasSizeGreaterThanOrEqualTo(3);
        for (String command : commands) {
            String[] options = command.isEmpty() ? new String[0] : command.split(" +");
            assertThatCode(() -> KafkaOptions.parse(options))
                    .as(command)
                    .doesNotThrowAnyException();
        }
    }

    /** What a slot of the Kafka job takes off the heap: two operators with columns, groups of windows. */
    static long slotBytes() {
        return 2 * GpuOptions.DEFAULT.memoryLimitBytes() + (576L << 20);
    }

    /** What Flink leaves for the heap of tasks. */
    static MemorySize taskHeap(Configuration conf) {
        TaskExecutorProcessSpec spec = TaskExecutorProcessUtils.processSpecFromConfig(conf);
        return spec.getTaskHeapSize();
    }
}
