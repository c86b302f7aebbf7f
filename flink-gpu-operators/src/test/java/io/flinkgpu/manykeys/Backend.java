package io.flinkgpu.manykeys;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateChangelogOptions;

import java.nio.file.Path;
import java.time.Duration;

/** Where a trial's state is. */
enum Backend {
    HASHMAP,
    ROCKSDB,

    /** RocksDB that compacts files of like sizes. */
    UNIVERSAL,

    /** RocksDB with a log of what changed. */
    CHANGELOG;

    /** Of a cluster that keeps all checkpoints, and the log of changes in a folder. */
    Configuration cluster(Path checkpoints) {
        Configuration config = new Configuration();
        // Files are counted, so none may go meanwhile.
        config.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 100);
        if (this == CHANGELOG) {
            config.setString("state.changelog.storage", "filesystem");
            config.setString(
                    "state.changelog.dstl.dfs.base-path",
                    checkpoints.resolve("changelog").toUri().toString());
        }
        return config;
    }

    /** Of a job whose checkpoints stay in a folder, incremental ones where the backend has them. */
    Configuration configuration(Path checkpoints, Duration interval) {
        Configuration config = new Configuration();
        config.set(StateBackendOptions.STATE_BACKEND, this == HASHMAP ? "hashmap" : "rocksdb");
        config.set(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG, this == CHANGELOG);
        config.set(StateChangelogOptions.PERIODIC_MATERIALIZATION_ENABLED, false);
        if (this == UNIVERSAL) {
            config.setString("state.backend.rocksdb.compaction.style", "UNIVERSAL");
        }
        config.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, this != HASHMAP);
        config.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        config.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
        config.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.ofMinutes(10));
        config.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        config.set(PipelineOptions.GENERIC_TYPES, false);
        config.set(PipelineOptions.OBJECT_REUSE, true);
        return config;
    }
}
