package io.flinkgpu.operator.window.slices;

import io.flinkgpu.state.RunId;

/**
 * Where a run is in state.
 *
 * @param carrier the key that it is kept under, one of its key group
 * @param keyGroup of all its keys
 * @param tier of state that it is in
 * @param <S> the key in state
 */
record StoredRun<S>(S carrier, int keyGroup, int tier, RunId id) {}
