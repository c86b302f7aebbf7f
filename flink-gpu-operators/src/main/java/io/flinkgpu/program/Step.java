package io.flinkgpu.program;

import java.io.Serializable;

/** What is done to a whole batch at a time; each step appends columns to those there are. */
public sealed interface Step extends Serializable permits Pass, RedactStep, HashStep {}
