/**
 * When: batching, flush points, watermarks, checkpoints, metrics, emission; Flink's internal
 * API, and no verb.
 *
 * <p>Imported by: the operators of the verbs and the root.
 *
 * <p>Owns: one backend thread for each subtask, the backend it opened, the open batch and those
 * in flight. Everything else is the task thread's; a finished batch comes back as one mail.
 */
package io.flinkgpu.operator;
