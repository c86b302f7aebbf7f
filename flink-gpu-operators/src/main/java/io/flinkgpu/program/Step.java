package io.flinkgpu.program;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/** What is done to a whole batch at a time; each step appends columns to those there are. */
@Internal
public sealed interface Step extends Serializable permits Pass, RedactStep, HashStep {}
