package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.List;

/** What a plan needs to be kept where its batches run: an immutable value. */
@Internal
public interface ResidentPlan extends Serializable {

    /** What it is, for errors and logs. */
    String name();

    /** What the columns of a batch of changes hold, in order. */
    List<ColumnType> changes();

    /** The most memory that it may ever take there. */
    long bytes();
}
