/**
 * Rules as models for {@code ML_PREDICT}.
 *
 * <p>Imported by: nothing; Flink finds its factory.
 *
 * <p>Owns: a backend and its thread for each subtask, from {@code open} to {@code close}; the task thread
 * only hands rows over.
 */
package io.flinkgpu.sql.model;
