package io.flinkgpu.operator.lines;

/** Partials by key and slice that wait to be sent. */
final class HeldGroups {}
