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

    /** Of a job whose checkpoints stay in a folder, incremental ones where the backend has them. */
    Configuration configuration(Path checkpoints, Duration interval) {
        Configuration config = new Configuration();
        config.set(StateBackendOptions.STATE_BACKEND, this == HASHMAP ? "hashmap" : "rocksdb");
        config.set(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG, this == CHANGELOG);
        if (this == UNIVERSAL) {
            config.setString("state.backend.rocksdb.compaction.style", "UNIVERSAL");
        }
        if (this == CHANGELOG) {
            config.setString("state.changelog.storage", "filesystem");
            config.setString(
                    "state.changelog.dstl.dfs.base-path",
                    checkpoints.resolve("changelog").toUri().toString());
            config.set(StateChangelogOptions.PERIODIC_MATERIALIZATION_ENABLED, false);
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
