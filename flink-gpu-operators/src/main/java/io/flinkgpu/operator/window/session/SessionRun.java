package io.flinkgpu.operator.window.session;

/**
 * Where a run of sessions is in state.
 *
 * @param carrier the key that it is kept under, one of its key group
 * @param keyGroup of all its keys
 * @param number of all runs of a subtask different
 * @param <S> the key in state
 */
record SessionRun<S>(S carrier, int keyGroup, long number) {}
